# SPDX-License-Identifier: Apache-2.0
"""What an acceptance program claims, one line for each claim."""
import sys


class Claims:
    def __init__(self):
        self.broken = []

    def check(self, claim, holds, but=""):
        """A line for a claim; `but` is what is instead, if it does not hold."""
        if holds:
            print(f"✔ {claim}", flush=True)
        else:
            self.deny(f"{claim} ({but})" if but else claim)

    def deny(self, sentence):
        """A line for what does not hold."""
        print(f"✘ {sentence}", flush=True)
        self.broken.append(sentence)

    def end(self, success):
        """Ends the program with 1 if a claim does not hold."""
        if self.broken:
            sys.exit(f"{len(self.broken)} problem(s), each marked with ✘ above.")
        print(success)
