# SPDX-License-Identifier: Apache-2.0
"""Processes that are killed, and power that fails, under writes."""
import random, shutil, sys, time

from alone import Alone, SQLiteStore
from callers import SERVER_KEY
from disk import Platter, entry_at, start
from fault import fault, row

# Every so many images are also served.
SERVED = 10


@fault("kill-server", "kill -9 of the server at 20 moments, drawn, under writes; it starts again at once", "sqlite", quick=True, held=0.05)
def kill_server(stage):
    for _ in range(5 if stage.is_quick else 20):
        time.sleep(stage.dice.uniform(0.05, 1.2))
        stage.kill()
        if damages := stage.store.damages():
            stage.note(f"the killed server's store is damaged: {damages[0]}")
        stage.start()


@fault("power-loss", "the power fails at some hundred moments: what was not synced is lost, kept or torn", "sqlite", quick=True, own=True)
def lose_power(fault, options, seed, folder):
    figures, causes = run(folder, seed, *((3, 30) if options.quick else (30, 400)), made=True)
    found = forget_syncs(folder / "planted", seed)
    if not found:
        causes.append("planted: of a server whose syncs do nothing, no cut lost a fact; so this check would find nothing")
    print(f"   planted: of a server whose syncs do nothing, {found} acknowledged facts were lost", file=sys.stderr, flush=True)
    return row(fault, seed, **figures, causes=causes)


@fault("power-loss-first", "the same in the first seconds of a server, which makes its folder itself", "sqlite", own=True)
def lose_first_power(fault, options, seed, folder):
    figures, causes = run(folder, seed, 2, 20 if options.quick else 100)
    return row(fault, seed, **figures, causes=causes)


def run(folder, seed, seconds, cuts, made=False):
    with Alone(folder / "run", seed, 0, record=True, made=made, held=0) as stage:
        figures = stage.play(lambda stage: time.sleep(seconds), 1)
        stage.stop()
        causes = figures.pop("causes")
        return figures | lose(stage, seed, folder, cuts, causes), causes


def forget_syncs(folder, seed):
    """How many facts are lost if syncs do nothing: this check has to see it."""
    with Alone(folder / "run", seed, 0, record=True, made=True, held=0) as stage:
        stage.disk.set(b"WS")
        stage.play(lambda stage: time.sleep(2), 1)
        stage.kill()
        return lose(stage, seed, folder, 8, [], serves=False)["lost"]


def lose(stage, seed, folder, cuts, causes, serves=True):
    """Counts what is lost and doubled on the images of that many cuts: half of them are right behind an acknowledgement."""
    platter = Platter(stage.root, stage.disk.record)
    start(platter, stage.root)
    if stage.made:
        platter.folders[stage.made] = platter.durable["data"] = platter.seen["data"] = "data"
    places, chosen, dice = drawn(platter, stage.memory, cuts, seed)
    lost, doubled, begun = set(), set(), time.monotonic()
    for number, place in enumerate(chosen):
        platter.forward(place)
        image = folder / "image"
        platter.image(image, random.Random(f"{seed} cut {number}"))
        served = serves and number % SERVED == 0
        found = look(stage, image, place, dice, served)
        lost |= set(found[0])
        doubled |= set(found[1])
        if serves:
            causes += [f"cut {number} at byte {place}: {sentence}" for sentence in found[0][:2] + found[1][:2] + found[2]][:20 - len(causes)]
        shutil.rmtree(image)
        if time.monotonic() - begun > 10 and serves:
            begun = time.monotonic()
            print(f"   {number + 1} of {cuts} cuts: {len(lost)} lost, {len(doubled)} doubled", file=sys.stderr, flush=True)
    platter.forward(places[-1])
    if serves:
        causes += unseen(platter, stage.root)
        print(f"   {cuts} cuts in {len(places)} writes, syncs and names ({platter.syncs} syncs)", file=sys.stderr, flush=True)
    return {"lost": len(lost), "doubled": len(doubled)}


def drawn(platter, memory, cuts, seed):
    """All places of the record, those of the cuts, and dice."""
    places, acknowledged, dice = platter.places(), sorted(memory.places.values()), random.Random(f"{seed} cuts")
    return places, sorted(
        dice.choice(places) if number % 2 else entry_at(places, dice.choice(acknowledged)) for number in range(cuts)), dice


def unseen(platter, root):
    """The record has to know every byte; otherwise images are better than a real cut."""
    known = platter.whole()
    return [
        f"the record of the disk does not know all of {name}" for path in root.rglob("*") if path.is_file() and not path.name.endswith("-shm")
        if known.get(name := str(path.relative_to(root))) != path.read_bytes()]


def look(stage, image, place, dice, served):
    """What is lost, doubled and otherwise wrong on an image."""
    path, data = image / "data/landfall.sqlite", image / "data"
    trouble = []
    if path.exists() and dice.random() < 0.5:
        # Memory that was the log's index may be anything now.
        (data / "landfall.sqlite-shm").write_bytes(dice.randbytes(32768))
    if served:
        trouble += serve(stage, data)
    if not path.exists() or not path.stat().st_size:
        return *stage.memory.compare(Nothing(), place), trouble
    try:
        store = SQLiteStore(path)
        trouble += store.damages()[:1]
        if not store.rows("SELECT 1 FROM sqlite_master WHERE name = 'deferred_link'"):
            store = Nothing()
        return *stage.memory.compare(store, place), trouble
    except Exception as error:
        return [], [], trouble + [f"the store cannot be read: {error}"]


class Nothing:
    """A store that was not yet made."""

    def rows(self, sql):
        return []


def serve(stage, data):
    """The server starts on the image, is ready, takes a link and ends."""
    data.mkdir(exist_ok=True)
    try:
        stage.start(data, environment={"LANDFALL_SERVER_KEY": SERVER_KEY})
        link = {"domain": "brandname.go.link", "to": "https://brandname.go.link/summer-clothes?promo=after"}
        answer = stage.server.ask("/v1/links", {"links": [link]}, {"Authorization": f"Bearer {SERVER_KEY}"})
        return [] if answer.status < 300 else [f"after the cut a link is answered with {answer}"]
    except (RuntimeError, OSError) as error:
        return [f"the server does not start on what is left: {error}"]
    finally:
        stage.server.stop()
