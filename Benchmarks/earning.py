# SPDX-License-Identifier: Apache-2.0
"""Figures of a year of charges, warm, each in turn with SQLite's own sum over the rows of the same days; and how long it takes to verify
charges against what the App Store signed."""
import json, statistics, subprocess

from measuring import say

CHARGES, QUICK = 1_000_000, 100_000
# Verified in each run: one in 33 of the charges.
SHARE = 33
# Milliseconds at a million charges.
GOALS = {"a year by source": 300, "a month by source": 50}
VERIFIED_GOAL = 300_000


def revenue(options):
    charges = QUICK if options.quick else CHARGES
    originals = charges // SHARE
    say(f"  storing {charges:,} charges of a year, and {originals:,} signed purchases")
    found = json.loads(subprocess.run(
        [options.benchmarks, "revenue", "--charges", str(charges), "--originals", str(originals), "--rounds", "5"], check=True,
        stdout=subprocess.PIPE).stdout)
    return [item(figures, charges, originals, options.quick) for figures in found]


def item(figures, charges, originals, quick):
    ours, theirs = figures["ours"], figures["theirs"]
    ratios = [one / other for one, other in zip(ours, theirs)]
    if figures["name"] == "a year counted":
        name, goal = f"revenue: a year of {charges:,} charges counted", None
    elif figures["name"] == "verified":
        name, goal = f"revenue: {figures['rows']:,} signed purchases verified", VERIFIED_GOAL * figures["rows"] / CHARGES
    else:
        name, goal = f"revenue: {figures['name']}, {charges:,} charges, {figures['rows']:,} rows", GOALS.get(figures["name"])
    if quick:
        goal = None
    median = statistics.median(ours)
    return {
        "name": name, "unit": "ms", "better": "lower", "against": "SQLite's sum by currency" if ratios else None, "ours": median,
        "theirs": statistics.median(theirs) if ratios else None, "ratio": statistics.median(ratios) if ratios else None,
        "spread": [min(ratios), max(ratios)] if ratios else None, "rounds": len(ours), "goal": goal,
        "holds": None if goal is None else median <= goal, "through": "direct", "slowestMilliseconds": max(ours),
    }
