# SPDX-License-Identifier: Apache-2.0
"""Disks that are full, read-only, broken or stopped for a while, under a server with SQLite."""
import time

from fault import fault

SECONDS = 6


def fails(state, refuses=True):
    """A disk of our own, see disk.c."""
    def body(stage):
        time.sleep(2)
        refused = stage.memory.statuses[503]
        stage.disk.set(state)
        time.sleep(SECONDS)
        # Reads go on: the answer of a link that is there needs no write.
        answer = stage.server.ask("/healthz")
        if answer.status != 200:
            stage.note(f"while the disk fails, /healthz is answered with {answer}")
        stage.disk.set(b"WW")
        if refuses and stage.memory.statuses[503] == refused:
            stage.note("no write was refused")
    return body


fault("read-only", f"the file system is read-only for {SECONDS} s", "sqlite", failing=True, held=0.1)(fails(b"RW"))
fault("no-room", f"every write finds the disk full for {SECONDS} s", "sqlite", failing=True, held=0.1)(fails(b"FW"))
fault("broken-disk", f"every write and sync ends with an I/O error for {SECONDS} s", "sqlite", failing=True, held=0.1)(fails(b"IW"))
fault("disk-hangs", f"syncs of the disk do not end for {SECONDS} s", "sqlite", failing=True, held=0.1)(fails(b"HW", refuses=False))


@fault("disk-full", f"the disk is full for {SECONDS} s", "sqlite", size=96, held=0.1)
def fill(stage):
    ballast, refused = stage.root / "ballast", stage.memory.statuses[503]
    with open(ballast, "wb") as file:
        try:
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        except OSError:
            pass
    time.sleep(SECONDS)
    ballast.unlink()
    if stage.memory.statuses[503] == refused:
        stage.note("no write was refused")
