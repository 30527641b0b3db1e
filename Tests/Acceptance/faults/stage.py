# SPDX-License-Identifier: Apache-2.0
"""Where a fault happens: a new PostgreSQL, three nodes, each with a way to it that can be cut, haproxy, phones and callers."""
import os, pathlib, signal, sys, threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from callers import SERVER_KEY, Holder
from cluster import Patroni
from ending import ends_with_us, until
from play import KEY_LINES, Play, chosen
from processes import Postgres, haproxy, pgbouncer
from server import EXAMPLE, Landfall, ask, free_ports
from wire import PlainWire, Wire


class Stage(Play):
    """`pooled`: pgbouncer is between nodes and database. `clustered`: three PostgreSQLs under Patroni, without wires. `apart`: the way
    between the balancer and each node can be cut too. `size`: of the database's disk in MiB."""

    def __init__(self, folder, seed, phones, pooled=False, clustered=False, apart=False, size=None, connections=100, **more):
        super().__init__(folder, seed, phones, **more)
        self.pooled, self.clustered, self.apart, self.size, self.connections = pooled, clustered, apart, size, connections

    def build(self):
        self.apple, self.port, database, pooler, *self.ports = free_ports(7)
        self.postgres = self.store = self.enter_context(
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
        self.haproxy = self.enter_context(haproxy(self.folder / "haproxy", self.port, self.balanced()))
        until(lambda: ask(self.port, "/readyz").status == 200, 20, "haproxy finds a node")

    def balanced(self):
        """Where the balancer finds the nodes."""
        self.ways = [self.enter_context(PlainWire(port, self.dice)) for port in self.ports] if self.apart else []
        return [way.port for way in self.ways] or self.ports

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

    def check_health(self):
        """After the fault each node has its database again, and hears what another one is told."""
        for number, node in enumerate(self.nodes):
            answer = node.ask("/readyz")
            if answer.status != 200 or answer.json().get("store") != "ok":
                self.note(f"node {number + 1} has not recovered: {answer} {answer.text}")
        holder = Holder(self.port, self.memory, threading.Event(), f"{self.seed} health")
        for number in range(3):
            # An open that the database keeps waiting on a busy machine is answered and not held.
            for _ in range(4):
                took, outcome, ending = holder.wakes(self.ports[number], self.ports[number - 1])
                if "notHeld" not in ending:
                    break
            if outcome != "end" or not 0.5 <= took < 2.5:
                self.note(f"a report at another node ended a stream of node {number + 1} after {took:.1f} s ({ending})")

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
