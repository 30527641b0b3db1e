# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL of a program's own: in a new folder, durable as the server demands it; it ends with its block."""
import contextlib, os, pathlib, pwd, shutil, signal, subprocess, sys, tempfile, time

from ending import ends_with_us, stop


def user():
    """PostgreSQL and pgbouncer refuse to run as root; then they run as the user that PostgreSQL's package made."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def programs():
    """The folder of PostgreSQL's programs: Debian has them in no folder of PATH."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if found:
        return found[-1]
    return pathlib.Path(shutil.which("initdb") or sys.exit("PostgreSQL is not installed (Debian: apt-get install postgresql).")).parent


def owned(folder):
    """A folder of that user."""
    folder.mkdir(parents=True, exist_ok=True)
    if account := user():
        os.chown(folder, account["user"], account["group"])
    return folder


def psql(host, port, text, database, check=True):
    """What psql answers, as PostgreSQL's superuser: a line for each row, with tabs."""
    done = subprocess.run(
        [programs() / "psql", "-XqAt", "-F", "\t", "-h", host, "-p", str(port), "-U", "postgres", "-d", database, "-v", "ON_ERROR_STOP=1",
         "-c", text], capture_output=True, text=True, cwd="/")
    if check and done.returncode:
        raise RuntimeError(f"psql: {done.stderr.strip()}")
    return done.stdout.strip()


def kill_postmaster(data):
    """By the pid file in that folder, if it is still that server's. Whether it ran."""
    with contextlib.suppress(OSError, ValueError):
        pid = int((data / "postmaster.pid").read_text().split()[0])
        # Linux tells whether the number is another process's meanwhile.
        if sys.platform != "linux" or os.path.samefile(f"/proc/{pid}/cwd", data):
            os.kill(pid, signal.SIGKILL)
            return True
    return False


class Postgres:
    """Without other settings it listens only at the socket in its folder."""

    def __init__(self, log=None, initdb=(), port=5432, **settings):
        # The path of a socket has at most 107 characters.
        self.folder = owned(pathlib.Path(tempfile.mkdtemp(prefix="landfall-pg-", dir="/tmp")))
        self.data, self.log, self.port, self.initdb, self.process = self.folder / "data", log or self.folder / "log", port, initdb, None
        # Of its processes.
        self.environment = {}
        self.settings = {"listen_addresses": "", "unix_socket_directories": self.folder, "port": port, **settings}

    def make(self):
        self.runs("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", *self.initdb).wait()

    def runs(self, program, *arguments):
        with open(self.log, "ab") as log:
            return subprocess.Popen(
                [programs() / program, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=os.environ | self.environment,
                preexec_fn=ends_with_us, **user())

    def start(self):
        self.process = self.runs("postgres", "-D", self.data, *(f"--{name}={value}" for name, value in self.settings.items()))
        end = time.monotonic() + 30
        while subprocess.run([programs() / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port), "-U", "postgres"]).returncode:
            if self.process.poll() is not None or time.monotonic() > end:
                last = pathlib.Path(self.log).read_text(errors="replace").splitlines()[-20:]
                raise RuntimeError("\n    ".join(["PostgreSQL does not start. Its last lines:", *last]))
            time.sleep(0.05)

    def stop(self):
        """Fast: connections are ended, then it stops."""
        if self.process:
            stop(self.process, how=signal.SIGINT)

    def psql(self, text, database="postgres", **more):
        return psql(self.folder, self.port, text, database, **more)

    def __enter__(self):
        try:
            self.make()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Standby(Postgres):
    """Follows another one."""

    def __init__(self, primary):
        super().__init__()
        self.primary = primary

    def make(self):
        self.runs("pg_basebackup", "-D", self.data, "-h", self.primary.folder, "-U", "postgres", "-R", "-c", "fast", "--no-sync").wait()
