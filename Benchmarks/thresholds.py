# SPDX-License-Identifier: Apache-2.0
"""The goals of thresholds.json: {"name of a figure, or a pattern with *": 0.95, or {"goal": 20, "of": "added", "full": true}}.

A goal is compared with the ratio of the figure if it has one, otherwise with the figure itself; `of` names another measurement: ours, p99,
slowest, or added (ours minus theirs). What is better, higher or lower, decides the direction. `full` goals do not apply to the sizes of --quick.
A figure is held against the first entry that fits."""
import fnmatch, json, pathlib

FILE = pathlib.Path(__file__).with_name("thresholds.json")
MEASURES = {"ratio": "ratio", "ours": "ours", "added": "added", "p99": "p99Milliseconds", "slowest": "slowestMilliseconds"}


def goals():
    """Each entry as (pattern, goal, measure or None, whether only for full sizes)."""
    found = []
    for pattern, entry in json.loads(FILE.read_text()).items():
        entry = entry if isinstance(entry, dict) else {"goal": entry}
        measure = entry.get("of")
        if set(entry) - {"goal", "of", "full"} or measure not in (None, *MEASURES):
            raise ValueError(f"thresholds.json: '{pattern}' has goal, of ({', '.join(MEASURES)}) and full.")
        found.append((pattern, entry["goal"], measure, entry.get("full", False)))
    return found


def goal_of(name, known=None):
    return next((entry for entry in known or goals() if entry[0] == name or "*" in entry[0] and fnmatch.fnmatchcase(name, entry[0])), None)


def hold(items, quick=False):
    """Gives each figure its goal, and says whether it holds."""
    known = goals()
    for item in items:
        item |= {"goal": None, "holds": None}
        entry = goal_of(item["name"], known)
        if not entry or quick and entry[3]:
            continue
        _, goal, measure, _ = entry
        measure = measure or ("ratio" if item["ratio"] is not None else "ours")
        value = item[MEASURES[measure]]
        item["goal"], item["holds"] = goal, value >= goal if item["better"] == "higher" else value <= goal
        unit = "" if measure == "ratio" else f" {item['unit']}" if measure in ("ours", "added") else " ms"
        words = {"ratio": "ratio", "ours": "", "added": "more than beside it:", "p99": "p99", "slowest": "the slowest"}[measure]
        sign = "≥" if item["better"] == "higher" else "≤"
        item["goalSentence"] = f"{words} {value:,.4g}{unit}, goal {sign} {goal:,g}{unit}".strip()
    return items
