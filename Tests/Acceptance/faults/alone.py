# SPDX-License-Identifier: Apache-2.0
"""Where a fault of one server happens: its store in a folder of its own, on a disk that may fail; phones and callers."""
import ctypes, os, pathlib, signal, sqlite3, subprocess, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from callers import SERVER_KEY
from disk import Disk, library
from ending import ends_with_us, until
from play import KEY_LINES, Play, chosen
from processes import CLONE_NEWNS, NotTried
from server import EXAMPLE, Landfall, built, free_ports
from wire import PlainWire


class SQLiteStore:
    """Reads a store's file, also while the server has it."""

    def __init__(self, path):
        self.path = path

    def rows(self, sql, mode="rw"):
        connection = sqlite3.connect(f"file:{self.path}?mode={mode}", uri=True, timeout=20)
        try:
            # A flipped bit may make other bytes than text.
            connection.text_factory = lambda data: data.decode(errors="replace")
            connection.create_function("split_part", 3, lambda text, by, part: text.split(by)[part - 1])
            return [[str(value) for value in row] for row in connection.execute(sql)]
        finally:
            connection.close()

    def damages(self):
        return [line for line, in self.rows("PRAGMA integrity_check") if line != "ok"]


class Alone(Play):
    """`size`: of the disk in MiB. `failing`: the disk is ours, see disk.c; `record`: it can lose its power too. `way`: between the server
    and Apple is a wire. `clock`: the server's calendar can be set. `options`: more of the server's. `at`: its port. `front`:
    callers and phones reach it by a wire. `made`: its folder is there, durably, before it starts."""

    def __init__(self, folder, seed, phones, size=None, failing=False, record=False, way=False, clock=False, options=(), at=None, front=False, made=False, **more):
        super().__init__(folder, seed, phones, **more)
        self.size, self.has_way, self.options, self.at, self.lives = size, way, list(options), at, 0
        self.is_failing, self.is_recorded, self.has_clock, self.has_front = failing, record, clock, front
        self.made = made

    def build(self):
        self.apple, self.port = free_ports(2)
        self.port = self.behind = self.at or self.port
        if self.has_front:
            self.front = self.enter_context(PlainWire(self.behind, self.dice))
            self.port = self.front.port
        self.root = self.folder / "disk"
        self.root.mkdir(parents=True)
        if self.size:
            mounts(self.root, self.size)
            self.callback(lambda: subprocess.run(["umount", "-l", self.root], capture_output=True))
        self.data = self.root / "data"
        if self.made:
            self.data.mkdir(mode=0o700)
            self.made = self.data.stat().st_ino
        self.store = SQLiteStore(self.data / "landfall.sqlite")
        self.environment = {"LANDFALL_SERVER_KEY": SERVER_KEY}
        self.disk = Disk(self.folder, self.root, self.is_recorded) if self.is_failing or self.is_recorded else None
        if self.disk:
            self.environment |= self.disk.environment
            self.memory.place = self.disk.place
        if self.has_clock:
            self.clock = self.folder / "clock"
            self.clock.write_bytes(bytes(8))
            self.environment |= {"LD_PRELOAD": library(self.folder, "clock.c"), "CLOCK_FILE": str(self.clock)}
        self.way = self.enter_context(PlainWire(self.longer_apple(), self.dice)) if self.has_way else None
        self.configuration = self.folder / "landfall.yaml"
        self.configuration.write_text(EXAMPLE.replace("\n# The hosts", KEY_LINES, 1))
        self.server = None
        self.callback(lambda: self.server and self.server.stop())
        self.start()

    def longer_apple(self):
        """The port of a simulated Apple that outlives the one of the phones, which ends with them."""
        apple = self.enter_context(Landfall(self.folder / "apple", "apple-ads-simulator", "--port", "0", limit=ends_with_us))
        if not apple.listens():
            raise apple.failure("The simulated Apple does not listen")
        return apple.port

    def set_clock(self, seconds):
        with open(self.clock, "r+b") as file:
            file.write(seconds.to_bytes(8, "little", signed=True))

    def start(self, data=None, binary=None, ready=True, environment=None):
        self.lives += 1
        with chosen(binary):
            self.server = Landfall(
                self.folder / f"server-{self.lives}", "serve", "--config", self.configuration, "--data", data or self.data, "--port",
                str(self.behind), "--apple-ads", f"http://127.0.0.1:{self.way.port if self.way else self.apple}", "--trusted-proxies",
                "127.0.0.1", "--drain", "0", *self.options, environment=self.environment if environment is None else environment,
                limit=ends_with_us)
        if not self.server.listens(seconds=20):
            raise self.server.failure("The server does not listen")
        if ready:
            until(self.is_ready, 20, "The server is ready")

    def is_ready(self):
        try:
            return self.server.ask("/readyz", seconds=5).status == 200
        except OSError:
            return False

    def kill(self):
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()

    def stop(self):
        if not self.server.stop():
            self.note("the server did not stop by itself")

    def check_health(self):
        if not self.is_ready():
            answer = self.server.ask("/readyz")
            self.note(f"the server has not recovered: {answer} {answer.text}")
        if damages := self.store.damages():
            self.note(f"the store is damaged: {damages[0]}")


def mounts(folder, size):
    """A disk of that many MiB. Only this program and what it starts see it, so it ends with them."""
    if os.geteuid() != 0 or sys.platform != "linux" or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        raise NotTried("a small disk needs the right to mount one")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}M,mode=700", "tmpfs", folder], capture_output=True).returncode:
        raise NotTried("a small disk needs the right to mount one")


def command(*words, environment={}, both=True):
    """A command of the built server that ends: its status, and all that it says, or its standard output alone."""
    done = subprocess.run(
        [built(), *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120,
        env=os.environ | {"LANDFALL_SERVER_KEY": SERVER_KEY} | environment)
    return done.returncode, done.stdout + (done.stderr if both else "")
