# SPDX-License-Identifier: Apache-2.0
"""A store with a year of days: counted, read day by day, and its older half deleted by retention."""
import subprocess, time

from stage import machine, say
from store import DAY, Checked, Store, day

DAYS, INSTALLS, EVENTS, LINKS, CLICKS = 365, 50_000, 500_000, 1_000, 100_000
KEPT, RETENTION_SECONDS = 180, 900
# A report of a year, from days that are counted.
LONGEST_MS = 1_000


def year(options, folder):
    checked, now = Checked(), int(time.time() * 1000)
    made = folder / "made"
    made.mkdir()
    subprocess.run([
        options.benchmarks, "stored-reports", made, "--installs", str(INSTALLS), "--events", str(EVENTS), "--links", str(LINKS), "--clicks",
        str(CLICKS), "--days", str(DAYS)], check=True)
    with Store(folder / "store", options.engine) as store:
        if options.engine == "postgres":
            moved = store.command("move", "--from", f"sqlite:{made}", "--to", store.url, place=())
            checked.check("moved to PostgreSQL", moved["verified"], f"{sum(table['rows'] for table in moved['tables']):,} rows, read back and compared")
            months = store.rows("SELECT count(*) FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relname ~ '^event_[0-9]{4}_[0-9]{2}$'")
            checked.check("months of events", 12 <= months <= 16, f"{months} parts")
        else:
            made.rename(store.data)
        checked.took("start, nothing counted", store.start(), 10)
        checked.took("a year is counted", store.counted(now, clicks=True))
        before = read(store, checked, now)
        checked.check("stops", store.stop(), "by itself")
        checked.took("start, a year counted", store.start(), 10)
        checked.check("stops", store.stop(), "by itself")
        expired(store, checked, now, before)
    return checked.document(engine=options.engine, days=DAYS, installs=INSTALLS, eventsStored=EVENTS, clicks=CLICKS, machine=machine())


def read(store, checked, now):
    """The year's totals; every report of it, day by day where it has days."""
    window, totals = f"from={day(now - DAYS * DAY)}&to={day(now)}", {}
    for name, by in (("overview", "day"), ("campaigns", "day"), ("campaigns", "source,campaign"), ("funnel", "day"), ("paywalls", "day"),
                     ("links", "day"), ("links", "host,path"), ("retention", "week")):
        begun = time.monotonic()
        found = store.report(name, f"{window}&by={by}")
        ms = (time.monotonic() - begun) * 1000
        days = {row["key"]["day"] for row in found["rows"]} if by == "day" else None
        right = days is None or len(days) in (DAYS, DAYS + 1)
        checked.check(f"report {name} by {by}", right and ms < LONGEST_MS, f"{len(found['rows']):,} rows in {ms:.0f} ms" + ("" if days is None else f", {len(days)} days"))
        totals[name] = found["totals"]
        if days is not None and name in ("overview", "campaigns"):
            checked.equal(f"first opens of the days of {name}", sum(row["values"]["firstOpens"] for row in found["rows"]), found["totals"]["firstOpens"])
    checked.equal("first opens of the year", totals["campaigns"]["firstOpens"], INSTALLS)
    people = store.rows("SELECT count(*) FROM click WHERE kind = 'person'")
    checked.equal("clicks of the year", totals["links"]["clicks"], people)
    return totals


def expired(store, checked, now, before):
    """Events and clicks of the older half go; what was counted of them stays."""
    # It has looked lately, and would look again an hour later. Each look begins a minute after a start at the earliest.
    store.change("UPDATE job SET due_at_ms = 0 WHERE kind = 'retention'")
    store.configure(f"\nretention: {{ eventDays: {KEPT}, clickDays: {KEPT} }}\n")
    store.start()
    old = f"received_at_ms < {now - KEPT * DAY}"
    clicks = f"clicked_at_ms < {now - KEPT * DAY}"
    doomed = store.rows(f"SELECT count(*) FROM event WHERE {old}") + store.rows(f"SELECT count(*) FROM click WHERE {clicks}")
    begun = time.monotonic()
    while store.rows(f"SELECT (SELECT count(*) FROM (SELECT 1 FROM event WHERE {old} LIMIT 1) AS e) + (SELECT count(*) FROM (SELECT 1 FROM click WHERE {clicks} LIMIT 1) AS c)"):
        if time.monotonic() - begun > RETENTION_SECONDS:
            checked.check("retention", False, f"rows past their time are still there {RETENTION_SECONDS} s after the start")
            break
        time.sleep(2)
    checked.check("rows past their time", doomed > 0, f"{doomed:,} were deleted")
    checked.took("retention, from the start on", time.monotonic() - begun)
    left = store.rows("SELECT count(*) FROM event")
    checked.check("events of the younger half", EVENTS * 0.47 < left < EVENTS * 0.52, f"{left:,} of {EVENTS:,} are left")
    window = f"from={day(now - DAYS * DAY)}&to={day(now)}&by="
    for name, value in (("campaigns", "firstOpens"), ("links", "clicks"), ("paywalls", "exposures")):
        checked.equal(f"{value} of the year, after their rows have gone", store.report(name, window)["totals"][value], before[name][value])
