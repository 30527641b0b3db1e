# SPDX-License-Identifier: Apache-2.0
"""A server on an engine of its own, and what it uses of the machine."""
import contextlib, http.client, os, pathlib, platform, re, sqlite3, sys, urllib.parse

sys.path += [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[3] / "Benchmarks")]
from databases import MeasuredPostgres
from ending import Built, ends_with_us, until
from measuring import TICKS, cpu_seconds
from server import EXAMPLE, Landfall, ask

SERVER_KEY = "sk_" + "k" * 43
KEYS = "keys:\n  - { serverFrom: LANDFALL_SERVER_KEY, may: [reports] }\n"
PASSWORD = "six grey herons at noon"
# MiB of installs in memory: full within the first minutes, so that what grows after them is something else.
INSTALL_MEMORY = 32
# What the server keeps of each acknowledged fact.
TABLES = ["install", "event", "click", "app_store_notification"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def machine(cores=None):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    shared = f"server and database have {len(cores)} of them, the callers the others" if cores else "server, database and callers share them"
    return f"{os.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()} {platform.machine()}; {shared}"


def busy_seconds():
    """CPU seconds that all processes of the machine have used. What is left over from ours says whether the machine was quiet."""
    user, nice, system, _, _, irq, softirq, steal = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


class Stage(Built):
    """`landfall serve` with an empty store, behind a proxy's address, and a member of the team who is signed in."""

    def __init__(self, folder, engine, apple, options=(), cores=None):
        super().__init__()
        self.folder, self.engine, self.apple, self.options, self.cores = folder, engine, apple, options, cores
        self.postgres = self.server = None

    def build(self):
        environment = {"LANDFALL_SERVER_KEY": SERVER_KEY, "LANDFALL_LOG_LEVEL": "notice"}
        if self.engine == "postgres":
            self.postgres = self.enter_context(MeasuredPostgres(idle_in_transaction_session_timeout="60s"))
            if self.cores:
                os.sched_setaffinity(self.postgres.process.pid, self.cores)
            environment["LANDFALL_DATABASE"] = self.url = self.postgres.database("landfall")
        else:
            environment["LANDFALL_DATA"] = str(self.folder / "data")
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "landfall.yaml").write_text(EXAMPLE.replace("keys:\n", KEYS, 1))
        self.server = self.enter_context(Landfall(
            self.folder / "server", "serve", "--config", self.folder / "landfall.yaml", "--port", "0", "--drain", "0",
            "--apple-ads", f"http://127.0.0.1:{self.apple}", "--trusted-proxies", "127.0.0.1", "--install-memory", str(INSTALL_MEMORY),
            *self.options, environment=environment, limit=self.begins))
        if not self.server.listens():
            raise self.server.failure("The server does not listen")
        until(lambda: ask(self.server.port, "/readyz").status == 200, 20, "The server is ready")
        self.cookie = self.sign_in()

    def begins(self):
        ends_with_us()
        if self.cores:
            os.sched_setaffinity(0, self.cores)

    def sign_in(self):
        link = self.server.wait_for(r"^console: (\S+)", self.server.log, seconds=10)
        if not link:
            raise self.server.failure("There is no link for the first owner")
        token = urllib.parse.parse_qs(urllib.parse.urlparse(link[1]).query)["token"][0]
        form = urllib.parse.urlencode({"token": token, "name": "Load", "email": "load@example.com", "password": PASSWORD})
        answer = ask(self.server.port, "/console/setup", form, {
            "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
        cookie = re.match(r"__Host-landfall=[^;]+", answer.fields.get("Set-Cookie") or "")
        if not cookie:
            raise RuntimeError(f"The owner could not be made: {answer}")
        return cookie[0]

    # MARK: What it uses

    def memory(self):
        """Resident bytes, and those of them that are no pages of files."""
        text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return tuple(int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) * 1024 for name in ("VmRSS", "RssAnon"))

    def cpu(self):
        """CPU seconds of the server, and of the database if it is another process."""
        return cpu_seconds(self.server.process.pid), self.postgres.cpu() if self.postgres else 0

    def metrics(self):
        """The server's own figures, by the name with its labels."""
        text = ask(self.server.port, "/metrics").text
        return {name: float(value) for name, value in re.findall(r"^(landfall_\S+) (\S+)$", text, re.MULTILINE)}

    def complaints(self):
        """Counters of the server that a run without trouble leaves at zero."""
        names = ("landfall_refused_total", "landfall_limit_hit_total", "landfall_first_opens_unstored_total", "landfall_link_clicks_lost_total",
                 "landfall_link_clicks_not_stored_total", "landfall_store_ended_groups_total", "landfall_apple_ads_store_failures_total",
                 "landfall_job_store_failures_total")
        return {name: value for name, value in self.metrics().items() if name.startswith(names) and value}

    def warnings(self):
        """Lines of its log that somebody would have to look at."""
        return [line[:300] for line in self.server.log.read_text(errors="replace").splitlines() if re.search(r" (warning|error|critical) ", line)]

    def stored(self):
        """How many rows each table has, counted by the engine's own program."""
        if self.postgres:
            return {table: int(self.postgres.psql(f"SELECT count(*) FROM {table}")) for table in TABLES}
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / 'data/landfall.sqlite'}?mode=ro", uri=True)) as store:
            return {table: store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}
