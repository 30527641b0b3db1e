# SPDX-License-Identifier: Apache-2.0
"""The time to paywall of simulated phones, beside the documented way and the limit in the same run (`landfall simulate --compare`)."""
import json, subprocess, sys

from items import row
from marking import flat
from measuring import ROOT, say

SEED, SEEDS = 4242, [4242, 777, *range(1, 9)]
PICTURE = "docs/pictures/time-to-paywall.svg"
COMMAND = "landfall simulate --phones 300 --seed {} --scenario {} --compare --json"
measured = {}  # The whole reports of this run: {(scenario, seed): report}.


def simulate(binary, *arguments):
    """The report of simulated phones."""
    command = [binary, "simulate", *arguments]
    # What it prints beside the document is of use only if it fails.
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"'{' '.join(map(str, command))}' ended with {done.returncode}:\n{done.stderr[-1000:]}")
    return json.loads(done.stdout)


def simulated(options, scenario, seed):
    picture = ["--svg", ROOT / PICTURE] if options.write and scenario == "typical" else []
    measured[scenario, seed] = simulate(
        options.binary, "--phones", str(options.phones), "--seed", str(seed), "--scenario", scenario, "--compare", "--json", *picture)
    say(f"  {scenario}, seed {seed}: measured")
    return measured[scenario, seed]


def behind(name, reports):
    """How many milliseconds phones are behind the limit, at two shares of them: the median of the seeds."""
    items = []
    for share in ("p50", "p90"):
        ours, theirs = ([report[side][share] * 1e3 for report in reports] for side in ("landfall", "limit"))
        ours, theirs = (sorted(values)[len(values) // 2] for values in (ours, theirs))
        late = sorted(report["behindLimit"][share] * 1e3 for report in reports)
        items.append(row(f"{name}: {share} of the time to paywall", "ms", "lower", ours, len(reports), against="the limit", theirs=theirs,
                         ratios=[ours / theirs], added=late[len(late) // 2]))
    documented = sorted(report["landfall"]["p50"] / report["documented"]["p50"] for report in reports)
    items.append(row(f"{name}: p50 of the time to paywall, beside the documented way", "ms", "lower", ours_of(reports, "landfall"), len(reports),
                     against="the documented sample", theirs=ours_of(reports, "documented"), ratios=documented))
    return items


def ours_of(reports, side):
    return sorted(report[side]["p50"] * 1e3 for report in reports)[len(reports) // 2]


def counts(name, reports):
    """What must not happen, over all seeds."""
    sides = [report["landfall"] for report in reports]
    possible = sum(side["possible"] for side in sides)
    missed = sum(round(side["possible"] * (1 - side["targetedOfPossible"])) for side in sides)
    return [
        row(f"{name}: phones targeted, of those that a perfect client could have told", "share", "higher", 1 - missed / max(1, possible), len(reports)),
        row(f"{name}: paywalls more than 50 ms late", "paywalls", "lower", sum(side["late"] for side in sides), len(reports)),
        row(f"{name}: phones without a paywall", "phones", "lower", sum(side["withoutPaywall"] for side in sides), len(reports)),
        row(f"{name}: requests per open", "requests", "lower", sum(side["requestsPerOpen"] for side in sides) / len(sides), len(reports)),
    ]


def typical(work, options):
    reports = [simulated(options, "typical", SEED)]
    name = f"typical, {options.phones} phones"
    return behind(name, reports) + counts(name, reports)


def hostile(work, options):
    seeds = SEEDS[:options.seeds]
    reports = [simulated(options, "hostile", seed) for seed in seeds]
    name = f"hostile, {options.phones} phones, seeds {', '.join(map(str, seeds))}"
    return behind(name, reports) + counts(name, reports)


def groups(part):
    """What pages show of a part: {group: (command, values)}; none for other parts."""
    if part not in ("typical", "hostile"):
        return {}
    found = {part: (COMMAND.format(SEED, part), flat(measured[part, SEED]))}
    reports = {seed: measured[part, seed]["landfall"] for seed in SEEDS if (part, seed) in measured}
    if part == "hostile" and len(reports) == len(SEEDS):
        found["hostile10"] = (COMMAND.format("N", part) + ", N = " + ", ".join(map(str, SEEDS)), of_seeds(reports))
    return found


def of_seeds(reports):
    """The share of the phones that a perfect client could have told, with all seeds and with the worst."""
    shares = {f"seed{seed}": side["targetedOfPossible"] for seed, side in reports.items()}
    possible = sum(side["possible"] for side in reports.values())
    missed = sum(round(side["possible"] * (1 - side["targetedOfPossible"])) for side in reports.values())
    return {"possible": possible, "missed": missed, "share": round(1 - missed / possible, 4), "least": min(shares.values()),
            "withoutPaywall": sum(side["withoutPaywall"] for side in reports.values())} | shares
