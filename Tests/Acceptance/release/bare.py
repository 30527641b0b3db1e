# SPDX-License-Identifier: Apache-2.0
"""A Debian with its service manager and nothing else, in a folder: what a release has to run on."""
import contextlib, pathlib, shutil, subprocess

from ending import stop, until

# What the package depends on, and the service manager. No Swift, no SQLite, no curl, no libpq.
PACKAGES = "systemd systemd-sysv dbus adduser ca-certificates tzdata"


def make(root, archive):
    """Lays the system into `root`. Made once, and kept as `archive`."""
    if not archive.exists():
        made = archive.with_suffix(".making")
        shutil.rmtree(made, ignore_errors=True)
        suite = subprocess.run(["sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME"], check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES.replace(' ', ',')}", suite, made, *mirror()], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["tar", "-C", made, "-cf", archive, "."], check=True)
        shutil.rmtree(made)
    root.mkdir(parents=True)
    subprocess.run(["tar", "-C", root, "-xf", archive], check=True)


def mirror():
    """Where this machine's own packages come from; nothing says debootstrap's usual place."""
    sources = [pathlib.Path("/etc/apt/sources.list"), *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))]
    for file in sources:
        for line in file.read_text().splitlines() if file.is_file() else []:
            words = line.split()
            if words[:1] in (["deb"], ["URIs:"]):
                place = next((word for word in words if word.startswith(("http", "file:"))), None)
                if place:
                    return [place]
    return []


class Machine(contextlib.AbstractContextManager):
    """The system of a folder, booted: its service manager is process 1 of its own processes. Its network is this program's."""

    def __init__(self, root, log):
        self.root = root
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--directory", root, "--boot", "--register=no", "--keep-unit", "--console=pipe", "--", "--show-status=no"],
            stdin=subprocess.DEVNULL, stdout=open(log, "w"), stderr=subprocess.STDOUT)
        try:
            until(lambda: self.first is not None, 20, "The machine has no first process")
            until(lambda: self.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"), 60, "The machine does not boot")
        except BaseException:
            self.__exit__()
            raise

    @property
    def first(self):
        """Its process 1, as this system numbers it."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = children.read_text().split() if children.exists() else []
        for child in found:
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                    return child
        return None

    def run(self, *command, seconds=120, **more):
        """A command of the machine, as its root."""
        return subprocess.run(
            ["nsenter", "--target", self.first, "--mount", "--uts", "--ipc", "--pid", "--", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
             "DEBIAN_FRONTEND=noninteractive", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, **more)

    def must(self, *command, **more):
        done = self.run(*command, **more)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout.strip()

    def state(self, unit="landfall"):
        return self.run("systemctl", "is-active", unit).stdout.strip()

    def __exit__(self, *_):
        if self.process.poll() is None and self.first:
            self.run("systemctl", "poweroff")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        stop(self.process, 10)


@contextlib.contextmanager
def mounted(root):
    """A folder as the root of one program: with /proc and the devices."""
    with contextlib.ExitStack() as mounts:
        for kind, place in (("proc", root / "proc"), ("devtmpfs", root / "dev")):
            place.mkdir(exist_ok=True)
            subprocess.run(["mount", "-t", kind, kind, place], check=True)
            mounts.callback(subprocess.run, ["umount", "--lazy", place], check=True)
        yield
