# SPDX-License-Identifier: Apache-2.0
"""What leaves the server: webhooks to a fast receiver, and what a dead one costs first opens; rows of an export, and what it costs them."""
import json, subprocess

from items import alone, row
from measuring import say


def told(options, *command):
    return json.loads(subprocess.run([options.benchmarks, *map(str, command)], check=True, stdout=subprocess.PIPE).stdout)


def webhooks(work, options):
    size = ("--deliveries", 5_000, "--opens", 500, "--rounds", 1) if options.quick else ("--rounds", options.rounds)
    rounds = []
    for number in range(1 if options.quick else options.rounds):
        rounds.append(told(options, "webhooks", *size))
        say(f"  webhooks, round {number + 1}: {rounds[-1]['deliveriesPerSecond']:,.0f} deliveries/s")
    ours, theirs = ([one[key] for one in rounds] for key in ("p99BesideDeadEndpointMilliseconds", "p99Milliseconds"))
    middle = len(rounds) // 2
    return [
        alone("webhooks: deliveries a second to a fast receiver", "deliveries/s", "higher", [one["deliveriesPerSecond"] for one in rounds]),
        row("webhooks: p99 of first opens beside a dead endpoint", "ms", "lower", sorted(ours)[middle], len(rounds), against="the same without webhooks",
            theirs=sorted(theirs)[middle], ratios=[one["ratio"] for one in rounds]),
    ]


def exports(work, options):
    size = ("--rows", 100_000, "--first-opens", 1_000) if options.quick else ()
    rounds = []
    for number in range(1 if options.quick else options.rounds):
        rounds.append(told(options, "exports", *size))
        say(f"  exports, round {number + 1}: {rounds[-1]['rowsASecond']:,} rows/s")
    rows, middle = rounds[0]["rows"], len(rounds) // 2

    def beside(name, side, ratio):
        ours, theirs = (sorted(one[key]["p99Milliseconds"] for one in rounds)[middle] for key in (side, "quiet"))
        return row(f"exports: p99 of first opens beside {name}", "ms", "lower", ours, len(rounds), against="the same without an export", theirs=theirs,
                   ratios=[one[ratio] for one in rounds])

    return [
        alone(f"exports: rows a second, {rows:,} clicks", "rows/s", "higher", [one["rowsASecond"] for one in rounds]),
        alone(f"exports: memory that an export of {rows:,} clicks adds", "MB", "lower", [one["residentMostMB"] - one["residentBeforeMB"] for one in rounds]),
        beside("scheduled files", "besideSchedule", "scheduleP99Ratio"),
        beside("landfall export-data", "besideCommand", "commandP99Ratio"),
    ]
