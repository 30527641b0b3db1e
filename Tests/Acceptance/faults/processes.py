# SPDX-License-Identifier: Apache-2.0
"""What the nodes need beside them: PostgreSQL, pgbouncer, haproxy. Each is a process of ours that ends with us, on loopback only."""
import contextlib, ctypes, os, pathlib, signal, socket, struct, subprocess, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import postgres, proxies
from ending import ends_with_us, stop, until
from postgres import owned, user

CLONE_NEWNS = 0x20000


class Process:
    """A process that listens on one port. It has `patience` seconds to end."""

    def __init__(self, command, log, port, ends_by=signal.SIGKILL, patience=15, **account):
        self.command, self.log, self.port = [str(word) for word in command], log, port
        self.ends_by, self.patience, self.account, self.process = ends_by, patience, account, None

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                preexec_fn=lambda: ends_with_us(self.ends_by), **self.account)
        until(lambda: proxies.accepts(self.port) or self.process.poll() is not None, 20, f"{self.command[0]} listens")
        if self.process.poll() is not None:
            raise RuntimeError(f"{self.command[0]} does not start:\n" + "\n".join(pathlib.Path(self.log).read_text().splitlines()[-20:]))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process:
            stop(self.process, self.patience)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()


class Postgres(postgres.Postgres):
    """With the port that the wires lead to. `size` in MiB: its data is on a disk of that size. Its log is in `folder`."""

    def __init__(self, folder, port, size=None, connections=100):
        small = {"max_wal_size": "64MB", "min_wal_size": "32MB"} if size else {}
        super().__init__(
            owned(folder) / "log", ["--wal-segsize=1"] if size else [], port, listen_addresses="127.0.0.1", max_connections=connections,
            log_min_messages="fatal", restart_after_crash="on", **small)
        self.size, self.is_mounted = size, False

    def make(self):
        self.mounts(self.size)
        super().make()

    def mounts(self, size):
        """A disk of its own. Only this program and what it starts see it, so it ends with them."""
        if not size:
            return
        if os.geteuid() != 0 or sys.platform != "linux" or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
            raise NotTried("a small disk needs the right to mount one")
        owned(self.data)
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        account = user()
        options = f"size={size}M,mode=700,uid={account['user']},gid={account['group']}"
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.data], capture_output=True).returncode:
            raise NotTried("a small disk needs the right to mount one")
        self.is_mounted = True

    def rows(self, sql):
        text = self.psql(sql, "landfall")
        return [line.split("\t") for line in text.split("\n")] if text else []

    def crash(self):
        """All of its processes at once, as if the machine's power failed but for its disk."""
        self.process.send_signal(signal.SIGSTOP)
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in children.read_text().split() if children.exists() else []:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def stop(self):
        super().stop()
        if self.is_mounted:
            subprocess.run(["umount", self.data], capture_output=True)
            self.is_mounted = False


class Taker(contextlib.AbstractContextManager):
    """Somebody else, who takes connections of the nodes' own role until the server has none left."""

    def __init__(self, port):
        self.port, self.taken, self.was_refused = port, [], False

    def take(self, seconds):
        words = b"user\0landfall\0database\0landfall\0application_name\0taker\0\0"
        start = struct.pack("!II", 8 + len(words), 196608) + words
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            connection.sendall(start)
            # An error, as the first byte of an answer.
            if connection.recv(1) == b"E":
                connection.close()
                self.was_refused = True
                time.sleep(0.02)
            else:
                self.taken.append(connection)

    def __exit__(self, *_):
        for connection in self.taken:
            connection.close()


class NotTried(Exception):
    """A fault that this machine cannot make."""


def pgbouncer(folder, port, database):
    owned(folder)
    # `any` asks for no password; then the user of the database is named here.
    (folder / "pgbouncer.ini").write_text(f"""
[databases]
landfall = host=127.0.0.1 port={database} dbname=landfall user=landfall
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
""")
    return Process(["pgbouncer", folder / "pgbouncer.ini"], folder / "log", port, **user())


def haproxy(folder, port, nodes):
    folder.mkdir(parents=True, exist_ok=True)
    return Process(proxies.haproxy(folder, port, nodes), folder / "log", port)
