# SPDX-License-Identifier: Apache-2.0
"""What a figure depends on: cores, memory, the disk below a folder, and how long a sync of that disk takes."""
import os, pathlib, platform, statistics, time

from items import row

SYNCS = 200


def sync_times(folder, count=SYNCS):
    """Milliseconds of each write of 4 KiB with its sync, one after the other, in a file that grows as a log does."""
    path, times = pathlib.Path(folder) / "sync", []
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        for number in range(count):
            begun = time.perf_counter()
            os.pwrite(file, b"x" * 4096, number * 4096)
            os.fsync(file) if not hasattr(os, "fdatasync") else os.fdatasync(file)
            times.append((time.perf_counter() - begun) * 1e3)
    finally:
        os.close(file)
        path.unlink()
    return sorted(times)


def disk(folder):
    """The file system and the device of a folder, for example "ext4 on /dev/vda"."""
    try:
        lines = pathlib.Path("/proc/self/mounts").read_text().splitlines()
    except OSError:
        return "an unknown disk"
    folder, found = os.path.realpath(folder), ("", "", "")
    for device, place, kind, *_ in (line.split() for line in lines):
        inside = os.path.commonpath([folder, place]) == place
        if inside and len(place) >= len(found[0]):
            found = (place, kind, device)
    return f"{found[1]} on {found[2]}" if found[1] else "an unknown disk"


def known(folder):
    """Of this machine, with a sync measured now."""
    times = sync_times(folder)
    return {
        "cores": os.cpu_count(), "memoryGB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.machine()}", "disk": disk(folder),
        "syncMs": round(statistics.median(times), 3), "sync99Ms": round(times[len(times) * 99 // 100], 3)}


def items(measured):
    """Syncs of each part's begin, and what does not change: as figures."""
    syncs, last = [one["syncMs"] for one in measured], measured[-1]
    return [
        row(f"machine: a write of 4 KiB with its sync, {last['disk']}", "ms", "lower", statistics.median(syncs), len(syncs) * SYNCS,
            spread=[min(syncs), max(syncs)], p99Milliseconds=statistics.median(one["sync99Ms"] for one in measured)),
        row(f"machine: cores, {last['system']}", "cores", "higher", last["cores"], 1),
        row("machine: memory", "GB", "higher", last["memoryGB"], 1),
    ]


def sentence(machine):
    """For a page."""
    cores = {1: "one core", 2: "two cores", 4: "four cores"}.get(machine["cores"], f"{machine['cores']} cores")
    return (f"{cores}, {machine['memoryGB']} GB of memory, {machine['system']}; disk {machine['disk']}, where a write of 4 KiB with its sync took "
            f"{machine['syncMs']:.2f} ms (median; 99 of 100 within {machine['sync99Ms']:.2f} ms)")
