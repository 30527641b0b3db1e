# SPDX-License-Identifier: Apache-2.0
"""Where a fault happens: a new PostgreSQL, three nodes, each with a way to it that can be cut, haproxy, phones and callers."""
import contextlib, json, os, pathlib, random, signal, subprocess, sys, threading, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from callers import SERVER_KEY, Holder, Memory, Writer
from cluster import Patroni
from ending import Built, ends_with_us, until
from processes import Postgres, haproxy, pgbouncer
from server import EXAMPLE, Landfall, ask, free_ports
from wire import Wire

KEY_LINES = "  - serverFrom: LANDFALL_SERVER_KEY\n    may: [links]\n\n# The hosts"
WRITERS, HOLDERS = 4, 6


class Stage(Built):
    """`pooled`: pgbouncer is between nodes and database. `clustered`: three PostgreSQLs under Patroni, without wires.
    `size`: of the database's disk in MiB. `unharmed`: every call is to be answered, and every stream to have its end line. `outcomes`:
    those that first opens may have (see Holder.hold). `held`: the least share of them that is to be held as long as it has to be."""

    def __init__(
        self, folder, seed, phones, pooled=False, clustered=False, size=None, connections=100, unharmed=False, outcomes=None, held=0.5,
        old=None):
        super().__init__()
        self.folder, self.seed, self.phones, self.old = folder, seed, phones, old
        self.pooled, self.clustered, self.size, self.connections, self.unharmed = pooled, clustered, size, connections, unharmed
        self.outcomes, self.held = {"end"} if unharmed else outcomes, 0 if unharmed else held
        self.dice, self.memory = random.Random(seed), Memory()

    def build(self):
        self.apple, self.balancer, database, pooler, *self.ports = free_ports(7)
        self.postgres = self.enter_context(
            Patroni(self.folder / "patroni") if self.clustered
            else Postgres(self.folder / "postgres", database, self.size, self.connections))
        self.postgres.psql("CREATE ROLE landfall LOGIN")
        self.postgres.psql("CREATE DATABASE landfall OWNER landfall TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
        if self.pooled:
            self.pooler = self.enter_context(pgbouncer(self.folder / "pgbouncer", pooler, database))
        self.wires = [self.enter_context(Wire(pooler if self.pooled else database, self.dice)) for _ in self.ports]
        self.configuration = self.folder / "landfall.yaml"
        self.configuration.write_text(EXAMPLE.replace("\n# The hosts", KEY_LINES, 1))
        self.lives, self.nodes, self.names, self.seen = 0, [None] * 3, [None] * 3, set()
        self.callback(lambda: [node.stop() for node in self.nodes if node])
        for number in range(3):
            self.start(number)
        self.haproxy = self.enter_context(haproxy(self.folder / "haproxy", self.balancer, self.ports))
        until(lambda: ask(self.balancer, "/readyz").status == 200, 20, "haproxy finds a node")

    def start(self, number, binary=None, environment={}, ready=True):
        """A node, on the port that it always has."""
        self.lives, self.names[number] = self.lives + 1, None
        prepare = "&prepare=off" if self.pooled else ""
        # Libpq finds the primary among the members.
        ports = self.postgres.ports if self.clustered else [self.wires[number].port]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        url = f"postgres://landfall@{hosts}/landfall?sslmode=disable&pool=8{prepare}"
        environment = {"LANDFALL_DATABASE": url, "LANDFALL_SERVER_KEY": SERVER_KEY, **environment}
        with chosen(binary):
            node = self.nodes[number] = Landfall(
                self.folder / f"node-{number + 1}-{self.lives}", "serve", "--config", self.configuration, "--port", str(self.ports[number]),
                "--apple-ads", f"http://127.0.0.1:{self.apple}", "--trusted-proxies", "127.0.0.1", "--drain", "2",
                environment=environment, limit=ends_with_us)
        if not node.listens():
            raise node.failure(f"Node {number + 1} does not listen")
        if ready:
            until(lambda: node.ask("/readyz").status == 200, 20, f"Node {number + 1} is ready")
            until(lambda: self.named(number), 5, f"The database knows node {number + 1}")

    def named(self, number):
        """Its name among the nodes, which it draws at its start, is the one that is new."""
        new = {name for name, in self.postgres.rows("SELECT name FROM node")} - self.seen
        if new:
            self.seen |= new
            self.names[number] = new.pop()
        return self.names[number]

    def play(self, fault, seconds):
        """Phones and callers, then the fault, then `seconds` in which everything works again."""
        stopping = threading.Event()
        with Landfall(
            self.folder / "phones", "simulate", "--phones", str(self.phones), "--seed", str(self.seed), "--json", "--through",
            f"http://127.0.0.1:{self.balancer}", "--apple-port", str(self.apple), "--starts-per-second", "3", limit=ends_with_us) as phones:
            callers = [kind(self.balancer, self.memory, stopping, f"{self.seed} {kind.__name__} {number}")
                       for kind, count in ((Writer, WRITERS), (Holder, HOLDERS)) for number in range(count)]
            for caller in callers:
                caller.start()
            try:
                until(lambda: self.memory.count() > 20, 20, "Callers are answered")
                fault(self)
                acknowledged = self.memory.count()
                time.sleep(seconds)
                if self.memory.count() == acknowledged:
                    self.note(f"nothing was acknowledged in the {seconds} s after the fault")
                self.check_health()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    phones.process.wait(90)
            finally:
                stopping.set()
            end = time.monotonic() + 60
            for caller in callers:
                caller.join(max(0.1, end - time.monotonic()))
            if any(caller.is_alive() for caller in callers):
                self.note("a caller still waits for an answer a minute later")
            return self.report(phones)

    def check_health(self):
        """After the fault each node has its database again, and hears what another one is told."""
        for number, node in enumerate(self.nodes):
            answer = node.ask("/readyz")
            if answer.status != 200 or answer.json().get("store") != "ok":
                self.note(f"node {number + 1} has not recovered: {answer} {answer.text}")
        holder = Holder(self.balancer, self.memory, threading.Event(), f"{self.seed} health")
        for number in range(3):
            # An open that the database keeps waiting on a busy machine is answered and not held.
            for _ in range(4):
                took, outcome, ending = holder.wakes(self.ports[number], self.ports[number - 1])
                if "notHeld" not in ending:
                    break
            if outcome != "end" or not 0.5 <= took < 2.5:
                self.note(f"a report at another node ended a stream of node {number + 1} after {took:.1f} s ({ending})")

    def note(self, sentence):
        self.memory.cause("course", sentence)

    def report(self, phones):
        lost, doubled = self.memory.compare(self.postgres)
        if self.unharmed and set(self.memory.statuses) - {200}:
            self.note(f"not every call was answered with 200: {dict(self.memory.statuses)}")
        opens = self.memory.opens
        if wrong := set(opens) - self.outcomes if self.outcomes else set():
            self.note(f"first opens ended otherwise than with {' or '.join(sorted(self.outcomes))}: {dict(opens)}")
            self.memory.causes["open"] = [sentence for outcome in wrong for sentence in self.memory.endings[outcome]]
        if self.memory.share_held() < self.held:
            self.note(f"only {self.memory.share_held():.0%} of the first opens were held as long as they had to be: {dict(opens)}")
        causes = self.memory.samples(lost, doubled)
        try:
            report = json.loads(phones.output.read_text())
            count, late, without = report["phones"], report["landfall"]["late"], report["landfall"]["withoutPaywall"]
        except (ValueError, KeyError):
            count, late, without = 0, 0, 0
            causes.append(str(phones.failure("The phones have no report")))
        if late:
            causes += [line for line in phones.log.read_text().splitlines() if "was late" in line][:5]
        if without:
            causes.append(f"{without} phone(s) showed no paywall")
        return {
            "acknowledged": self.memory.count(), "lost": len(lost), "doubled": len(doubled), "phones": count, "late": late,
            "causes": causes}

    def victim(self, leases=None):
        """A node, drawn: one that holds streams now, or has one of these leases."""
        def found():
            if leases:
                names = {name for name, in self.postgres.rows(leases)}
                return [number for number, name in enumerate(self.names) if name in names]
            return [number for number, node in enumerate(self.nodes) if holds_streams(node)]
        until(found, 20, "A node has work")
        return self.dice.choice(found())

    def signal(self, number, which):
        os.kill(self.nodes[number].process.pid, which)

    def kill(self, number):
        self.signal(number, signal.SIGKILL)
        self.nodes[number].process.wait()


def holds_streams(node):
    for line in node.ask("/metrics").text.splitlines():
        if line.startswith("landfall_held{") and "stream" in line and float(line.split()[-1]) > 0:
            return True
    return False


@contextlib.contextmanager
def chosen(binary):
    """Commands that start inside are of this binary."""
    before = os.environ.get("LANDFALL_BINARY")
    if binary:
        os.environ["LANDFALL_BINARY"] = str(binary)
    yield
    if binary:
        os.environ.pop("LANDFALL_BINARY") if before is None else os.environ.update(LANDFALL_BINARY=before)
