# SPDX-License-Identifier: Apache-2.0
"""A store whose server starts and stops, whose rows can be counted, and on which commands work."""
import contextlib, json, math, os, sqlite3, subprocess, time

from stage import KEYS, SERVER_KEY, say
from changing import changing
from databases import MeasuredPostgres
from ending import Built, ends_with_us, until
from server import EXAMPLE, NO_APPLE, Landfall, ask, built, phone

DAY = 86_400_000


class Checked:
    """What was looked at, in the form of `landfall doctor --json`."""

    def __init__(self):
        self.found, self.seconds = [], {}

    def took(self, name, seconds, most=math.inf):
        """Also keeps the seconds, for who compares runs."""
        self.seconds[name] = round(seconds, 2)
        return self.check(name, seconds <= most, f"{seconds:.1f} s")

    def check(self, name, ok, message):
        self.found.append({"check": name, "ok": bool(ok), "message": message})
        say(f"  {'✔' if ok else '✘'} {name}: {message}")
        return ok

    def equal(self, name, found, expected):
        return self.check(name, found == expected, f"{found:,}" if found == expected else f"{found} instead of {expected}")

    def document(self, **more):
        return {**more, "seconds": self.seconds, "checks": self.found, "holds": all(each["ok"] for each in self.found)}


class Store(Built):
    """On `engine`, in a folder or in a PostgreSQL of its own. `changes` are replaced in the configuration."""

    def __init__(self, folder, engine):
        super().__init__()
        self.folder, self.engine, self.server, self.starts = folder, engine, None, 0
        self.data, self.configuration = folder / "data", folder / "landfall.yaml"

    def build(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.configure()
        self.environment = {"LANDFALL_SERVER_KEY": SERVER_KEY, "LANDFALL_LOG_LEVEL": "notice"}
        if self.engine == "postgres":
            self.postgres = self.enter_context(MeasuredPostgres(idle_in_transaction_session_timeout="60s"))
            self.use(self.postgres.database("landfall"))
        else:
            self.place = ["--data", self.data]
        self.callback(self.stop)

    def configure(self, more=""):
        self.configuration.write_text(EXAMPLE.replace("keys:\n", KEYS, 1) + more)

    def use(self, url):
        """The database that the next start and commands work on."""
        self.url, self.place = url, []
        self.environment["LANDFALL_DATABASE"] = url

    def start(self, seconds=120):
        """Seconds until it is ready."""
        begun = time.monotonic()
        self.starts += 1
        self.server = Landfall(
            self.folder / f"server-{self.starts}", "serve", "--config", self.configuration, "--port", "0", "--drain", "0", *NO_APPLE, *self.place,
            environment=self.environment, limit=ends_with_us)
        if not self.server.listens(seconds=seconds):
            raise self.server.failure("The server does not listen")
        until(lambda: ask(self.server.port, "/readyz").status == 200, seconds, "The server is ready")
        return time.monotonic() - begun

    def stop(self):
        server, self.server = self.server, None
        return not server or server.stop(60)

    def ask(self, path, body=None, number=None, seconds=120):
        """A call of the install with that number; of the backend without one."""
        fields = {"Authorization": f"Bearer {SERVER_KEY}"} if number is None else phone(install(number))
        return ask(self.server.port, path, body, fields, host="api.example.com", seconds=seconds)

    def report(self, name, query):
        answer = self.ask(f"/v1/reports/{name}?{query}")
        if answer.status != 200:
            raise RuntimeError(f"The report {name}?{query} is answered {answer}: {answer.text[:300]}")
        return answer.json()

    def counted(self, until_ms, clicks=False, seconds=500):
        """Seconds until all days are counted, and reports contain everything before that instant. Until then they read rows. The server
        begins a minute after its start."""
        begun, today = time.monotonic(), until_ms // DAY
        until(lambda: self.rows("SELECT count(*) FROM report_state WHERE generation IS NOT NULL AND building IS NULL")
              and (not clicks or self.rows(f"SELECT count(*) FROM click_closed WHERE next_day >= {today - 1}")), seconds, "The days are counted")
        until(lambda: all(self.report(name, "by=")["completeToMilliseconds"] >= until_ms for name in ("campaigns", "paywalls")), seconds,
              "Reports are complete")
        return time.monotonic() - begun

    def metric(self, name):
        text = ask(self.server.port, "/metrics").text
        return next((float(line.split()[1]) for line in text.splitlines() if line.split(" ")[0] == name), None)

    def command(self, *arguments, place=None, within=600):
        """What a command prints with --json; its own words if it fails."""
        done = subprocess.run([built(), *arguments, "--json", *(self.place if place is None else place)], capture_output=True, text=True,
                              env=os.environ | self.environment, timeout=within)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"landfall {' '.join(map(str, arguments))} ended with {done.returncode}: {(done.stderr or done.stdout)[-500:]}") from None

    def rows(self, text):
        """What the engine itself says: the first column of the first row."""
        if self.engine == "postgres":
            return int(self.postgres.psql(text, self.url.split("/")[3].split("?")[0]) or 0)
        with contextlib.closing(sqlite3.connect(f"file:{self.data / 'landfall.sqlite'}?mode=ro", uri=True)) as store:
            return store.execute(text).fetchone()[0]

    def change(self, text):
        """Only while no server runs."""
        if self.engine == "postgres":
            self.postgres.psql(text, self.url.split("/")[3].split("?")[0])
            return
        with changing(self.data / "landfall.sqlite") as store:
            store.execute(text)

    def move_log(self):
        """Into the store's file, by a command that opens the store and closes it."""
        if self.engine == "sqlite":
            self.command("doctor", "--local")

    def bytes(self):
        if self.engine == "postgres":
            return self.rows("SELECT pg_database_size(current_database())")
        return (self.data / "landfall.sqlite").stat().st_size


def install(number):
    return f"0198f0c2-7b1a-7c3d-8e4f-{number:012x}"


def day(ms):
    return time.strftime("%Y-%m-%d", time.gmtime(ms / 1000))
