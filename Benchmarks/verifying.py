# SPDX-License-Identifier: Apache-2.0
"""Transactions of the App Store that one core verifies in a second, beside the bare check of the same signatures."""
import json, statistics, subprocess

from measuring import say


def verifications(options):
    rounds = []
    for number in range(options.rounds):
        rounds.append(json.loads(subprocess.run([options.benchmarks, "verifications"], check=True, stdout=subprocess.PIPE).stdout))
        say(f"  verifications, round {number + 1} of {options.rounds}")
    items = []
    for key, name, goal in [("cachedPerSecond", "known certificates", 0.8), ("coldPerSecond", "new certificates", None)]:
        ratios = [figures[key] / figures["barePerSecond"] for figures in rounds]
        items.append({
            "name": f"verifying: a transaction of {rounds[0]['bytes']} bytes, {name}", "unit": "transactions/s", "better": "higher",
            "against": "P-256 and SHA-256 alone", "ours": statistics.median(figures[key] for figures in rounds),
            "theirs": statistics.median(figures["barePerSecond"] for figures in rounds), "ratio": statistics.median(ratios),
            "spread": [min(ratios), max(ratios)], "rounds": len(rounds), "goal": goal,
            "holds": None if goal is None else statistics.median(ratios) >= goal, "through": "direct",
        })
    return items
