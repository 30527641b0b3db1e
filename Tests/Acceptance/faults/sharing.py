# SPDX-License-Identifier: Apache-2.0
"""Faults of nodes that share a PostgreSQL: what is killed, cut, stalled or full between them and it, and how releases follow each other."""
import signal, sys, threading, time

from ending import until
from fault import fault
from processes import NotTried, Taker


@fault("kill-node", "kill -9 of a node that holds streams; it comes back 5 s later", outcomes={"end", "broken off"})
def kill_node(stage):
    time.sleep(2)
    victim = stage.victim()
    stage.kill(victim)
    time.sleep(5)
    stage.start(victim)


@fault("kill-postgres", "kill -9 of all of PostgreSQL, three times; it starts again after 1 s", held=0.3)
def kill_postgres(stage):
    for _ in range(3):
        time.sleep(stage.dice.uniform(1, 4))
        stage.postgres.crash()
        time.sleep(1)
        stage.postgres.start()


def on_wires(stage, seconds, **fields):
    """The wires are so for that time."""
    before = [{name: getattr(wire, name) for name in fields} for wire in stage.wires]
    for wire in stage.wires:
        vars(wire).update(fields)
    time.sleep(seconds)
    for wire, fields in zip(stage.wires, before):
        vars(wire).update(fields)


def cut(stage, where):
    on_wires(stage, 4 if stage.is_quick else 12, cut=where, share=0.15)
    cuts, commits = (sum(getattr(wire, name) for wire in stage.wires) for name in ("cuts", "commits"))
    print(f"   {cuts} of {commits} COMMITs were cut", file=sys.stderr)
    if not cuts:
        stage.note("no connection was cut")


@fault("cut-before-commit", "connections are cut right before a COMMIT goes out, at every 7th")
def cut_before(stage):
    cut(stage, "before")


@fault("cut-after-commit", "connections are cut after a COMMIT went out and before its answer, at every 7th", quick=True)
def cut_after(stage):
    cut(stage, "after")


@fault("stall", "the database answers nobody for 30 s, and no connection ends", held=0.1)
def stall(stage):
    on_wires(stage, 30, stalled=True)


@fault("byte-by-byte", "the bytes between nodes and database come one at a time")
def byte_by_byte(stage):
    on_wires(stage, 10, bytewise=True)


@fault("delay", "the bytes between nodes and database take 200 ms longer, each way", held=0.1)
def delay(stage):
    on_wires(stage, 10, delay=0.2)


@fault("pgbouncer", "the nodes use pgbouncer, which is killed and starts again 2 s later", pooled=True)
def restart_pooler(stage):
    time.sleep(4)
    stage.pooler.kill()
    time.sleep(2)
    stage.pooler.start()


@fault("connections-taken", "somebody else has taken all connections, and those of the nodes are cut", connections=40, held=0.1)
def take_connections(stage):
    with Taker(stage.postgres.port) as taker:
        taker.take(1)
        stage.postgres.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'landfall' AND application_name <> 'taker'")
        taker.take(2)
        if not taker.was_refused:
            stage.note("not all connections were taken")
        time.sleep(8)


@fault("disk-full", "the database's disk is full for 6 s", size=96, held=0.1)
def fill_disk(stage):
    ballast, refused = stage.postgres.data / "ballast", stage.memory.statuses[503]
    with open(ballast, "wb") as file:
        try:
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        except OSError:
            pass
    time.sleep(6)
    ballast.unlink()
    if stage.memory.statuses[503] == refused:
        stage.note("no write was refused")
    time.sleep(1)
    # It may have given up.
    if stage.postgres.process.poll() is not None:
        stage.postgres.start()


@fault("stop-node", "a node is stopped for 40 s while it has leases, and then goes on", seconds=8)
def stop_node(stage):
    victim = stage.victim("SELECT leased_by FROM job WHERE leased_by IS NOT NULL")
    stage.signal(victim, signal.SIGSTOP)
    time.sleep(40)
    stage.signal(victim, signal.SIGCONT)


def stop(stage, number):
    if not stage.nodes[number].stop():
        stage.note(f"node {number + 1} did not stop by itself")


def roll(stage, order, binary=None):
    """A node after the other is asked to stop, and starts again."""
    for number in order:
        stop(stage, number)
        stage.start(number, binary)
        # Until the balancer has seen it.
        time.sleep(1)


NEWER = """
    BEGIN;
    SET LOCAL lock_timeout = '3s';
    ALTER TABLE install ADD COLUMN newer TEXT;
    ALTER TABLE event ADD COLUMN newer TEXT;
    CREATE INDEX newer ON event (newer);
    SELECT pg_sleep(2);
    INSERT INTO schema_migration (id, position, older_releases) VALUES ('2099-01-01 newer', 99, 'read_and_write');
    COMMIT"""


@fault("migration", "a newer release changes tables that phones wait for, for 2 s and while a backup reads them; then the nodes start again", held=0.1)
def migrate(stage):
    """By psql, as a release does it: one transaction, which gives up after 3 s without its locks and begins again."""
    def read():
        try:
            stage.postgres.psql("BEGIN; SELECT COUNT(*) FROM install; SELECT pg_sleep(5); COMMIT", "landfall")
        except RuntimeError as error:
            stage.note(f"the backup did not read to its end: {error}")
    backup = threading.Thread(target=read)
    backup.start()
    time.sleep(1)
    for attempt in range(6):
        try:
            stage.postgres.psql(NEWER, "landfall")
            break
        except RuntimeError as error:
            print(f"   {error}", file=sys.stderr)
            time.sleep(4 ** attempt / 1000)
    else:
        stage.note("the migration did not get its locks")
    backup.join()
    time.sleep(3)
    roll(stage, (0, 1, 2))


@fault("epoch", "the store's epoch changes under the nodes, as after a restore; each stops by itself and starts again", held=0.1)
def change_epoch(stage):
    time.sleep(3)
    stage.postgres.psql("UPDATE store SET epoch = epoch + 1", "landfall")
    for number, node in enumerate(stage.nodes):
        until(lambda: node.process.poll() is not None, 20, f"Node {number + 1} stops")
    for number in range(3):
        stage.start(number)


@fault("rolling-restart", "a node after the other stops and starts again, in both orders", unharmed=True)
def rolling_restart(stage):
    roll(stage, (0, 1, 2))
    roll(stage, (2, 1, 0))


@fault("rolling-releases", "from this release to the one of --old, a node after the other, and back", unharmed=True)
def rolling_releases(stage):
    if not stage.old:
        raise NotTried("--old names no other release")
    roll(stage, (0, 1, 2), stage.old)
    roll(stage, (2, 1, 0))


@fault("switchover", "Patroni makes another PostgreSQL the primary, with synchronous_mode on", clustered=True)
def switch(stage):
    time.sleep(2)
    stage.postgres.switch()


@fault("kill-leader", "kill -9 of Patroni's leader and its PostgreSQL; a standby takes over", clustered=True, held=0.1)
def kill_leader(stage):
    time.sleep(2)
    stage.postgres.kill_leader()
