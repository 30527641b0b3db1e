# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL for benchmarks: in a folder of its own, durable, without a port; it ends with its block."""
import contextlib, os, pathlib, pwd, re, shutil, subprocess, sys, tempfile, time

TICKS = os.sysconf("SC_CLK_TCK")
LINE = re.compile(r"^~(\S+)~ ?(?:LOG|DETAIL):  (.*?)(?=^~|\Z)", re.M | re.S)


class Postgres:
    def __init__(self, folder, programs, user, process):
        self.folder, self.programs, self.user, self.process = folder, programs, user, process

    def database(self, name):
        """A new database that the server accepts: its URL."""
        self.psql(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'", "postgres")
        return f"postgres:///{name}?host={self.folder}&user=postgres"

    def psql(self, text, name="landfall"):
        command = [self.programs / "psql", "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "postgres", "-d", name, "-c", text]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def cpu(self):
        """CPU seconds of the server with all its connections so far."""
        ticks = 0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rsplit(")", 1)[1].split()
                if int(fields[1]) == self.process.pid:
                    ticks += int(fields[11]) + int(fields[12])
                elif int(stat.parent.name) == self.process.pid:
                    # Also of connections that have ended.
                    ticks += sum(int(field) for field in fields[11:15])
        return ticks / TICKS

    def pgbench(self, script, seconds, clients=64, name="landfall"):
        """How many times a second the script runs, with prepared statements."""
        file = self.folder / "script.sql"
        file.write_text(script)
        command = [self.programs / "pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(seconds), "-f", file,
                   "-h", self.folder, "-U", "postgres", name]
        done = subprocess.run(command, capture_output=True, text=True)
        rate = re.search(r"tps = ([\d.]+)", done.stdout)
        failed = re.search(r"number of failed transactions: (\d+)", done.stdout)
        if done.returncode or not rate or failed and int(failed[1]):
            sys.exit(f"pgbench failed, so there is no figure:\n{done.stdout[-2000:]}{done.stderr[:2000]}")
        return float(rate[1])

    @contextlib.contextmanager
    def statements(self):
        """The statements of each transaction that ran within the block, and their values: [[(text, [value])]]."""
        log, found = self.folder / "log", []
        begin = log.stat().st_size
        self.psql("ALTER SYSTEM SET log_statement = 'all'"), self.psql("SELECT pg_reload_conf()")
        time.sleep(0.3)
        yield found
        self.psql("ALTER SYSTEM RESET log_statement"), self.psql("SELECT pg_reload_conf()")
        time.sleep(0.3)
        transactions = {}
        for transaction, line in LINE.findall(log.read_bytes()[begin:].decode()):
            if text := re.match(r"(?:execute [^:]*|statement): (.*)", line, re.S):
                transactions.setdefault(transaction, []).append((text[1].strip(), []))
            elif line.startswith("parameters: ") and transaction in transactions:
                values = re.findall(r"\$\d+ = ('(?:[^']|'')*'|NULL)", line)
                transactions[transaction][-1] = (transactions[transaction][-1][0], values)
        found += transactions.values()


@contextlib.contextmanager
def postgres(*settings):
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    if not programs or not (programs[-1] / "pgbench").exists():
        sys.exit("PostgreSQL with pgbench is missing. Install postgresql.")
    # It refuses to run as root; then it runs as the user that its package made. A socket's path has at most 107 characters.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="landfall-pg-", dir="/tmp"))
    user = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam("postgres")
        user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
    log = (folder / "log").open("wb")
    subprocess.run([programs[-1] / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8"], cwd="/", stdout=log, stderr=log,
                   check=True, **user)
    options = {"listen_addresses": "", "unix_socket_directories": folder, "max_connections": 200, "shared_buffers": "512MB",
               "max_wal_size": "8GB", "log_line_prefix": "~%v~ ", "log_min_messages": "log", **dict(setting.split("=", 1) for setting in settings)}
    arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    process = subprocess.Popen([programs[-1] / "postgres", "-D", folder / "data", *arguments], cwd="/", stdout=log, stderr=log, **user)
    try:
        for _ in range(300):
            if subprocess.run([programs[-1] / "pg_isready", "-q", "-h", folder]).returncode == 0:
                break
            time.sleep(0.1)
        yield Postgres(folder, programs[-1], user, process)
    finally:
        process.send_signal(2)
        process.wait(60)
        shutil.rmtree(folder)
