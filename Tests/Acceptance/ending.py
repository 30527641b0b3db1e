# SPDX-License-Identifier: Apache-2.0
"""How a program waits for what it has started, and how both end."""
import contextlib, ctypes, signal, subprocess, sys, time


def ends_when_asked():
    """At SIGTERM this program leaves its blocks, as at Ctrl-C, and with them what it has started."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def ends_with_us(how=signal.SIGKILL):
    """Runs in a new process: it ends when the thread that started it is gone, even if this program was killed. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, how)


def stop(process, seconds=30, how=signal.SIGTERM):
    """Asks a process to end, and kills it after that time. Whether it ended by itself."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        process.wait(seconds)
        return True
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False


def until(holds, seconds, sentence):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(f"{sentence}: not within {seconds} s.")
        time.sleep(0.05)


class Built(contextlib.ExitStack):
    """Starts its parts in `build`. What has started also ends if the rest does not."""

    def __enter__(self):
        with contextlib.ExitStack() as entered:
            entered.push(self)
            self.build()
            entered.pop_all()
        return self
