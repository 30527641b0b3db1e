# SPDX-License-Identifier: Apache-2.0
"""What held streams cost a node in memory, how soon it ends with all of them, and what the connections of a burst keep (Benchmarks/waits)."""
import json, subprocess

from items import row
from measuring import ROOT, say

KiB = 1024


def waits(options, what, count):
    command = [ROOT / "Benchmarks/waits", what, "--count", str(count), "--binary", options.binary, "--json", "-"]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)[what]
    say(f"  {what}: measured")
    return found


def held(work, options):
    found = [waits(options, "streams", options.streams) for _ in range(1 if options.quick else options.rounds)]
    each = lambda one, key: (one[key] - one["memoryStart"]) / one["streams"] / KiB
    ours, theirs = ([each(one, key) for one in found] for key in ("memoryHeld", "memoryAnswered"))
    added = sorted(one - other for one, other in zip(ours, theirs))
    middle = len(found) // 2
    stopped = waits(options, "stopping", min(options.streams, 10_000))
    burst = waits(options, "burst", min(options.streams, 10_000))
    return [
        row(f"held: first-open streams at once, of {options.streams:,}", "streams", "higher", min(one["held"] for one in found), len(found)),
        row("held: memory of a connection with a first-open stream", "KiB", "lower", sorted(ours)[middle], len(found), against="an idle connection that was answered before",
            theirs=sorted(theirs)[middle], ratios=[one / other for one, other in zip(ours, theirs)], added=added[middle]),
        row("held: memory of an idle connection, new", "KiB", "lower", sorted(each(one, "memoryConnected") for one in found)[middle], len(found)),
        row(f"held: from SIGTERM to the end of the process, {stopped['held']:,} streams", "s", "lower", stopped["secondsToExit"], 1),
        row(f"held: streams without their last line, of {stopped['streams']:,} at SIGTERM", "streams", "lower",
            stopped["streams"] - stopped["endedWithStopping"], 1),
        row(f"held: memory that a connection keeps after a burst of {burst['answered']:,} first opens", "KiB", "lower", burst["bytesKept"] / KiB, 1,
            against="the connection itself", theirs=burst["bytesConnection"] / KiB, ratios=[burst["bytesKept"] / max(1, burst["bytesConnection"])]),
        row("held: memory that the same burst adds again, on new connections", "KiB", "lower",
            (burst["memoryAnsweredAgain"] - burst["memoryAnswered"]) / burst["answered"] / KiB, 1),
    ]
