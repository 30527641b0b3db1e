# SPDX-License-Identifier: Apache-2.0
"""Three PostgreSQLs under Patroni, with synchronous_mode on, and an etcd."""
import contextlib, json, pathlib, shutil, signal, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from ending import Built, until
from postgres import kill_postmaster, owned, programs, psql, user
from processes import NotTried, Process
from server import ask, free_ports

# The shortest that Patroni takes.
TTL = 20


class Patroni(Built):
    def __init__(self, folder):
        super().__init__()
        self.folder = owned(folder)
        if not (shutil.which("patroni") and shutil.which("etcd")):
            raise NotTried("patroni or etcd is not installed (Debian: apt-get install patroni etcd-server)")

    def build(self):
        client, peer, *ports = free_ports(8)
        self.ports, self.rests = ports[:3], ports[3:]
        url, other = (f"http://127.0.0.1:{port}" for port in (client, peer))
        self.enter_context(Process(
            ["etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls",
             other, "--initial-advertise-peer-urls", other, "--initial-cluster", f"default={other}", "--unsafe-no-fsync"],
            self.folder / "etcd.log", client, **user()))
        self.members = []
        self.callback(lambda: [self.end(number) for number in reversed(range(len(self.members)))])
        for number in range(3):
            self.members.append(self.member(number, client))
            self.members[number].start()
            until(self.leader, 40, "Patroni has a leader")
        until(self.is_whole, 40, "The standbys follow, one of them synchronously")

    def member(self, number, etcd):
        folder = owned(self.folder / f"member-{number}")
        access = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
        settings = {
            "scope": "landfall", "name": f"member-{number}", "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "restapi": {"listen": f"127.0.0.1:{self.rests[number]}", "connect_address": f"127.0.0.1:{self.rests[number]}"},
            "bootstrap": {
                "dcs": {"ttl": TTL, "loop_wait": 2, "retry_timeout": 4, "synchronous_mode": True,
                        "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 100}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.ports[number]}", "connect_address": f"127.0.0.1:{self.ports[number]}",
                "data_dir": str(folder / "data"), "bin_dir": str(programs()), "pg_hba": access, "pgpass": str(folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres"}, "replication": {"username": "replicator", "password": "replicator"}},
                "parameters": {"unix_socket_directories": str(folder), "log_min_messages": "fatal"}}}
        # YAML reads JSON.
        (folder / "patroni.yaml").write_text(json.dumps(settings))
        # Asked to stop, it stops its PostgreSQL too.
        return Process(
            ["patroni", folder / "patroni.yaml"], folder / "log", self.rests[number], ends_by=signal.SIGTERM, patience=60, **user())

    def end(self, number):
        """A Patroni that was killed, or that ends by itself, leaves its PostgreSQL running."""
        self.members[number].stop()
        kill_postmaster(self.folder / f"member-{number}" / "data")

    def states(self):
        """Each member's role and state, by name."""
        for member, rest in zip(self.members, self.rests):
            with contextlib.suppress(OSError, ValueError):
                if member.process.poll() is None:
                    return {each["name"]: (each["role"], each["state"]) for each in ask(rest, "/cluster", seconds=3).json()["members"]}
        return {}

    def leader(self):
        """The name of the one that takes writes."""
        name = next((name for name, (role, state) in self.states().items() if role == "leader" and state == "running"), None)
        with contextlib.suppress(OSError):
            return name if name and ask(self.rests[int(name[-1])], "/primary", seconds=3).status == 200 else None

    def is_whole(self):
        roles = sorted(role for role, state in self.states().values() if state in ("running", "streaming"))
        return roles == ["leader", "replica", "sync_standby"]

    def switch(self):
        before = self.leader()
        answer = ask(self.rests[int(before[-1])], "/switchover", {"leader": before}, seconds=60)
        if answer.status != 200:
            raise RuntimeError(f"Patroni does not switch: {answer} {answer.text}")
        until(lambda: self.leader() not in (None, before), 40, "Another member leads")

    def kill_leader(self):
        """kill -9 of the leader's Patroni and PostgreSQL; the member comes back when another one leads."""
        before = self.leader()
        number = int(before[-1])
        self.members[number].kill()
        if not kill_postmaster(self.folder / before / "data"):
            raise RuntimeError("The leader's PostgreSQL does not run.")
        until(lambda: self.leader() not in (None, before), 2 * TTL, "Another member leads")
        self.members[number].start()

    def psql(self, text, database="postgres"):
        until(self.leader, 30, "Patroni has a leader")
        return psql("127.0.0.1", self.ports[int(self.leader()[-1])], text, database)

    def rows(self, sql):
        text = self.psql(sql, "landfall")
        return [line.split("\t") for line in text.split("\n")] if text else []
