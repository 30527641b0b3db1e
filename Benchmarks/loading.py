# SPDX-License-Identifier: Apache-2.0
"""The figures of script/load, and the picture of what they carry: docs/pictures/capacity.svg."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/pictures/capacity.svg"
# The share of the limit at which script/load runs, and how many times the average the busiest second has.
SHARE, BUSIEST = 0.7, 10
COMMAND = "script/load --engine {engine} --minutes 5 --json -"
ONE_CORE = "script/load --cores 1 --minutes 0 --json -"
BARS = {"loadOneCore": "one folder, one core of its own", "load": "one folder, two cores shared", "loadPostgres": "PostgreSQL, two cores shared"}
PHONES = ("firstOpen", "adToken", "paywall", "tap", "events")


def per_day(limit, shares):
    """New installs a day whose busiest second is SHARE of the limit, with the other calls that the mix has for each of them."""
    return limit * SHARE * shares["firstOpen"] / 100 / BUSIEST * 86_400


def figures(report):
    """What the pages show of one run."""
    found = {"limit": round(report["limitPerSecond"]), "perDay": round(per_day(report["limitPerSecond"], report["shares"]))}
    minutes = report.get("byMinute")
    if not minutes:
        return found
    middle = sorted(minutes, key=lambda minute: minute["serverCores"])[len(minutes) // 2]
    return found | {
        "rate": round(report["ratePerSecond"]), "minutes": report["minutes"], "errors": report["errors"], "lost": sum(report["lost"].values()),
        "sent": sum(minute["sent"] for minute in minutes), "memoryRatio": round(report["memory"]["ratio"], 3),
        "memoryMiB": round(minutes[-1]["residentBytes"] / 2**20), "p99": {
            kind: round(max(minute["p99Milliseconds"][kind] for minute in minutes), 1) for kind in minutes[-1]["p99Milliseconds"]},
        "serverCores": round(middle["serverCores"], 2), "databaseCores": round(middle["databaseCores"], 2), "callersCores": round(middle["callersCores"], 2)}


def draw(known):
    """The picture, from the stored figures; nothing if one of them is missing."""
    values = {name: known.get(f"{name}.perDay") for name in BARS}
    if None in values.values():
        return
    left, width, step = 230, 470, 44
    unit = next(unit for unit in (100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000) if max(values.values()) / unit <= 6)
    most = unit * (int(max(values.values()) / unit) + 1)
    bottom = 50 + step * len(BARS)
    title = "New installs a day whose busiest second is 70 % of the measured limit"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {bottom + 34}" font-family="system-ui, sans-serif" font-size="13" fill="#6e7781" role="img">',
        f"<title>{title}</title>", f'<text x="20" y="22" font-size="15">{title}</text>']
    for mark in range(0, most + 1, unit):
        x = left + width * mark / most
        lines += [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="40" y2="{bottom}" stroke="#6e7781" stroke-opacity="0.3"/>',
                  f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{mark:,}</text>']
    for number, (name, text) in enumerate(BARS.items()):
        y, value = 52 + step * number, values[name]
        lines += [f'<text x="{left - 10}" y="{y + 17}" text-anchor="end">{text}</text>',
                  f'<rect x="{left}" y="{y}" width="{width * value / most:.1f}" height="26" fill="#2da44e"><title>{round(value, -3):,}</title></rect>']
    PICTURE.write_text("\n".join([*lines, "</svg>"]) + "\n")
