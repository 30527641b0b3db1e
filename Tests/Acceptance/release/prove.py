# SPDX-License-Identifier: Apache-2.0
"""Proves what script/release has made, on a Debian that has no Swift: the package with a real service manager, an upgrade and a downgrade
while phones call through a real Caddy, the image of the container file, the archive. Run by script/prove-release."""
import argparse, contextlib, json, pathlib, re, shutil, subprocess, sys, tempfile, time, uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import bare
import proxies
from claims import Claims
from ending import ends_when_asked, stop, until
from server import EXAMPLE, ROOT, ask, free_ports, phone
from traffic import Traffic

OPENING = {"adToken": {"none": "noToken"}, "placements": [{"id": "onboarding"}], "holdMilliseconds": 0}
API, LINKS = "api.example.com", "brandname.go.link"
CHROOT = shutil.which("chroot")
claims = Claims()
check = claims.check


def opened(port):
    answer = ask(port, "/v1/first-open", OPENING, phone(uuid.uuid4()))
    return answer.status == 200 and b'"paywall"' in answer.body


def installed(machine):
    """The version of the package, and what the program says of itself."""
    version = machine.run("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", "landfall").stdout.strip()
    return version, machine.run("landfall", "--version").stdout.splitlines()[:2]


def is_ready():
    with contextlib.suppress(OSError):
        return ask(8080, "/readyz").status == 200
    return False


def put(machine, file):
    shutil.copy(file, machine.root / "srv" / file.name)
    return f"/srv/{file.name}"


def check_package(machine, old, new, folder):
    check("The machine has neither Swift nor SQLite nor curl", machine.run("sh", "-c", "ls /usr/lib/*/libsqlite3* /usr/lib/*/libcurl* /opt/swift /usr/lib/swift").stdout == "")
    packages = {which: put(machine, file) for which, file in (("old", old), ("new", new))}
    machine.must("apt-get", "install", "-y", "-q", "--no-install-recommends", packages["old"])
    check("The package installs, and its service waits for a configuration", machine.state() == "inactive" and machine.run("systemctl", "is-enabled", "landfall").stdout.strip() == "enabled", machine.state())
    needed = machine.must("sh", "-c", "ldd /usr/bin/landfall")
    names = set(re.findall(r"^\s*(\S+?)\.so", needed, re.MULTILINE))
    check("The program needs the C library and nothing else", names <= {"linux-vdso", "libc", "libm", "/lib64/ld-linux-x86-64", "/lib/ld-linux-aarch64"}, names)

    (machine.root / "etc/landfall/landfall.yaml").write_text(EXAMPLE)
    machine.must("systemctl", "start", "landfall")
    check("It starts with one, answers a first open, and belongs to a user of its own",
          machine.state() == "active" and opened(8080) and machine.must("sh", "-c", "stat -c %U /proc/$(systemctl show --value -p MainPID landfall)") == "landfall")
    owner = machine.must("stat", "-c", "%U %a", "/var/lib/landfall", "/var/lib/landfall/landfall.sqlite", "/var/lib/landfall/landfall.sock").splitlines()
    check("Only that user reads the store", owner == ["landfall 700", "landfall 600", "landfall 600"], owner)
    check("A command reaches it through its socket", "onboarding" in machine.must("landfall", "export", "--data", "/var/lib/landfall"))
    machine.must("systemctl", "start", "landfall-backup.service")
    machine.must("landfall", "restore", "/var/lib/landfall/backups/landfall.sqlite", "--data", "/srv/restored")
    check("The unit of backups writes one, and it can be restored", True)
    machine.must("systemctl", "enable", "--now", "landfall-backup.timer", "landfall-export.timer")
    check("Its timers start", machine.state("landfall-backup.timer") == "active" == machine.state("landfall-export.timer"))
    machine.must("systemctl", "reload", "landfall")
    exposure = machine.must("systemd-analyze", "security", "--no-pager", "landfall.service").splitlines()[-1]
    level = float(re.search(r"(\d+\.\d+)", exposure)[1])
    check(f"The service is protected: exposure {level} of 10 by systemd-analyze security", level <= 3)

    check_upgrade(machine, packages, folder)
    check_removal(machine, packages)


@contextlib.contextmanager
def caddy(folder, upstream):
    """The documented Caddy in front of this port of the server, without certificates. Its own port."""
    port = free_ports(1)[0]
    text = (ROOT / "Examples/SelfHost/Caddyfile").read_text()
    for before, after in (("api.example.com, brandname.go.link {", f"http://:{port} {{"), ("{\n\tlog {", "{\n\tadmin off\n\tauto_https off\n\tlog {"),
                          ("reverse_proxy 127.0.0.1:8080 {", f"reverse_proxy 127.0.0.1:{upstream} {{")):
        if before not in text:
            raise RuntimeError(f"Examples/SelfHost/Caddyfile has no '{before}' any more; this program puts another value there.")
        text = text.replace(before, after, 1)
    (folder / "Caddyfile").write_text(text)
    command = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with proxies.running(command, folder, [port]):
        yield port


def check_upgrade(machine, packages, folder):
    before = installed(machine)
    with caddy(folder, 8080) as port:
        for what, arguments in (("An upgrade", ["-y", packages["new"]]), ("A downgrade", ["-y", "--allow-downgrades", packages["old"]])):
            with Traffic(port, API, LINKS, OPENING) as traffic:
                time.sleep(5)
                begun = time.monotonic()
                done = machine.run("apt-get", "install", "-q", "--no-install-recommends", *arguments)
                took = time.monotonic() - begun
                time.sleep(8)
            after = installed(machine)
            check(f"{what} while phones call refuses none of them: {traffic}; apt took {took:.1f} s",
                  done.returncode == 0 and not traffic.lost and not traffic.refused and machine.state() == "active" and after != before and traffic.answered > 100,
                  f"{done.returncode}, {traffic.lost[:5]}, {machine.state()}, {after}, {done.stderr[-300:]}")
            before = after
    check("What was stored is there", machine.must("landfall", "doctor", "--local", "--data", "/var/lib/landfall", "--json") != "" and is_ready())


def check_removal(machine, packages):
    machine.must("apt-get", "remove", "-y", "-q", "landfall")
    left = machine.run("sh", "-c", "ls -d /usr/bin/landfall /usr/lib/systemd/system/landfall* /etc/landfall/landfall.yaml /var/lib/landfall/landfall.sqlite").stdout.split()
    check("Removed, it has stopped; configuration and store are there", left == ["/etc/landfall/landfall.yaml", "/var/lib/landfall/landfall.sqlite"] and not is_ready(), left)
    machine.must("apt-get", "install", "-y", "-q", "--no-install-recommends", packages["new"])
    until(is_ready, 30, "Installed again, the service does not serve")
    check("Installed again, it serves the same store", machine.state() == "active" and opened(8080))
    told = machine.run("apt-get", "purge", "-y", "-q", "landfall")
    left = machine.run("sh", "-c", "ls -A /etc/landfall; ls /var/lib/landfall/landfall.sqlite; systemctl list-unit-files 'landfall*' --no-legend").stdout.split()
    check("Purged, it leaves what was written by people and phones, and says so",
          left == ["landfall.yaml", "/var/lib/landfall/landfall.sqlite"] and "/var/lib/landfall stays" in told.stdout + told.stderr, (left, told.stderr[-300:]))


class Container:
    """The image as the root of one process, as the container file starts it; its volume is a folder."""

    def __init__(self, image, volume, log, port=8081):
        steps = (ROOT / "Packaging/container/Dockerfile").read_text()
        if not re.search(r"^RUN sh /tmp/collect /tmp /image$", steps, re.MULTILINE):
            raise RuntimeError("Packaging/container/Dockerfile runs something else than collect; this program runs its steps.")
        self.entry, self.command = (json.loads(re.search(rf"^{word} (.*)$", steps, re.MULTILINE)[1]) for word in ("ENTRYPOINT", "CMD"))
        self.environment = dict(word.split("=", 1) for word in re.search(r"^ENV (.*)$", steps, re.MULTILINE)[1].split())
        self.environment |= {"LANDFALL_CONFIG": "/etc/landfall/landfall.yaml", "LANDFALL_PORT": str(port), "LANDFALL_TRUSTED_PROXIES": "127.0.0.1", "LANDFALL_DRAIN": "1"}
        self.image, self.volume, self.log, self.port = image, volume, log, port
        (image / "etc/landfall/landfall.yaml").write_text(EXAMPLE)

    def __enter__(self):
        self.mounts = contextlib.ExitStack()
        self.mounts.enter_context(bare.mounted(self.image))
        subprocess.run(["mount", "--bind", self.volume, self.image / "data"], check=True)
        self.mounts.callback(subprocess.run, ["umount", "--lazy", self.image / "data"], check=True)
        with open(self.log, "a") as log:
            self.server = subprocess.Popen(self.inside(*self.command), env=self.environment, stdout=log, stderr=log)
        until(lambda: self.server.poll() is not None or proxies.accepts(self.port), 30, "The image's server does not listen")
        return self

    def inside(self, *words):
        return [CHROOT, "--userspec=65532:65532", self.image, *self.entry, *words]

    def ends(self):
        return stop(self.server, 30) and self.server.returncode == 0

    def __exit__(self, *_):
        stop(self.server)
        self.mounts.close()


def check_image(root, old_package, folder):
    """The steps of the container file were run in `root`. Its image, and one with the program of the earlier package."""
    image, earlier, volume, log = root / "image", root / "earlier", root / "volume", folder / "image.log"
    size = sum(file.stat().st_size for file in image.rglob("*") if file.is_file() and not file.is_symlink())
    check(f"The image has no shell and no package manager: {size / 1e6:.0f} MB", not any((image / place).exists() for place in ("bin/sh", "usr/bin/sh", "usr/bin/dpkg")))
    subprocess.run(["cp", "-a", image, earlier], check=True)
    subprocess.run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$1" | tar -C "$2" -xf - ./usr/bin/landfall', "-", old_package, earlier], check=True)
    subprocess.run(["install", "-d", "-m", "0700", "-o", "65532", "-g", "65532", volume], check=True)
    with Container(image, volume, log) as container:
        check("The image serves a first open, as a user without rights", container.server.poll() is None and opened(8081), log.read_text()[-500:])
        told = subprocess.run(container.inside("doctor", "--local", "--database", "postgres://landfall@127.0.0.1:9/landfall"), env={}, capture_output=True, text=True, timeout=60)
        text = told.stdout + told.stderr
        check("It has libpq: a PostgreSQL that is away is what it reports", told.returncode == 1 and "libpq" not in text and "127.0.0.1" in text, text[-500:])
        check("and ends when it is asked to", container.ends(), container.server.returncode)
    ended = []
    with caddy(folder, 8081) as port, Traffic(port, API, LINKS, OPENING) as traffic:
        # As compose does it: the old one ends, then the new one begins.
        for following in (earlier, image, earlier, image):
            with Container(following, volume, log) as container:
                time.sleep(5)
                if len(ended) == 3:
                    traffic.ends()
                ended.append(container.ends())
    check(f"Images are changed for newer and older ones while phones call, and refuse none of them: {traffic}",
          all(ended) and not traffic.lost and not traffic.refused and traffic.answered > 100, (ended, traffic.lost[:5], log.read_text()[-500:]))


def check_archive(root, archive, folder):
    place = root / "opt/landfall"
    place.mkdir(parents=True)
    subprocess.run(["tar", "-C", place, "--strip-components=1", "-xzf", archive], check=True)
    with bare.mounted(root):
        def run(*words):
            return subprocess.run([CHROOT, root, "/opt/landfall/landfall", *words], env={}, capture_output=True, text=True, timeout=60)
        check("The archive's program says what it was built from", "commit: " in run("--version").stdout)
        demo = run("demo")
        check("Where libcurl is missing, the demo says that it needs it", demo.returncode == 1 and "libcurl4" in demo.stderr, demo.stderr[-300:])


def main():
    parser = argparse.ArgumentParser("script/prove-release", description=__doc__)
    parser.add_argument("--new", type=pathlib.Path, required=True, help="the folder that script/release has filled")
    parser.add_argument("--previous", type=pathlib.Path, required=True, help="the package of an earlier build")
    parser.add_argument("--roots", type=pathlib.Path, required=True)
    given = parser.parse_args()
    ends_when_asked()
    new = max(given.new.glob("landfall_*.deb"), key=lambda file: file.stat().st_mtime)
    archive = max(given.new.glob("landfall-*-linux-*.tar.gz"), key=lambda file: file.stat().st_mtime)
    print(f"{given.previous.name} → {new.name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        check_archive(given.roots / "archive", archive, folder)
        check_image(given.roots / "image", given.previous, folder)
        with bare.Machine(given.roots / "machine", folder / "machine.log") as machine:
            check_package(machine, given.previous, new, folder)
    claims.end("The release does what docs/operating/install.md says of it.")


main()
