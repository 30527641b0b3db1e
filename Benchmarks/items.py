# SPDX-License-Identifier: Apache-2.0
"""The figures of Benchmarks/run: how one is made, which document they are, and how they are printed.

A figure is "ours", and "theirs" of the same run beside it where something can be compared. Its ratio is the median over the rounds of ours ÷
theirs of one round, its spread the least and the greatest. Further measurements of the same calls are further figures in the document."""
import statistics

KEYS = ("name", "unit", "better", "against", "ours", "theirs", "ratio", "spread", "rounds", "goal", "holds", "through")
# Further measurements that a figure may carry: their words in a name, and their unit.
FURTHER = {
    "p50Milliseconds": ("p50", "ms"), "p99Milliseconds": ("p99", "ms"), "slowestMilliseconds": ("the slowest", "ms"),
    "cpuMicroseconds": ("CPU of a request", "µs"), "switches": ("thread switches of a request", "switches"),
    "fromMemory": ("installs from memory", "share"), "added": ("more than beside it", None),
}


def row(name, unit, better, ours, rounds, *, against=None, theirs=None, ratios=(), spread=None, through="direct", **further):
    """A figure. Its goal comes from thresholds.json, when all are there."""
    return {
        "name": name, "unit": unit, "better": better, "against": against, "ours": ours, "theirs": theirs,
        "ratio": statistics.median(ratios) if ratios else None, "spread": [min(ratios), max(ratios)] if ratios else spread, "rounds": rounds,
        "goal": None, "holds": None, "through": through, **further}


def compared(name, unit, better, against, ours, theirs, through="direct", **further):
    """A figure of as many rounds as there are values, each beside the other's value of the same round."""
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return row(name, unit, better, statistics.median(ours), len(ours), against=against, theirs=statistics.median(theirs), ratios=ratios,
               through=through, **further)


def alone(name, unit, better, values, through="direct", **further):
    """A figure that has nothing beside it: the median of the values."""
    return row(name, unit, better, statistics.median(values), len(values), spread=[min(values), max(values)], through=through, **further)


def document(items):
    """The items as they are written: exactly the agreed keys, and each further measurement as an item."""
    written = []
    for item in items:
        written.append({key: item[key] for key in KEYS})
        for key, (words, unit) in FURTHER.items():
            if isinstance(item.get(key), (int, float)):
                better = "higher" if key == "fromMemory" else "lower"
                more = row(f"{item['name']}, {words}", unit or item["unit"], better, item[key], item["rounds"], through=item["through"])
                written.append({name: more[name] for name in KEYS})
    return written


def shown(value, unit):
    """With three digits at least."""
    digits = 0 if abs(value) >= 1000 or unit == "bytes" else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 4
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(items):
    width = max((len(item["name"]) for item in items), default=0)
    for item in items:
        ours = f"{shown(item['ours'], item['unit']):>10} {item['unit']:14}"
        beside = ""
        if item["ratio"] is not None:
            spread = f" ({item['spread'][0]:.2f}–{item['spread'][1]:.2f})" if item["spread"] else ""
            beside = f"{item['ratio']:,.2f}{spread} × {item['against']}: {shown(item['theirs'], item['unit'])}"
        further = ", ".join(
            f"{words} {shown(item[key], unit or item['unit'])} {unit or item['unit']}" for key, (words, unit) in FURTHER.items()
            if isinstance(item.get(key), (int, float)))
        print("  ".join(part for part in (f"{item['name']:{width}}", ours, beside, further) if part).rstrip())


def verdict(items, output):
    """Prints which goals hold. Whether all do."""
    with_goal = [item for item in items if item["goal"] is not None]
    for item in with_goal:
        print(f"{'✔' if item['holds'] else '✘'} {item['name']}: {item['goalSentence']}", file=output)
    failed = [item for item in with_goal if not item["holds"]]
    print(f"{len(with_goal) - len(failed)} of {len(with_goal)} goals hold." if with_goal else "No figure of this run has a goal.", file=output)
    return not failed
