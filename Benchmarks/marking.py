# SPDX-License-Identifier: Apache-2.0
"""The numbers of README and docs: docs/figures.json has them, and a comment in front of each number of a page names it.

<!-- figure: typical.landfall.p50 -->0.69 s is a number. The text in the page decides how many decimals it shows. A share before "%" is
multiplied by 100. If the page's number is above 1,000 and ends with zeros, the new number is rounded to as many zeros.
Before a number is measured for the first time a page has – in its place.
<!-- measured: paths -->A sentence.<!-- end --> says when and on which machine a group of numbers was measured.
<!-- goal: paths: healthz -->0.95 is a goal of Benchmarks/thresholds.json."""
import datetime, json, pathlib, re, subprocess, sys

import capacity, machine, thresholds

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "docs/figures.json"
# A number, or – before the first measurement.
MARK = re.compile(r"(<!-- figure: (\S+) -->)(\d[\d,]*(?:\.\d+)?|–)( ?%)?")
MEASURED = re.compile(r"(<!-- measured: (\S+) -->).*?(<!-- end -->)", re.S)
GOAL = re.compile(r"(<!-- goal: (.+?) -->)(\d[\d,]*(?:\.\d+)?)( ?%)?")


def say(text):
    print(text, file=sys.stderr, flush=True)


def flat(value, prefix=""):
    """{"landfall": {"p50": 1}} becomes {"landfall.p50": 1}; values that are not numbers are left out."""
    if isinstance(value, dict):
        return {name: number for key, inner in value.items() for name, number in flat(inner, f"{prefix}{key}.").items()}
    return {prefix[:-1]: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}


def stored():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def store(name, command, values, on):
    """Puts the values of a group into the file; a new group goes to its end. `on` is the machine with its disk and sync time."""
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    figures = stored()
    figures[name] = {"command": command, "date": today, "machine": machine.sentence(on), "on": on, "values": values}
    FILE.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


def shown(value, text, percent):
    """`value` in the form of `text`, the present text of a page: as many decimals, the same rounding, thousands with commas."""
    value = value * 100 if percent else value
    if text == "–":
        text = "1,000" if value >= 1000 else "100" if value >= 100 else "0.0" if value >= 10 else "0.00"
    decimals = len(text.partition(".")[2])
    zeros = 0
    if not decimals and value >= 1000:
        zeros = min(2, len(text) - len(text.rstrip("0")))
    return f"{round(value, decimals - zeros):,.{decimals}f}"


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in sorted(set(listed.stdout.splitlines())) if (ROOT / name).exists()]


def values():
    """What is stored, and under `capacity` what follows from it."""
    known = {f"{name}.{key}": value for name, figure in stored().items() for key, value in figure["values"].items()}
    return known | {f"capacity.{name}": value for name, value in capacity.carried(known).items()}


def sentence(figure):
    day = datetime.date.fromisoformat(figure["date"])
    disk = "" if "on" in figure else "; disk and sync time were not noted"
    return f"Measured on {day.day} {day:%B %Y}: {figure['machine']}{disk}."


def written(text):
    """The text of a page with the present numbers, goals and sentences; and what it asks for that is not known."""
    known, figures, unknown = values(), stored(), []
    goals = {pattern: goal for pattern, goal, *_ in thresholds.goals()}

    def number(mark):
        if mark[2] in known:
            return mark[1] + shown(known[mark[2]], mark[3], mark[4]) + (mark[4] or "")
        if mark[3] == "–":
            return mark[0]
        unknown.append((mark.start(), f"docs/figures.json has no figure '{mark[2]}'"))
        return mark[0]

    def measured(mark):
        if mark[2] in figures:
            return mark[1] + sentence(figures[mark[2]]) + mark[3]
        return mark[1] + "Not measured yet on a machine that does nothing else." + mark[3]

    def goal(mark):
        if mark[2] in goals:
            return mark[1] + (f"{goals[mark[2]] * 100:g}" if mark[4] else f"{goals[mark[2]]:,g}") + (mark[4] or "")
        unknown.append((mark.start(), f"Benchmarks/thresholds.json has no goal '{mark[2]}'"))
        return mark[0]

    return GOAL.sub(goal, MEASURED.sub(measured, MARK.sub(number, text))), unknown


def write_pages():
    capacity.PICTURE.write_text(capacity.draw(values()))
    changed = 0
    for page in pages():
        text = page.read_text()
        new, _ = written(text)
        if new != text:
            page.write_text(new)
            changed += 1
    say(f"{changed} page(s) have new numbers.")


def problems():
    """Where pages differ from the files; and how many numbers were compared."""
    found, count = [], 0
    for page in pages():
        place, text = page.relative_to(ROOT), page.read_text()
        marks = [mark for pattern in (MARK, MEASURED, GOAL) for mark in pattern.finditer(text)]
        count += len(marks)
        new, unknown = written(text)
        found += [f"{place}:{text.count(chr(10), 0, start) + 1}: {words}." for start, words in unknown]
        if new != text:
            line = next((number for number, (old, now) in enumerate(zip(text.splitlines(), new.splitlines()), 1) if old != now), 0)
            found.append(f"{place}:{line}: not as docs/figures.json and Benchmarks/thresholds.json say. Run Benchmarks/figures --pages.")
        for word in ("figure", "measured", "goal"):
            if text.count(f"<!-- {word}:") != sum(mark[0].startswith(f"<!-- {word}:") for mark in marks):
                found.append(f"{place}: a mark of a {word} has nothing behind it.")
    if capacity.PICTURE.read_text() != capacity.draw(values()):
        found.append("docs/pictures/capacity.svg is not that of docs/figures.json. Run Benchmarks/figures --pages.")
    return found, count
