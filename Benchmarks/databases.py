# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL for benchmarks: its CPU, pgbench, and the statements that it was sent."""
import contextlib, pathlib, re, subprocess, sys, time

from measuring import TICKS
from postgres import Postgres, programs

LINE = re.compile(r"^~(\S+)~ ?(?:LOG|DETAIL):  (.*?)(?=^~|\Z)", re.M | re.S)


class MeasuredPostgres(Postgres):
    """With room for a million profiles; its log has a transaction in front of each line."""

    def __init__(self, **settings):
        super().__init__(max_connections=200, shared_buffers="512MB", max_wal_size="8GB", log_line_prefix="~%v~ ", log_min_messages="log", **settings)

    def database(self, name):
        """A new database that the server accepts: its URL."""
        self.psql(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'", "postgres")
        return f"postgres:///{name}?host={self.folder}&user=postgres"

    def psql(self, text, database="landfall"):
        return super().psql(text, database)

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
        """How many times a second the script runs, with prepared statements. Its variable `c` begins with the milliseconds of the time."""
        file = self.folder / "script.sql"
        file.write_text(script)
        command = [programs() / "pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(seconds), "-f", file,
                   "-D", f"c={int(time.time() * 1000)}", "-h", self.folder, "-U", "postgres", name]
        done = subprocess.run(command, capture_output=True, text=True)
        rate = re.search(r"tps = ([\d.]+)", done.stdout)
        failed = re.search(r"number of failed transactions: (\d+)", done.stdout)
        if done.returncode or not rate or failed and int(failed[1]):
            sys.exit(f"pgbench failed, so there is no figure:\n{done.stdout[-2000:]}{done.stderr[:2000]}")
        return float(rate[1])

    @contextlib.contextmanager
    def statements(self):
        """The statements of each transaction that ran within the block, and their values: [[(text, [value])]]."""
        found, begin = [], self.log.stat().st_size
        self.psql("ALTER SYSTEM SET log_statement = 'all'"), self.psql("SELECT pg_reload_conf()")
        time.sleep(0.3)
        yield found
        self.psql("ALTER SYSTEM RESET log_statement"), self.psql("SELECT pg_reload_conf()")
        time.sleep(0.3)
        transactions = {}
        for transaction, line in LINE.findall(self.log.read_bytes()[begin:].decode()):
            if text := re.match(r"(?:execute [^:]*|statement): (.*)", line, re.S):
                transactions.setdefault(transaction, []).append((text[1].strip(), []))
            elif line.startswith("parameters: ") and transaction in transactions:
                values = re.findall(r"\$\d+ = ('(?:[^']|'')*'|NULL)", line)
                transactions[transaction][-1] = (transactions[transaction][-1][0], values)
        found += transactions.values()
