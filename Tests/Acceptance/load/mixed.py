# SPDX-License-Identifier: Apache-2.0
"""A run of mixed traffic: the limit first, then a share of it for some minutes."""
import contextlib, gc, math, os, random, resource, subprocess, sys, time

from apple import Apple
from ledger import Ledger
from loop import Callers, Loop
from stage import Stage, busy_seconds, machine, say
from traffic import HOLD, NOTIFICATIONS, PAGES, SHARES, Traffic

FIRST_RATE, LEAST_RATE, GROWTH, STEP_SECONDS, WARM_SECONDS, STEPS = 300, 50, 1.4, 6, 2, 20
# A rate holds if nothing fails, and 99 of 100 answers of each kind of a phone come within this.
WITHIN_MS = 100
PHONES = ("firstOpen", "adToken", "paywall", "tap", "events")
GOAL = 1.05
MEMORY_MINUTE = 5


class Play(contextlib.ExitStack):
    """A new server, callers and Apple in one loop."""

    def __init__(self, folder, options, seed, notifications):
        super().__init__()
        self.folder, self.options, self.dice, self.notifications = folder, options, random.Random(seed), notifications

    def __enter__(self):
        with contextlib.ExitStack() as entered:
            entered.push(self)
            self.loop = Loop()
            self.callback(self.loop.close)
            self.ledger, self.apple = Ledger(), Apple(self.loop, lambda token: self.traffic.told(token))
            self.callback(self.apple.close)
            root = ["--app-store-root", self.folder.parent / "root.pem"] if self.notifications else []
            self.stage = self.enter_context(Stage(self.folder, self.options.engine, self.apple.port, root, cores(self.options)))
            self.callers = Callers(self.loop, self.stage.server.port)
            self.callback(self.callers.close)
            bodies = iter(())
            if self.notifications:
                bodies = (line.rstrip().decode() for line in self.enter_context(open(self.notifications, "rb")))
            self.traffic = Traffic(self.loop, self.callers, self.ledger, self.dice, FIRST_RATE, bodies, self.stage.cookie)
            entered.pop_all()
        return self

    def seconds(self, seconds):
        """The figures of so many seconds of traffic."""
        self.ledger.turn()
        begun, cpu, own, all_ = time.monotonic(), self.stage.cpu(), time.process_time(), busy_seconds()
        self.loop.run(begun + seconds)
        took = time.monotonic() - begun
        server, database = ((now - before) / took for now, before in zip(self.stage.cpu(), cpu))
        callers = (time.process_time() - own) / took
        others = max(0, (busy_seconds() - all_) / took - server - database - callers)
        return self.ledger.figures() | {
            "sentPerSecond": self.ledger.sent / took, "serverCores": server, "databaseCores": database, "callersCores": callers,
            "othersCores": others, "waiting": self.callers.busy()}

    def drain(self):
        """Until every call is answered. A stream may be held for long."""
        self.loop.run(time.monotonic() + HOLD / 1000 + 20, lambda: not self.callers.busy())
        for call in self.callers.waiting():
            self.ledger.fail(call.kind, "no answer at the end")


def cores_used(figures):
    return "cores: " + ", ".join(f"{name} {figures[name + 'Cores']:.2f}" for name in ("server", "database", "callers", "others"))


def holds(figures):
    p99 = figures["p99Milliseconds"]
    return not figures["errors"] and all(p99.get(kind, math.inf) <= WITHIN_MS for kind in PHONES)


def slowest(figures):
    return max((figures["p99Milliseconds"][kind] for kind in PHONES if kind in figures["p99Milliseconds"]), default=math.inf)


def limit(play):
    """The highest rate that held: it grows until one does not, or shrinks until one does, and then rates between are tried."""
    ramp, low, high, rate = [], 0, math.inf, FIRST_RATE
    play.traffic.begin()
    for _ in range(STEPS):
        play.traffic.rate = rate
        play.loop.run(time.monotonic() + WARM_SECONDS)
        figures = play.seconds(STEP_SECONDS)
        held = holds(figures)
        ramp.append({"ratePerSecond": rate, "holds": held, "p99Milliseconds": slowest(figures),
                     **{name: figures[name] for name in ("errors", "sentPerSecond", "serverCores", "databaseCores", "callersCores", "othersCores", "lateSendP99Milliseconds")},
                     "samples": play.ledger.samples})
        play.ledger.samples = []
        say(f"  {rate:6,.0f} a second: {'holds' if held else 'does not hold'}, p99 {slowest(figures):.1f} ms, {figures['errors']} errors, "
            f"{cores_used(figures)}{' ' + ramp[-1]['samples'][0] if ramp[-1]['samples'] else ''}")
        low, high = (max(low, rate), high) if held else (low, min(high, rate))
        if not held:
            # What piled up is answered before the next rate begins.
            play.traffic.rate = LEAST_RATE
            play.loop.run(time.monotonic() + 20, lambda: play.traffic.next > time.monotonic() - 0.1 and play.callers.busy() < FIRST_RATE)
            play.loop.run(time.monotonic() + 1)
        if high == math.inf:
            rate = rate * GROWTH
        elif not low:
            rate = high / GROWTH
            if rate < LEAST_RATE:
                break
        elif high / low < 1.1:
            break
        else:
            rate = math.sqrt(low * high)
    play.traffic.end()
    return low, ramp


def cores(options):
    """Those of the server; None: all of them, which it shares with the callers."""
    return set(sorted(OURS)[:options.cores]) if options.cores else None


# The cores of this program at its start: later it may leave some to the server.
OURS = os.sched_getaffinity(0)


def sign(options, folder):
    """The App Store's notifications for the whole run, signed before it begins."""
    count = int(NOTIFICATIONS * (options.minutes * 60 + 5))
    least = NOTIFICATIONS * (STEP_SECONDS + WARM_SECONDS + 21) * STEPS
    say(f"Signing {max(count, least):,} notifications …")
    subprocess.run([options.benchmarks, "signed-notifications", folder, "--count", str(max(count, least))], check=True)
    return folder / "notifications"


def mixed(options, folder):
    """The document of the run."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    # Nothing of the callers is a ring, and a collection would delay calls.
    gc.disable()
    if its := cores(options):
        if not OURS - its:
            sys.exit(f"This machine has {len(OURS)} cores; --cores {options.cores} leaves none to the callers.")
        os.sched_setaffinity(0, OURS - its)
    notifications = sign(options, folder)
    rate, ramp = options.rate, []
    if not rate:
        say(f"Finding the limit on {options.engine} …")
        with Play(folder / "ramp", options, options.seed, notifications) as play:
            most, ramp = limit(play)
        if not most:
            sys.exit(f"Even {LEAST_RATE} calls a second did not hold, so there is no limit to take a share of.")
        rate = most * options.share
        say(f"The limit is {most:,.0f} a second; {options.share:.0%} of it is {rate:,.0f}.")
    about = {
        "engine": options.engine, "seed": options.seed, "minutes": options.minutes, "share": options.share, "machine": machine(cores(options)),
        "limitPerSecond": max((step["ratePerSecond"] for step in ramp if step["holds"]), default=None), "ratePerSecond": rate,
        "shares": SHARES, "notificationsPerSecond": NOTIFICATIONS, "pagesPerSecond": PAGES, "ramp": ramp}
    if not options.minutes:
        return about | {"holds": True}
    with Play(folder / "run", options, options.seed + 1, notifications) as play:
        minutes = list(played(play, rate, options.minutes))
        play.traffic.end()
        play.drain()
        complaints, warnings = play.stage.complaints(), play.stage.warnings()
        gone = play.stage.server.stop()
        stored = play.stage.stored()
    ledger = play.ledger
    lost = {table: count - stored[table] for table, count in ledger.acknowledged.items() if stored[table] < count}
    base = minutes[min(MEMORY_MINUTE, max(1, len(minutes) // 2)) - 1]
    ratio = minutes[-1]["residentBytes"] / base["residentBytes"]
    errors = sum(ledger.failures.values())
    return about | {
        "byMinute": minutes,
        "errors": errors, "failures": dict(ledger.failures), "samples": ledger.samples, "complaints": complaints, "warnings": warnings[:20],
        "acknowledged": dict(ledger.acknowledged), "stored": stored, "lost": lost, "stoppedByItself": gone,
        "memory": {"fromMinute": base["minute"], "ratio": ratio, "goal": GOAL, "holds": ratio <= GOAL},
        "holds": not errors and not lost and not complaints and gone and ratio <= GOAL,
    }


def played(play, rate, count):
    """A row for each minute."""
    play.traffic.rate = rate
    play.traffic.begin()
    for minute in range(1, count + 1):
        figures = play.seconds(60)
        resident, anonymous = play.stage.memory()
        metrics = play.stage.metrics()
        row = {"minute": minute, **figures, "residentBytes": resident, "anonymousBytes": anonymous,
               "held": sum(value for name, value in metrics.items() if name.startswith("landfall_held{")),
               "connections": metrics.get("landfall_connections"), "storeBytes": metrics.get("landfall_store_bytes"),
               "logBytes": metrics.get("landfall_store_log_bytes"), "cachedInstalls": metrics.get("landfall_install_cache_installs"),
               "writersWaiting": sum(value for name, value in metrics.items() if name.startswith("landfall_writer_waiting"))}
        say(f"  minute {minute:2}: {row['sentPerSecond']:,.0f} a second, {row['errors']} errors, {resident / 2**20:,.0f} MiB, "
            f"{cores_used(row)}; p99 "
            + ", ".join(f"{kind} {ms:.0f}" for kind, ms in row["p99Milliseconds"].items()) + " ms")
        yield row
