# SPDX-License-Identifier: Apache-2.0
"""How a program and what it has started end."""
import ctypes, signal, subprocess, sys


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
