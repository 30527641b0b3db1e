#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a built server: an archive, a Debian package, a list of what is inside, and their checksums.

script/release calls this. Of one commit and one binary the files are the same bytes each time."""
import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import sbom

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "Examples/SelfHost"
DEBIAN = ROOT / "Packaging/debian"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True, help="the stripped program")
    parser.add_argument("--version", required=True, help="such as 0.1.0, or 0.2.0-dev.20261130 before its release")
    parser.add_argument("--epoch", type=int, required=True, help="the time of the commit, in seconds: that of all files")
    parser.add_argument("--commit", required=True, help="the commit's hash")
    parser.add_argument("--statically", nargs="*", default=[], metavar="LIBRARY", help="archives that were linked into the program")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder of the files; what it has is kept")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)

    system, machine = platform.system(), {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
    name = f"landfall-{given.version}-{'macos' if system == 'Darwin' else f'linux-{machine}'}"
    files = [given.out / f"{name}.tar.gz", given.out / f"{name}.cdx.json"]
    archive(given, name, files[0])
    files[1].write_text(json.dumps(sbom.document(given.binary, given.version, given.commit, given.epoch, given.statically), indent=2) + "\n")
    if system == "Linux":
        files.append(debian(given))
    sums(given.out, files)
    for file in files:
        print(f"{file.stat().st_size / 1e6:6.1f} MB  {file}")


def archive(given, name, file):
    """NAME.tar.gz with one folder of that name."""
    members = {
        "landfall": (given.binary, 0o755),
        "LICENSE": (ROOT / "LICENSE", 0o644),
        "landfall.yaml": (EXAMPLES / "landfall.yaml", 0o644),
        "landfall.service": (EXAMPLES / "landfall.service", 0o644),
    }
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for member, (source, mode) in members.items():
            entry = tarfile.TarInfo(f"{name}/{member}")
            entry.size, entry.mode, entry.mtime = source.stat().st_size, mode, given.epoch
            with source.open("rb") as content:
                tar.addfile(entry, content)
    file.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def debian(given):
    """landfall_VERSION_ARCHITECTURE.deb"""
    # A version before its release sorts before the release, which '-' does not.
    version = given.version.replace("-", "~", 1)
    architecture = command("dpkg", "--print-architecture")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "root"
        for path, source, mode in [
            ("usr/bin/landfall", given.binary, 0o755),
            ("etc/landfall/landfall.env", DEBIAN / "landfall.env", 0o600),
            ("usr/share/doc/landfall/copyright", DEBIAN / "copyright", 0o644),
            ("usr/share/doc/landfall/examples/landfall.yaml", EXAMPLES / "landfall.yaml", 0o644),
            ("usr/share/doc/landfall/examples/Caddyfile", EXAMPLES / "Caddyfile", 0o644),
            ("usr/share/doc/landfall/examples/nginx.conf", EXAMPLES / "nginx.conf", 0o644),
            ("usr/lib/systemd/system/landfall-backup.timer", EXAMPLES / "landfall-backup.timer", 0o644),
            ("usr/lib/systemd/system/landfall-export.timer", EXAMPLES / "landfall-export.timer", 0o644),
        ]:
            put(root / path, source.read_bytes(), mode)
        for unit in ("landfall", "landfall-backup", "landfall-export"):
            text = unit_of_package((EXAMPLES / f"{unit}.service").read_text())
            put(root / f"usr/lib/systemd/system/{unit}.service", text.encode(), 0o644)
        changes = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
        put(root / "usr/share/doc/landfall/CHANGELOG.md.gz", changes, 0o644)

        size = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
        control = (DEBIAN / "control").read_text()
        for word, value in {"VERSION": version, "ARCHITECTURE": architecture, "SIZE": size // 1024, "GLIBC": newest_glibc(given.binary)}.items():
            control = control.replace(f"@{word}@", str(value))
        put(root / "DEBIAN/control", control.encode(), 0o644)
        put(root / "DEBIAN/conffiles", b"/etc/landfall/landfall.env\n", 0o644)
        for script in ("preinst", "postinst", "prerm", "postrm"):
            put(root / f"DEBIAN/{script}", (DEBIAN / script).read_bytes(), 0o755)
        for folder in [root, *root.rglob("*")]:
            if folder.is_dir():
                folder.chmod(0o755)

        file = given.out / f"landfall_{version}_{architecture}.deb"
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, file], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(given.epoch)})
    return file


def unit_of_package(text):
    """The documented unit, for a package: its places, a user that stays, and no start before there is a configuration."""
    text = re.sub(r"\A#[^\n]*\n", "# Of the package landfall. Changes belong into: systemctl edit UNIT\n", text)
    text = text.replace("/usr/local/bin/", "/usr/bin/").replace("DynamicUser=yes\n", "User=landfall\nGroup=landfall\n")
    if "Type=notify" in text:
        text = text.replace("After=network-online.target\n", "After=network-online.target\nConditionPathExists=/etc/landfall/landfall.yaml\n")
        for word in ("User=landfall", "ConditionPathExists", "/usr/bin/landfall serve"):
            if word not in text:
                sys.exit(f"Examples/SelfHost/landfall.service has changed: the unit of the package would lack '{word}'.")
    return text


def newest_glibc(binary):
    """The newest version of the C library that the program's symbols ask for."""
    found = re.findall(r"GLIBC_(\d+)\.(\d+)", command("objdump", "-T", binary))
    return ".".join(map(str, max((int(major), int(minor)) for major, minor in found)))


def sums(out, files):
    """SHA256SUMS of the folder: lines of other files stay."""
    file = out / "SHA256SUMS"
    lines = dict(line.split("  ")[::-1] for line in file.read_text().splitlines()) if file.exists() else {}
    lines = {name: digest for name, digest in lines.items() if (out / name).exists()}
    lines |= {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in files}
    file.write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(lines.items())))


def put(path, content, mode):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)


def command(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    if shutil.which("dpkg-deb") is None and platform.system() == "Linux":
        sys.exit("dpkg-deb is not installed. Debian and Ubuntu have it; elsewhere: the package dpkg.")
    main()
