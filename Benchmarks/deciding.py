# SPDX-License-Identifier: Apache-2.0
"""Decisions a second on one core, compared with the engines of three other systems with the same rules in the same run."""
import json, pathlib, random, statistics, subprocess, sys, tempfile, venv

from items import alone, compared
from measuring import say

ENGINES = ["growthbook==4.0.0", "flagsmith-flag-engine==11.1.1", "UnleashClient==6.9.1"]
COUNTRIES = ["US", "CA", "GB", "DE", "FR", "JP", "BR", "IN", "KR", "MX", "ES", "IT"]
PLANS = ["free", "trial", "pro-monthly", "pro-yearly", "family-monthly", "family-yearly"]


def trial(audiences, profiles=500, seed=1):
    """Rules of three conditions each, like those of campaigns. Few profiles match a rule: most have to be compared with all rules."""
    draw = random.Random(seed)

    def rule(n):
        country = {"name": "country", "test": "in", "value": sorted(draw.sample(COUNTRIES, 3))}
        version = {"name": "appVersion", "test": "versionAtLeast", "value": f"{draw.randint(1, 4)}.{draw.randint(0, 12)}.0"}
        campaign = {"name": "campaign", "test": "in", "value": [str(542370000 + draw.randint(0, 99)) for _ in range(8)]}
        sessions = {"name": "sessions", "test": "atLeast", "value": draw.randint(3, 60)}
        plan = {"name": "plan", "test": "startsWith", "value": draw.choice(["pro", "family", "trial"])}
        language = {"name": "language", "test": "is", "value": draw.choice(["en", "de", "ja", "pt"])}
        return {"name": f"a{n}", "conditions": [[campaign, country, version], [country, sessions, plan], [language, campaign, sessions]][n % 3]}

    return {
        "audiences": [rule(n) for n in range(audiences)],
        "profiles": [{
            "country": draw.choice(COUNTRIES), "language": draw.choice(["en", "de", "ja", "pt", "fr"]),
            "appVersion": f"{draw.randint(1, 4)}.{draw.randint(0, 12)}.{draw.randint(0, 3)}", "campaign": str(542370000 + draw.randint(0, 99)),
            "sessions": draw.randint(0, 50), "plan": draw.choice(PLANS),
        } for _ in range(profiles)],
    }


def yaml(trial):
    """The same rules as a landfall.yaml."""
    names = {"country": "country", "language": "language", "appVersion": "app.version"}
    words = {"in": "in", "is": "is", "atLeast": '">="', "versionAtLeast": '">="', "startsWith": "startsWith"}

    def value(value):
        return "[" + ", ".join(f'"{v}"' for v in value) + "]" if isinstance(value, list) else json.dumps(value)

    lines = [
        "app: { id: example, bundleId: com.example.app }", "keys: [{ sdk: pk_demo }]",
        "attributes: { campaign: string, sessions: number, plan: string }", "paywalls:", "  everyone: {}"]
    lines += [f"  {a['name']}: {{}}" for a in trial["audiences"]]
    lines += ["audiences:"]
    for audience in trial["audiences"]:
        tests = [f"{names.get(c['name'], 'attributes.' + c['name'])}: {{ {words[c['test']]}: {value(c['value'])} }}" for c in audience["conditions"]]
        lines.append(f"  {audience['name']}: {{ {', '.join(tests)} }}")
    offers = [f"{{ audience: {a['name']}, paywall: {a['name']} }}" for a in trial["audiences"]] + ["{ audience: everyone, paywall: everyone }"]
    return "\n".join(lines + [f"placements: {{ paywall: [{', '.join(offers)}] }}"]) + "\n"


def python():
    """A Python environment with the other engines, made once."""
    folder = pathlib.Path(tempfile.gettempdir()) / "landfall-benchmarks" / "engines"
    if not (folder / "made").exists():
        say("  installing " + ", ".join(ENGINES))
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", *ENGINES], check=True)
        (folder / "made").touch()
    return folder / "bin/python"


def decisions(work, options):
    items = []
    engines = python()
    for count in [10] if options.quick else [10, 50]:
        rules = trial(count)
        file = work / f"decisions-{count}.json"
        file.write_text(json.dumps({**rules, "yaml": yaml(rules)}))
        rounds = []
        for number in range(options.rounds):
            ours = json.loads(subprocess.run([options.benchmarks, "decisions", file], check=True, stdout=subprocess.PIPE).stdout)
            theirs = json.loads(subprocess.run([engines, pathlib.Path(__file__).parent / "engines.py", file, "1"], check=True, stdout=subprocess.PIPE).stdout)
            for name, engine in theirs.items():
                if engine["chosen"] != ours["chosen"]:
                    sys.exit(f"{name} decides otherwise for {sum(a != b for a, b in zip(engine['chosen'], ours['chosen']))} of {len(ours['chosen'])} profiles.")
            rounds.append((ours, theirs))
            say(f"  {count} audiences, round {number + 1} of {options.rounds}")
        items += of(count, rounds)
    return items


def of(count, rounds):
    """A figure for each engine, and the time of one decision."""
    rates = [ours["perSecond"] for ours, _ in rounds]
    others = {name: [theirs[name]["perSecond"] for _, theirs in rounds] for name in rounds[0][1]}
    fastest = max(others, key=lambda name: statistics.median(others[name]))
    items = [
        compared(f"decisions: {count} audiences, beside {name}{', the fastest' if name == fastest else ''}", "decisions/s", "higher",
                 rounds[0][1][name]["version"], rates, theirs) for name, theirs in others.items()]
    for key, name in [("microseconds", "one decision"), ("microsecondsWithFacts", "one decision, with its facts made anew")]:
        items.append(alone(f"decisions: {count} audiences, {name}", "µs", "lower", [ours[key] for ours, _ in rounds]))
    return items
