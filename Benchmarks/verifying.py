# SPDX-License-Identifier: Apache-2.0
"""Transactions of the App Store that one core verifies in a second, beside the bare check of the same signatures."""
import json, subprocess

from items import compared
from measuring import say


def verifications(work, options):
    rounds = []
    for number in range(options.rounds):
        rounds.append(json.loads(subprocess.run([options.benchmarks, "verifications"], check=True, stdout=subprocess.PIPE).stdout))
        say(f"  verifications, round {number + 1} of {options.rounds}")
    return [
        compared(f"verifying: a transaction of {rounds[0]['bytes']} bytes, {name}", "transactions/s", "higher", "P-256 and SHA-256 alone",
                 [figures[key] for figures in rounds], [figures["barePerSecond"] for figures in rounds])
        for key, name in [("cachedPerSecond", "known certificates"), ("coldPerSecond", "new certificates")]]
