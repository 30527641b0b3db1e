# SPDX-License-Identifier: Apache-2.0
"""What machines carry: the arithmetic of docs/operating/scale.md and its picture, from stored figures; and the figures of script/load."""
import math, pathlib

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs/pictures/capacity.svg"
LOAD = "script/load --engine {engine} --minutes 5 --json -"
ONE_CORE = "script/load --cores 1 --minutes 0 --json -"

# docs/operating/sizing.md: what a new install a day brings with it, and what is kept of it in the end.
PAYWALLS, EVENTS, BUSIEST = 30, 20, 10
INSTALL_BYTES, KEPT_BYTES, ACTIVE = 2_228, 9_450_000, 10
GROWN, BACKUP, FREE = 1.25, 2.05, 0.9
# Reports, backups and the proxy have the other half.
HALF = 0.5
MACHINES = {"small": (2, 4, 100), "middle": (4, 16, 500), "large": (8, 64, 2_000)}
ENGINES = {"folder": "one folder", "postgres": "PostgreSQL"}


def by_cores(known, engine, cores):
    """New installs a day whose busiest second takes half of the cores."""
    if engine == "folder":
        of_each = (known["paths.firstOpens.cpu"] + PAYWALLS * known["paths.drawn.cpu"] + known["paths.redirect.cpu"]) / 1e6
        seconds = of_each + EVENTS * 2 / known["nodes.events.ours"]
    else:
        seconds = 2 * sum(count / known[f"nodes.{name}.ours"] for name, count in (("paywall", PAYWALLS), ("firstOpens", 1), ("events", EVENTS), ("redirect", 1)))
    return HALF * cores / seconds / BUSIEST * 86_400


def by_memory(gibibytes):
    """Twice the installs of a day, and 1 GiB."""
    return (gibibytes - 1) * 2**30 / (2 * ACTIVE * INSTALL_BYTES)


def by_disk(engine, gigabytes):
    """After about three years, when as much is deleted as is added."""
    each = KEPT_BYTES * GROWN * (BACKUP if engine == "folder" else 1) / FREE
    return gigabytes * 1e9 / each


def carried(known):
    """New installs a day by engine, machine and what would be full, in two digits: {"folder.small.disk": 3700}."""
    found = {}
    for engine in ENGINES:
        for name, (cores, memory, disk) in MACHINES.items():
            for what, value in (("cores", by_cores(known, engine, cores)), ("memory", by_memory(memory)), ("disk", by_disk(engine, disk))):
                found[f"{engine}.{name}.{what}"] = round(value, 1 - math.floor(math.log10(value)))
    return found


def draw(known):
    """A picture in powers of ten: for each machine how much its disk, its memory and its cores carry."""
    found, left, width, step = carried(known), 200, 500, 58
    low, high = 3, 8
    x = lambda value: left + width * (math.log10(value) - low) / (high - low)
    colours = {"disk": "#bf8700", "memory": "#0969da", "cores": "#2da44e"}
    bottom = 60 + step * len(ENGINES) * len(MACHINES)
    title = "New installs a day that each part of a machine carries"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 30}" font-family="system-ui, sans-serif" font-size="13" fill="#6e7781" role="img">',
        f"<title>{title}</title>", f'<text x="20" y="22" font-size="15">{title}</text>']
    for number, (what, colour) in enumerate(colours.items()):
        lines.append(f'<text x="{480 + 90 * number}" y="22" fill="{colour}">{what}</text>')
    for power in range(low, high + 1):
        lines += [f'<line x1="{x(10**power):.1f}" x2="{x(10**power):.1f}" y1="40" y2="{bottom}" stroke="#6e7781" stroke-opacity="0.3"/>',
                  f'<text x="{x(10**power):.1f}" y="{bottom + 18}" text-anchor="middle">{10**power:,}</text>']
    rows = [(engine, name) for name in MACHINES for engine in ENGINES]
    for row, (engine, name) in enumerate(rows):
        y, (cores, memory, disk) = 52 + step * row, MACHINES[name]
        lines += [f'<text x="{left - 12}" y="{y + 14}" text-anchor="end">{ENGINES[engine]}</text>',
                  f'<text x="{left - 12}" y="{y + 30}" text-anchor="end" font-size="11">{cores} cores, {memory} GiB, {disk:,} GB</text>']
        for number, (what, colour) in enumerate(colours.items()):
            value = found[f"{engine}.{name}.{what}"]
            lines.append(f'<rect x="{left}" y="{y + 14 * number}" width="{x(value) - left:.1f}" height="11" fill="{colour}"><title>{what}: {value:,.0f}</title></rect>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def figures(report):
    """Of a run of script/load, what pages may show."""
    found, minutes = {"limit": round(report["limitPerSecond"])}, report.get("byMinute")
    if not minutes:
        return found
    middle = sorted(minutes, key=lambda minute: minute["serverCores"])[len(minutes) // 2]
    return found | {
        "rate": round(report["ratePerSecond"]), "minutes": report["minutes"], "errors": report["errors"], "lost": sum(report["lost"].values()),
        "sent": sum(minute["sent"] for minute in minutes), "memoryRatio": round(report["memory"]["ratio"], 3),
        "memoryMiB": round(minutes[-1]["residentBytes"] / 2**20),
        "p99": {kind: round(max(minute["p99Milliseconds"][kind] for minute in minutes), 1) for kind in minutes[-1]["p99Milliseconds"]},
        **{name: round(middle[name], 2) for name in ("serverCores", "databaseCores", "callersCores")},
        "othersCores": round(max(minute["othersCores"] for minute in minutes), 2)}
