#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs a small program as a release packs the server, and looks at the packages; the container's files are checked without a container.

That the server's own packages install, run and are upgraded without Swift is proved by script/prove-release. Debian and Ubuntu only.
script/check packaging
"""
import hashlib, json, pathlib, re, shutil, subprocess, sys, tempfile

import packages
from claims import Claims
from server import ROOT, Arguments

Arguments(__doc__).parse_args()
if not shutil.which("dpkg-deb"):
    print("dpkg-deb is not installed: packages of Debian are made and checked on Debian and Ubuntu only.")
    sys.exit(0)
try:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
except ImportError:
    if not packages.enter("packaging-tools", ["cyclonedx-python-lib[json-validation]==11.6.0", "check-jsonschema==0.39.0"]):
        print("PyPI cannot be reached: the packages are not checked on this machine.")
        sys.exit(0)
    raise

claims = Claims()
check = claims.check
CONTAINER = ROOT / "Packaging/container"


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def pack(binary, out):
    done = run(sys.executable, ROOT / "Packaging/pack.py", "--binary", binary, "--version", "9.9.9-dev.1", "--epoch", 1760000000,
               "--commit", "0" * 40, "--out", out, "--statically", pathlib.Path("/usr/lib") / "libsqlite3.a")
    if done.returncode:
        sys.exit(done.stderr)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in out.iterdir()}


def check_deb(deb, folder):
    fields = dict(line.split(": ", 1) for line in run("dpkg-deb", "-f", deb).stdout.splitlines() if re.match(r"[A-Z]", line))
    check("A version before its release sorts before it", fields["Version"] == "9.9.9~dev.1" and
          run("dpkg", "--compare-versions", fields["Version"], "lt", "9.9.9").returncode == 0, fields["Version"])
    check("The package names the C library that its program asks for", re.search(r"libc6 \(>= 2\.\d+\)", fields["Depends"]), fields["Depends"])
    run("dpkg-deb", "-R", deb, folder)
    modes = {place: (folder / place).stat().st_mode & 0o777 for place in ("usr/bin/landfall", "etc/landfall/landfall.env", "DEBIAN/postinst")}
    check("The program and its scripts can be run, and secrets are root's", modes == {"usr/bin/landfall": 0o755, "etc/landfall/landfall.env": 0o600, "DEBIAN/postinst": 0o755}, modes)
    for script in ("preinst", "postinst", "prerm", "postrm"):
        parsed = run("sh", "-n", folder / "DEBIAN" / script)
        check(f"{script} is a script of sh", parsed.returncode == 0, parsed.stderr)
    units = sorted((folder / "usr/lib/systemd/system").iterdir())
    if shutil.which("systemd-analyze"):
        # A unit names its program by the place of the installed package.
        for unit in units:
            unit.write_text(unit.read_text().replace("/usr/bin/landfall", "/bin/true"))
        told = run("systemd-analyze", "verify", *units)
        # What of its output is about units of this machine is not ours.
        wrong = [line for line in told.stderr.splitlines() if "landfall" in line]
        check(f"systemd takes its {len(units)} units", not wrong, wrong)
        level = run("systemd-analyze", "security", "--offline=true", "--no-pager", folder / "usr/lib/systemd/system/landfall.service").stdout
        level = float(re.search(r"Overall exposure level.*?: (\d+\.\d+)", level)[1])
        check(f"The service is protected: exposure {level} of 10", level <= 3)


def check_container():
    steps = (CONTAINER / "Dockerfile").read_text()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [word for line in re.findall(r"^COPY (?!--from)(.*)$", steps, re.MULTILINE) for word in line.split()[:-1]]
    check("What the container file copies is there to be copied", copied and all(f"!{each}" in ignored for each in copied), copied)
    check("collect is a script of sh", run("sh", "-n", CONTAINER / "collect").returncode == 0)
    programs = packages.installed("packaging-tools", pathlib.Path(sys.prefix, "installed").read_text().split(" "))
    told = run(programs / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", CONTAINER / "compose.yaml")
    check("compose.yaml fits the Compose specification", told.returncode == 0, told.stdout + told.stderr)
    ours, documented = ((file.read_text()[file.read_text().index("request_body"):]) for file in (CONTAINER / "Caddyfile", ROOT / "Examples/SelfHost/Caddyfile"))
    ours = ours.replace("landfall:8080", "127.0.0.1:8080").replace("set LANDFALL_COUNTRY_HEADER", "start with --country-header")
    check("Its Caddyfile treats requests as the documented one does", ours == documented)
    if shutil.which("caddy"):
        told = run("caddy", "validate", "--adapter", "caddyfile", "--config", CONTAINER / "Caddyfile")
        check("Caddy takes it", told.returncode == 0, told.stderr[-500:])


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # Any program that names the C library: the server's own takes minutes to be compressed.
    binary = pathlib.Path(shutil.which("env")).resolve()
    once, again = pack(binary, folder / "once"), pack(binary, folder / "again")
    check("Of one program and one commit the packages are the same bytes", once == again and len(once) == 4, (once, again))
    summed = run("sha256sum", "--check", "SHA256SUMS", cwd=folder / "once")
    check("SHA256SUMS is true of each", summed.returncode == 0 and summed.stdout.count(": OK") == 3, summed.stdout)
    bill = next((folder / "once").glob("*.cdx.json")).read_text()
    told = JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill)
    check("The list of what is inside is CycloneDX 1.6", told is None, told)
    names = {part["name"] for part in json.loads(bill)["components"]}
    pinned = {pin["identity"] for pin in json.loads((ROOT / "Server/Package.resolved").read_text())["pins"]}
    check(f"and names each of the {len(pinned)} packages, Swift and SQLite", names >= pinned | {"swift"}, pinned - names)
    check_deb(next((folder / "once").glob("*.deb")), folder / "package")
    check_container()
claims.end("The packages are what docs/operating/install.md says.")
