# SPDX-License-Identifier: Apache-2.0
"""Figures of a year of charges, warm, each in turn with SQLite's own sum over the rows of the same days; and how long it takes to verify
charges against what the App Store signed."""
import json, subprocess

from items import alone, compared
from measuring import say

CHARGES, QUICK = 1_000_000, 30_000
# Verified in each run: one in 33 of the charges.
SHARE = 33


def revenue(work, options):
    charges = QUICK if options.quick else CHARGES
    originals = charges // SHARE
    say(f"  storing {charges:,} charges of a year, and {originals:,} signed purchases")
    found = json.loads(subprocess.run(
        [options.benchmarks, "revenue", "--charges", str(charges), "--originals", str(originals), "--rounds", "5"], check=True,
        stdout=subprocess.PIPE).stdout)
    return [item(figures, charges) for figures in found]


def item(figures, charges):
    if figures["name"] == "a year counted":
        name = f"revenue: a year of {charges:,} charges counted"
    elif figures["name"] == "verified":
        name = f"revenue: {figures['rows']:,} signed purchases verified"
    else:
        name = f"revenue: {figures['name']}, {charges:,} charges, {figures['rows']:,} rows"
    ours, theirs = figures["ours"], figures["theirs"]
    if theirs:
        return compared(name, "ms", "lower", "SQLite's sum by currency", ours, theirs, slowestMilliseconds=max(ours))
    return alone(name, "ms", "lower", ours, slowestMilliseconds=max(ours))
