# SPDX-License-Identifier: Apache-2.0
"""A flipped bit in a backup, in a streamed copy, in the log and in the store: it has to be found, and nothing wrong served from it."""
import collections, json, random, shutil, sqlite3, sys, time

from alone import Alone, SQLiteStore, command
from callers import BRAND, SERVER_KEY
from fault import fault, row

LINKS, BATCH = 400, 50


class Known:
    """A store whose every link leads to a place that is known: what is served from it can be compared."""

    def __init__(self, stage, dice):
        self.stage, self.dice, self.links = stage, dice, {}

    def grow(self, count=LINKS):
        for _ in range(0, count, BATCH):
            new = {f"/{self.dice.getrandbits(64):016x}": f"https://{BRAND}/summer-clothes?promo={self.dice.getrandbits(80):020x}" for _ in range(BATCH)}
            links = [{"domain": BRAND, "suffix": path, "to": to} for path, to in new.items()]
            answer = self.stage.server.ask("/v1/links", {"links": links}, {"Authorization": f"Bearer {SERVER_KEY}"})
            if answer.status >= 300:
                raise RuntimeError(f"Links are not made: {answer} {answer.text[:200]}")
            self.links |= new

    def compare(self, path):
        """How many links are not there, and the wrong ones."""
        there = {path: to for path, to in SQLiteStore(path).rows("SELECT path, destination FROM link")}
        wrong = [path for path, to in there.items() if path in self.links and self.links[path] != to or path not in self.links and len(path) == 17]
        return len(set(self.links) - set(there)), wrong

    def served(self, server):
        """Of 60 links: how many are refused with an error, how many are not there, and those that lead elsewhere."""
        refused, missing, wrong = 0, 0, []
        for path, to in self.dice.sample(sorted(self.links.items()), 60):
            answer = server.ask(f"/v1/links/{BRAND}{path}", fields={"Authorization": f"Bearer {SERVER_KEY}"})
            if answer.status == 404:
                missing += 1
            elif answer.status != 200:
                refused += 1
            elif answer.json().get("to") != to:
                wrong.append(path)
        return refused, missing, wrong


def flip(path, dice, begin=0, end=None):
    """One bit, drawn. Its place."""
    with open(path, "r+b") as file:
        size = end or file.seek(0, 2)
        place, bit = dice.randrange(begin, size), dice.randrange(8)
        file.seek(place)
        byte = file.read(1)[0]
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))
    return f"bit {bit} of byte {place}"


def tried(name, results, causes, fault, options, seed, known):
    outcomes = collections.Counter(results)
    print(f"   {len(results)} flips in {name}: {dict(outcomes)}", file=sys.stderr, flush=True)
    return row(fault, seed, acknowledged=len(known.links), causes=causes[:8]) | {"flips": dict(outcomes)}


def stage_of(folder, seed, **more):
    return Alone(folder / "run", seed, 0, held=0, **more)


@fault("flip-backup", "one bit of a backup flips: no restore takes it, and `landfall doctor` finds it", "sqlite", quick=True, own=True)
def flip_backup(fault, options, seed, folder):
    dice, results, causes = random.Random(seed), [], []
    with stage_of(folder, seed) as stage:
        known = Known(stage, dice)
        known.grow()
        backup, copy = folder / "backup.sqlite", folder / "copy.sqlite"
        status, said = command("backup", backup, "--data", stage.data)
        if status:
            raise RuntimeError(f"No backup: {said}")
        for number in range(8 if options.quick else 40):
            shutil.copy(backup, copy)
            where = flip(copy, dice)
            status, said = command("restore", copy, "--data", folder / f"restored-{number}")
            results.append("refused" if status else "restored")
            if not status:
                causes.append(f"a restore took a backup with {where} flipped")
    return tried("a backup", results, causes, fault, options, seed, known)


@fault("flip-stream", "one bit of a streamed copy or segment flips: a restore ends before it or takes the copy before, and never a wrong row", "sqlite", own=True)
def flip_stream(fault, options, seed, folder):
    dice, results, causes = random.Random(seed), [], []
    place = folder / "stream"
    place.mkdir(parents=True)
    with stage_of(folder, seed, options=["--stream-to", str(place), "--stream-every", "1"]) as stage:
        known = Known(stage, dice)
        for _ in range(5):
            known.grow(BATCH)
            time.sleep(2)
        stage.stop()
        files = sorted(path for path in place.rglob("*") if path.suffix in (".sqlite", ".segment"))
        for number in range(6 if options.quick else 24):
            damaged = folder / "damaged"
            shutil.rmtree(damaged, ignore_errors=True)
            shutil.copytree(place, damaged)
            chosen = damaged / dice.choice(files).relative_to(place)
            where = f"{flip(chosen, dice)} of {chosen.name}"
            status, said = command("restore", "--from-stream", damaged, "--data", folder / f"restored-{number}")
            if status:
                results.append("refused")
                continue
            missing, wrong = known.compare(folder / f"restored-{number}/landfall.sqlite")
            results.append("wrong" if wrong else f"restored up to before it" if missing else "restored whole")
            if wrong:
                causes.append(f"{len(wrong)} wrong rows were restored from a stream with {where} flipped")
            shutil.rmtree(folder / f"restored-{number}")
    return tried("a stream", results, causes, fault, options, seed, known)


def last_transaction(log):
    """Where it begins: a flip behind that place cannot be told from a power cut. Frames of 24 bytes and a page follow a head of 32."""
    data = log.read_bytes()
    frame, salts = 24 + int.from_bytes(data[8:12], "big"), data[16:24]
    commits = [at for at in range(32, len(data) - frame + 1, frame) if data[at + 4:at + 8] != bytes(4) and data[at + 8:at + 16] == salts]
    return commits[-2] + frame


def on_files(fault, options, seed, folder, name, count):
    """Flips a bit of that file of a killed server's store, and starts the server on it."""
    dice, results, causes, lost = random.Random(seed), [], [], 0
    with stage_of(folder, seed) as stage:
        known = Known(stage, dice)
        known.grow()
        stage.kill()
        kept = folder / "kept"
        shutil.copytree(stage.data, kept, ignore=shutil.ignore_patterns("*.sock"))
        end = last_transaction(kept / name) if "-wal" in name else None
        # What a reader finds without a flip, and nothing of which may be lost or changed.
        if "-wal" not in name:
            # A command that opens the store moves the log: its pages get their checksums in the file.
            command("doctor", "--local", "--data", kept)
            if (kept / "landfall.sqlite-wal").exists() and (kept / "landfall.sqlite-wal").stat().st_size:
                raise RuntimeError("The log was not moved into the store")
        read = folder / "read"
        shutil.copytree(kept, read)
        content = contents(read / "landfall.sqlite")
        for number in range(count):
            data = folder / "flipped"
            shutil.rmtree(data, ignore_errors=True)
            shutil.copytree(kept, data)
            where = flip(data / name, dice, 0, end)
            outcome = open_flipped(stage, known, data, content)
            results.append(outcome[0])
            lost += outcome[1]
            if outcome[0] in ("lost without a word", "wrong answers", "a value changed, unseen"):
                causes.append(f"{where} flipped in {name}: {outcome[0]} ({outcome[2]})")
    done = tried(f"`{name}`", results, causes, fault, options, seed, known)
    done["lost"] = lost
    return done


def open_flipped(stage, known, data, content):
    """What the server does with such a store: the outcome, how many links are lost without a word, and a sentence. `content`: of the store
    before the flip."""
    copy = data.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(data, copy)
    changed = contents(copy / "landfall.sqlite") != content
    try:
        stage.start(data, ready=False)
    except RuntimeError as error:
        return "refused at the start", 0, str(error)
    try:
        refused, missing, wrong = known.served(stage.server)
        found = examined(data)
        stage.server.stop()
        if wrong:
            return "wrong answers", 0, f"{len(wrong)} of 60 links lead elsewhere"
        if found:
            return "found by doctor", 0, found
        if refused:
            return "calls refused", 0, f"{refused} of 60"
        lost, stored = known.compare(data / "landfall.sqlite")
        if lost or missing:
            return "lost without a word", lost, f"{lost} of {len(known.links)} links are not there"
        return ("a value changed, unseen" if changed else "no effect"), 0, f"{len(stored)} links changed"
    finally:
        stage.server.stop()


def examined(data):
    """What `landfall doctor --store` says of the store's pages; nothing if they are whole."""
    checks = json.loads(command("doctor", "--data", data, "--store", "--json", both=False)[1])
    return "; ".join(each["message"] for each in checks if each["check"] == "store" and not each["ok"])


def contents(path):
    """Every row of every table, or nothing if one cannot be read."""
    try:
        tables = [name for name, in SQLiteStore(path).rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {table: sorted(SQLiteStore(path).rows(f"SELECT * FROM \"{table}\"")) for table in tables}
    except sqlite3.Error:
        return None


@fault("flip-log", "one bit of the write-ahead log of a killed server flips, before its last transaction: it is found at the start", "sqlite", own=True)
def flip_log(fault, options, seed, folder):
    return on_files(fault, options, seed, folder, "landfall.sqlite-wal", 4 if options.quick else 16)


@fault("flip-store", "one bit of the store flips: what is damaged is found, and nothing wrong is served", "sqlite", own=True)
def flip_store(fault, options, seed, folder):
    return on_files(fault, options, seed, folder, "landfall.sqlite", 4 if options.quick else 24)
