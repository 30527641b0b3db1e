# SPDX-License-Identifier: Apache-2.0
"""Calendars that are wrong, and then right again. Not libfaketime: with a clock that is behind, its timers wait for the machine's."""
import time

from disk import library
from fault import fault
from sharing import stop

WRONG = {"clock": ("5 minutes", 300), "clock-hour": ("an hour", 3600), "clock-day": ("a day", 86400)}


def jump(seconds):
    """While the server runs; it starts again meanwhile, and again when the clock is right."""
    def body(stage):
        stage.set_clock(seconds)
        time.sleep(4)
        stage.stop()
        stage.start()
        time.sleep(4)
        stage.set_clock(0)
        time.sleep(3)
        stage.stop()
        stage.start()
    return body


def skew(words, seconds):
    def body(stage):
        stop(stage, 0)
        stage.start(0, environment={"LD_PRELOAD": library(stage.folder, "clock.c"), "CLOCK_OFFSET": str(seconds)}, ready=False)
        time.sleep(10)
        if (answer := stage.nodes[0].ask("/readyz")).status == 200:
            stage.note(f"a node whose clock is {words} wrong says that it is ready: {answer.text}")
        stop(stage, 0)
        stage.start(0)
    return body


for name, (words, seconds) in WRONG.items():
    for suffix, side, sign in (("", "ahead", 1), ("-behind", "behind", -1)):
        fault(name + suffix, f"the clock of a node is {words} {side}, and then right again")(skew(words, sign * seconds))
        if seconds > 300:
            fault(
                name + suffix, f"the machine's clock jumps: {words} {side}, and back after 8 s; the server starts again before and after",
                "sqlite", clock=True, held=0.1)(jump(sign * seconds))
