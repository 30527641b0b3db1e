# SPDX-License-Identifier: Apache-2.0
"""Which numbers of pages come from which items of Benchmarks/run: {group of docs/figures.json: values}."""
import fnmatch

from marking import flat

PATHS = {
    "empty": "empty handler", "healthz": "healthz", "defaultPaywall": "default paywall", "lately": "matching paywall, 20 audiences, seen lately",
    "asked": "matching paywall, 20 audiences, as the SDK asks", "drawn": "matching paywall, 20 audiences, drawn",
    "latelyLarge": "matching paywall, 20 audiences, seen lately, large store", "profileDrawn": "profile, drawn",
    "profile": "profile, seen lately", "redirect": "redirect with its click on disk", "redirectNginx": "redirect behind nginx",
    "firstOpens": "first open, new installs, not held",
    "p99Drawn": "p99, matching paywall, 20 audiences, drawn, 1,000,000 profiles",
    "p99Lately": "p99, matching paywall, 20 audiences, seen lately, large store, 1,000,000 profiles",
    "p99Redirect": "p99, redirect with its click on disk, large store, 1,000,000 profiles",
}
NODES = {
    "paywall": "paywall drawn", "redirect": "redirect with its click on disk", "events": "events, 100 a request",
    "firstOpens": "first open, new installs, not held",
}
PAGES = {
    "overview": "/console", "overview90": "/console?days=90", "live": "/console/live", "links": "/console/links",
    "linkReport": "/console/reports/links", "campaigns": "/console/reports/campaigns", "paywalls": "/console/reports/paywalls",
    "funnel": "/console/reports/funnel", "retention": "/console/reports/retention", "profiles": "/console/profiles",
    "matches": "/console/audiences/apple-ads?count=now",
}


def under(items, prefix):
    return {item["name"].removeprefix(prefix): item for item in items if item["name"].startswith(prefix)}


def ours(items, name, digits=0):
    return round(items[name]["ours"], digits) if digits else round(items[name]["ours"])


def paths(items):
    items, found = under(items, "paths: "), {}
    for name, title in PATHS.items():
        found[name] = {"ratio": round(items[title]["ratio"], 2), "ours": round(items[title]["ours"], 1)}
        if f"{title}, CPU of a request" in items:
            found[name] |= {"cpu": ours(items, f"{title}, CPU of a request"), "p99": ours(items, f"{title}, p99", 1)}
    return found


def nodes(items):
    items = under(items, "nodes: ")
    found = {name: {"ratio": round(items[title]["ratio"], 2), "ours": ours(items, title)} for name, title in NODES.items()}
    for share in (50, 99):
        title = f"p{share} from Apple's answer to the line of a stream on another node"
        found[f"wake{share}"] = {"ours": ours(items, title, 1), "added": ours(items, f"{title}, more than beside it", 1)}
    found["idle"] = ours(items, "an idle node", 5)
    for name, key in (("paywall drawn", "paywallWork"), ("first open", "openWork")):
        for count in (2, 4):
            found[f"{key}{count}"] = {
                word: round(items[f"{what} of a request, {name}, {count} nodes"]["ratio"], 2)
                for word, what in {"statements": "statements", "database": "CPU of the database", "nodes": "CPU of the nodes"}.items()}
    return found


def results(items):
    items = under(items, "results: ")
    title = "an experiment with 1,000,000 units"
    return {"median": ours(items, title), "slowest": ours(items, f"{title}, the slowest")}


def reports(items):
    items = under(items, "reports: ")
    opened = {name: item for name, item in items.items() if name.startswith("/") and f"{name}, p50" in items}
    phones, lag = items["p99 of phones at half of the limit, beside the pages"], 'lag of "complete to", beside events'
    counting = next(item for name, item in items.items() if name.startswith("counting"))
    # A count is asked for by a button and has a goal of its own.
    slowest = max(item["ours"] for path, item in opened.items() if path != PAGES["matches"])
    return {name: ours(opened, path) for name, path in PAGES.items()} | {
        "pages": len(opened), "slowestPage": round(slowest),
        "within": sum(bool(item["holds"]) for item in opened.values()),
        "phones": {"ratio": round(phones["ratio"], 2), "ours": round(phones["ours"], 1), "theirs": round(phones["theirs"], 1)},
        "lag": {"median": round(items[f"{lag}, p50"]["ours"] / 1e3, 1), "slowest": round(items[lag]["ours"] / 1e3, 1)},
        "counted": round(counting["ours"] / 1e3),
    }


# Items that are shown as they are: {group: {name in pages: name of the item}}.
PLAIN = {
    "events": {
        "own100": "events: durable, 100 a request, beside SQLite's own batches of 100",
        "own6400": "events: durable, 100 a request, beside SQLite's own batches of 6,400",
    },
    "held": {
        "stream": "held: memory of a connection with a first-open stream",
        "added": "held: memory of a connection with a first-open stream, more than beside it",
        "idle": "held: memory of an idle connection, new", "streams": "held: first-open streams at once, of 15,000",
        "stopped": "held: from SIGTERM to the end of the process, 10,000 streams",
        "burst": "held: memory that a connection keeps after a burst of 10,000 first opens",
        "burstAgain": "held: memory that the same burst adds again, on new connections",
    },
    "steady": {
        "cpu": "steady: CPU of one of 4,700 mixed requests a second",
        "uncounted": "steady: CPU of one of 4,700 mixed requests a second, nothing is counted", "p99": "steady: p99 of first opens",
    },
    "decisions": {
        "growthbook": "decisions: 10 audiences, beside growthbook", "flagsmith": "decisions: 10 audiences, beside flagsmith",
        "unleash": "decisions: 10 audiences, beside unleash", "one": "decisions: 10 audiences, one decision",
    },
    "haproxy": {
        "p50": "haproxy: 300 phones on three nodes, p50 of the time to paywall, more than beside it",
        "p90": "haproxy: 300 phones on three nodes, p90 of the time to paywall, more than beside it",
        "late": "haproxy: 300 phones on three nodes, paywalls more than 50 ms late or missing",
    },
    "webhooks": {"rate": "webhooks: deliveries a second to a fast receiver", "dead": "webhooks: p99 of first opens beside a dead endpoint",
                 "control": "webhooks: p99 of first opens, a second server without an endpoint"},
    "exports": {
        "rate": "exports: rows a second, *", "memory": "exports: memory in the second half of *",
        "schedule": "exports: p99 of first opens beside scheduled files", "command": "exports: p99 of first opens beside landfall export-data",
        "control": "exports: p99 of first opens beside nothing",
    },
    "purchases": {
        "embedded": "purchases: p99 from a notification to the line of a stream, embedded store",
        "same": "purchases: p99 from a notification to the line of a stream, PostgreSQL, the same node",
        "other": "purchases: p99 from a notification to the line of a stream, PostgreSQL, another node",
    },
    "notifications": {"p99": "notifications: p99 of answers, 200 a second", "bytes": "notifications: bytes on disk for a transaction"},
    "verifying": {"known": "verifying: a transaction of * bytes, known certificates", "new": "verifying: a transaction of * bytes, new certificates"},
    "revenue": {
        "year": "revenue: a year by source, 1,000,000 charges, * rows", "month": "revenue: a month by source, 1,000,000 charges, * rows",
        "verified": "revenue: * signed purchases verified",
    },
    "publish": {"served": "publish: published to served, beside 1,000 requests/s"},
    "impact": {"took": "impact: 10,000 installs of 1,000,000 through two versions"},
    "experiment": {"stored": "experiment: matching paywall, 20 audiences, stored assignment"},
    "hanging": {
        "defaultEmbedded": "hanging reads, embedded store: the slowest default paywall", "drawnEmbedded": "hanging reads, embedded store: the slowest drawn paywall",
        "defaultPostgres": "hanging reads, PostgreSQL: the slowest default paywall", "drawnPostgres": "hanging reads, PostgreSQL: the slowest drawn paywall",
    },
}


def plain(group, items):
    found = {}
    for name, pattern in PLAIN[group].items():
        matching = [item for item in items if item["name"].startswith(pattern) or fnmatch.fnmatchcase(item["name"], pattern)]
        if not matching:
            continue
        item = next((item for item in matching if item["name"] == pattern), matching[0])
        found[name] = {"ours": round(item["ours"], 3)} | ({} if item["ratio"] is None else {"ratio": round(item["ratio"], 3), "theirs": round(item["theirs"], 3)})
    return found


def values(group, items):
    """The numbers of a group from the document's items; none if the items are not there."""
    named = {"paths": paths, "nodes": nodes, "results": results, "reports": reports}.get(group)
    if not named and group not in PLAIN:
        return {}
    return flat(named(items) if named else plain(group, items))
