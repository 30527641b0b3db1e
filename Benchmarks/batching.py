# SPDX-License-Identifier: Apache-2.0
"""Durable events of phones, 100 a request, on the embedded store: in turn with SQLite's own batches into the same tables of another store, with
the same sync. SQLite has 100 rows a transaction, and as many as the server can find waiting: those of 64 requests."""
import contextlib, random, sqlite3, statistics, subprocess, sys, time

from items import compared
from measuring import node, say, wrk
from nodes import batches

INSTALLS, A_REQUEST, CALLERS = 10_000, 100, 64
KEYS = "INSERT INTO event_key (app_id, install_id, received_at_ms, event_id) VALUES ('example', ?, ?, ?)"
EVENTS = """INSERT INTO event (app_id, install_id, profile_id, received_at_ms, id, event_id, type, occurred_at_ms, placement, paywall)
    VALUES ('example', ?, ?, ?, ?, ?, 'paywall_shown', ?, 'onboarding', 'default')"""


class OwnBatches:
    """SQLite alone, as its C library is called from Python. Making the values is not timed."""

    def __init__(self, store):
        self.connection, self.number = sqlite3.connect(store, isolation_level=None), 0
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        assert self.connection.execute("PRAGMA synchronous").fetchone()[0] == 2

    def values(self, rows):
        """Of events as the server stores them: its ids grow, and each request is one install's."""
        keys, events = [], []
        for place in range(rows):
            if place % A_REQUEST == 0:
                install = f"0198f0c2-7b1a-7c3d-8e4f-{random.randrange(INSTALLS):012x}"
            self.number += 1
            now = int(time.time() * 1000)
            own = f"{now >> 16:08x}-{now & 65535:04x}-7{self.number & 4095:03x}-8000-{self.number:012x}"
            event = f"0198f0c3-7b1a-7c3d-9e4f-{self.number:012x}"
            keys.append((install, now, event))
            events.append((install, f"i_{install}", now, own, event, now - 1200))
        return keys, events

    def rate(self, rows, seconds):
        """Rows a second in transactions of that many rows."""
        stored, took = 0, 0
        while took < seconds:
            keys, events = self.values(rows)
            begun = time.perf_counter()
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany(KEYS, keys)
            self.connection.executemany(EVENTS, events)
            self.connection.execute("COMMIT")
            took += time.perf_counter() - begun
            stored += rows
        return stored / took


def events(work, options):
    for name in ("server", "alone"):
        folder = work / name / "data"
        folder.mkdir(parents=True)
        subprocess.run([options.benchmarks, "stored-installs", folder, "--count", str(INSTALLS)], check=True)
    small, large = A_REQUEST, A_REQUEST * CALLERS
    rates = {"server": [], small: [], large: []}
    p50, p99 = [], []
    own, script = OwnBatches(work / "alone/data/landfall.sqlite"), batches(work, INSTALLS)
    with node(work / "server", options.binary) as (port, _), contextlib.closing(own.connection):
        for number in range(options.rounds + 1):
            seconds = options.seconds if number else 1
            for what in list(rates) if number % 2 else list(rates)[::-1]:
                if what == "server":
                    load = wrk(port, "/v1/events", seconds, script=script)
                    rate = load["perSecond"] * A_REQUEST
                    p50.append(load["p50Ms"]), p99.append(load["p99Ms"])
                else:
                    rate = own.rate(what, seconds)
                if number:
                    rates[what].append(rate)
            say(f"  round {number} of {options.rounds}" + ("" if number else " (to warm up)"))
    with contextlib.closing(sqlite3.connect(work / "server/data/landfall.sqlite")) as store:
        stored = store.execute("SELECT count(*) FROM event").fetchone()[0]
    least = sum(rates["server"]) * options.seconds * 0.95
    if stored < least:
        sys.exit(f"{stored:,} events are stored, and {least:,.0f} were answered.")
    further = {"p50Milliseconds": statistics.median(p50[1:]), "p99Milliseconds": statistics.median(p99[1:])}
    return [
        compared(f"events: durable, {A_REQUEST} a request, beside SQLite's own batches of {rows:,}", "rows/s", "higher",
                 f"SQLite {sqlite3.sqlite_version}, FULL sync", rates["server"], rates[rows], **(further if rows == small else {}))
        for rows in (small, large)]
