# SPDX-License-Identifier: Apache-2.0
"""Power that fails and bits that flip under a PostgreSQL that one node uses."""
import pathlib, random, shutil, subprocess, sys, time

from callers import SERVER_KEY, TROUBLE
from crashes import drawn, unseen
from disk import Disk, Platter, start
from ending import ends_with_us, until
from fault import fault, row
from flips import Known, flip, tried
from play import KEY_LINES, Play
from postgres import owned, user
from processes import Postgres
from server import EXAMPLE, Landfall, free_ports


class One(Play):
    """One node with its PostgreSQL. `record`: its disk can lose its power."""

    def __init__(self, folder, seed, initdb=(), record=False):
        super().__init__(folder, seed, 0, held=0)
        self.initdb, self.is_recorded, self.lives, self.node = initdb, record, 0, None

    def build(self):
        self.apple, self.port, database = free_ports(3)
        owned(self.folder)
        self.postgres = self.store = Postgres(self.folder / "postgres", database)
        self.postgres.initdb = ["--wal-segsize=1", *self.initdb]
        self.postgres.settings |= {"max_wal_size": "8MB", "min_wal_size": "4MB", "checkpoint_timeout": "30s"}
        self.enter_context(self.postgres)
        self.postgres.psql("CREATE ROLE landfall LOGIN")
        self.postgres.psql("CREATE DATABASE landfall OWNER landfall TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
        self.root = self.postgres.data
        self.configuration = self.folder / "landfall.yaml"
        self.configuration.write_text(EXAMPLE.replace("\n# The hosts", KEY_LINES, 1))
        self.callback(lambda: self.node and self.node.stop())
        if self.is_recorded:
            self.postgres.stop()
            self.disk = Disk(self.folder, self.root)
            for file in (self.disk.record, self.disk.lever, pathlib.Path(self.disk.environment["LD_PRELOAD"])):
                shutil.chown(file, **{name: account for name, account in user().items() if name != "extra_groups"})
            self.platter = Platter(self.root, self.disk.record)
            start(self.platter, self.root)
            # PostgreSQL syncs no folder of its tables: it takes this for given.
            self.platter.syncs_names = True
            self.platter.load(self.root)
            self.memory.place, self.postgres.environment = self.disk.place, self.disk.environment
            self.postgres.start()
        self.start()

    def start(self, ready=True):
        self.lives += 1
        url = f"postgres://landfall@127.0.0.1:{self.postgres.port}/landfall?sslmode=disable&pool=8"
        self.node = self.server = Landfall(
            self.folder / f"node-{self.lives}", "serve", "--config", self.configuration, "--port", str(self.port), "--apple-ads",
            f"http://127.0.0.1:{self.apple}", "--trusted-proxies", "127.0.0.1", "--drain", "0",
            environment={"LANDFALL_DATABASE": url, "LANDFALL_SERVER_KEY": SERVER_KEY}, limit=ends_with_us)
        if not self.node.listens(seconds=20):
            raise self.node.failure("The node does not listen")
        if ready:
            until(lambda: self.node.ask("/readyz").status == 200, 20, "The node is ready")


class Image:
    """A PostgreSQL on what a cut has left."""

    def __init__(self, postgres, data):
        self.postgres, self.data, self.before = postgres, data, postgres.data
        (data / "postmaster.pid").unlink(missing_ok=True)
        data.chmod(0o700)
        if account := user():
            subprocess.run(["chown", "-R", f"{account['user']}:{account['group']}", data], check=True)

    def __enter__(self):
        self.postgres.data = self.data
        # Nothing will happen to this one.
        self.postgres.settings["fsync"] = "off"
        self.postgres.start()
        return self.postgres

    def __exit__(self, *_):
        self.postgres.crash()
        self.postgres.data = self.before
        del self.postgres.settings["fsync"]


@fault("power-loss", "the power of the database's machine fails at some moments: what was not synced is lost, kept or torn", own=True)
def lose_power(fault, options, seed, folder):
    seconds, cuts = (5, 5) if options.quick else (20, 60)
    figures, causes = cut(folder / "run", seed, seconds, cuts, b"WW")
    found, _ = cut(folder / "planted", seed, 3, 4, b"WS")
    print(f"   planted: of a PostgreSQL whose syncs do nothing, {found['lost']} acknowledged facts were lost", file=sys.stderr, flush=True)
    if not found["lost"]:
        causes.append("planted: of a PostgreSQL whose syncs do nothing, no cut lost a fact; so this check would find nothing")
    return row(fault, seed, **figures, causes=causes)


def cut(folder, seed, seconds, cuts, state):
    with One(folder, seed, record=True) as stage:
        stage.disk.set(state)
        figures = stage.play(lambda stage: time.sleep(seconds), 1)
        stage.node.stop()
        stage.postgres.crash()
        stage.postgres.environment = {}
        platter, causes = stage.platter, figures.pop("causes")
        platter.data = memoryview(stage.disk.record.read_bytes())
        places, chosen, dice = drawn(platter, stage.memory, cuts, seed)
        lost, doubled = set(), set()
        for number, place in enumerate(chosen):
            platter.forward(place)
            image = owned(folder / "images") / "data"
            platter.image(image, random.Random(f"{seed} cut {number}"))
            try:
                with Image(stage.postgres, image) as postgres:
                    made = postgres.psql("SELECT to_regclass('deferred_link')", "landfall")
                    found = stage.memory.compare(postgres if made else Nothing(), place)
            except RuntimeError as error:
                found = stage.memory.compare(Nothing(), place)
                causes.append(f"cut {number} at byte {place}: {error}")
            lost |= set(found[0])
            doubled |= set(found[1])
            causes += [f"cut {number} at byte {place}: {sentence}" for sentence in (found[0] + found[1])[:2]]
            shutil.rmtree(folder / "images")
            if number % 10 == 9:
                print(f"   {number + 1} of {cuts} cuts: {len(lost)} lost, {len(doubled)} doubled", file=sys.stderr, flush=True)
        platter.forward(places[-1])
        # PostgreSQL writes its caches by another way; it makes them anew.
        causes += [each for each in unseen(platter, stage.root) if not each.endswith("pg_internal.init")]
        print(f"   {cuts} cuts in {len(places)} writes, syncs and names ({platter.syncs} syncs)", file=sys.stderr, flush=True)
    return figures | {"lost": len(lost), "doubled": len(doubled)}, causes[:20]


class Nothing:
    def rows(self, sql):
        return []


@fault("flip-store", "one bit of a table or index flips, under PostgreSQL with data checksums: the row is refused and nothing wrong is served", own=True)
def flip_store(fault, options, seed, folder):
    dice, results, causes = random.Random(seed), [], []
    with One(folder / "run", seed, ["--data-checksums"]) as stage:
        known = Known(stage, dice)
        known.grow()
        paths = stage.postgres.rows(
            "SELECT pg_relation_filepath(oid) FROM pg_class WHERE oid = 'link'::regclass OR oid IN "
            "(SELECT indexrelid FROM pg_index WHERE indrelid = 'link'::regclass)")
        stage.node.stop()
        for number in range(3 if options.quick else 12):
            stage.postgres.stop()
            file = stage.root / dice.choice(paths)[0]
            content = file.read_bytes()
            where = f"{flip(file, dice)} of {file.name}"
            stage.postgres.start()
            results.append(ask_flipped(stage, known, where, causes))
            stage.node.stop()
            stage.postgres.stop()
            file.write_bytes(content)
            stage.postgres.start()
    return tried("tables and indexes", results, causes, fault, options, seed, known)


def ask_flipped(stage, known, where, causes):
    try:
        stage.start(ready=False)
        refused, missing, wrong = known.served(stage.node)
    except (RuntimeError, *TROUBLE) as error:
        return "refused at the start"
    if wrong:
        causes.append(f"{where} flipped: {len(wrong)} of 60 links lead elsewhere")
    if missing:
        causes.append(f"{where} flipped: {missing} of 60 links are not there")
    return "wrong answers" if wrong else "lost without a word" if missing else "calls refused" if refused else "not read"
