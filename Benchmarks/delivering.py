# SPDX-License-Identifier: Apache-2.0
"""What leaves the server: webhooks to a fast receiver, and what a dead one costs first opens; rows of an export, and what it costs them.
Both come from `LandfallBenchmarks`, which measures in rounds of short blocks, with a control that has nothing beside it either."""
import json, subprocess

from items import alone, row

QUICK_ROWS, ROWS = 100_000, 10_000_000


def told(options, *command):
    return json.loads(subprocess.run([options.benchmarks, *map(str, command)], check=True, stdout=subprocess.PIPE).stdout)


def spread(name, found, ours, theirs, against):
    """A ratio of rounds that were measured elsewhere: its median, the least and the greatest."""
    made = row(name, "ms", "lower", ours, found["count"], against=against, theirs=theirs, ratios=[found["median"]])
    return made | {"spread": [found["least"], found["most"]]}


def webhooks(work, options):
    found = told(options, "webhooks", *(("--deliveries", 5_000, "--rates", 2, "--rounds", 3) if options.quick else ()))
    rate, opens = found["deliveriesPerSecond"], found["firstOpens"]
    p99 = opens["p99Milliseconds"]
    return [
        row("webhooks: deliveries a second to a fast receiver", "deliveries/s", "higher", rate["median"], rate["count"], spread=[rate["least"], rate["most"]]),
        spread("webhooks: p99 of first opens beside a dead endpoint", opens["besideDeadEndpoint"]["ofRounds"], p99["besideDeadEndpoint"], p99["without"],
               "the same without an endpoint"),
        spread("webhooks: p99 of first opens, a second server without an endpoint", opens["control"]["ofRounds"], p99["control"], p99["without"],
               "the first one"),
    ]


def exports(work, options):
    rows = QUICK_ROWS if options.quick else ROWS
    found = told(options, "exports", "--rows", rows, *(("--rounds", 2) if options.quick else ()))
    p99, ratios = found["p99Milliseconds"], found["p99Ratio"]

    def beside(name, side):
        return spread(f"exports: p99 of first opens beside {name}", ratios[side], p99[side], p99["quiet"], "the same without an export")

    first, second = (found[f"residentMostOf{half}HalfMB"] for half in ("First", "Second"))
    return [
        alone(f"exports: rows a second, {rows:,} clicks", "rows/s", "higher", [found["rowsASecond"]]),
        row(f"exports: memory in the second half of {rows:,} clicks", "MB", "lower", second, 1, against="the first half", theirs=first, ratios=[second / first]),
        beside("scheduled files", "schedule"), beside("landfall export-data", "command"), beside("nothing", "control"),
    ]
