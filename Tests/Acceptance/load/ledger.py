# SPDX-License-Identifier: Apache-2.0
"""What was asked, what came back and how long it took, for each kind of call."""
import collections, math

# Steps of a factor of two: a figure is at most 4.5 % above the truth.
STEPS = 16
SAMPLES = 10


class Times:
    """How many calls took how long, in steps: its size does not grow with the calls."""

    def __init__(self):
        self.steps, self.count = collections.Counter(), 0

    def add(self, seconds):
        self.steps[int(math.log2(max(seconds, 1e-6) * 1e6) * STEPS)] += 1
        self.count += 1

    def milliseconds(self, share):
        """The upper edge of the step that this share of the calls is within; None without a call."""
        left = math.ceil(self.count * share)
        for step in sorted(self.steps):
            left -= self.steps[step]
            if left <= 0:
                return 2 ** ((step + 1) / STEPS) / 1e3
        return None


class Ledger:
    """`minute` holds what has come since `turn`; the rest is of the whole run."""

    def __init__(self):
        self.acknowledged, self.failures, self.samples = collections.Counter(), collections.Counter(), []
        self.turn()

    def turn(self):
        """Begins a new minute."""
        self.minute = collections.defaultdict(Times)
        self.late, self.errors, self.sent = Times(), 0, 0

    def took(self, kind, seconds):
        self.minute[kind].add(seconds)

    def fail(self, kind, sentence):
        self.errors += 1
        self.failures[kind] += 1
        if len(self.samples) < SAMPLES:
            self.samples.append(f"{kind}: {sentence}")

    def figures(self):
        return {
            "sent": self.sent, "errors": self.errors, "lateSendP99Milliseconds": self.late.milliseconds(0.99),
            "answers": {kind: times.count for kind, times in sorted(self.minute.items())},
            "p50Milliseconds": {kind: times.milliseconds(0.5) for kind, times in sorted(self.minute.items())},
            "p99Milliseconds": {kind: times.milliseconds(0.99) for kind, times in sorted(self.minute.items())},
        }
