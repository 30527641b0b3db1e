# SPDX-License-Identifier: Apache-2.0
"""Runs the same rules in the engines of other systems, for Benchmarks/run: engines.py TRIAL SECONDS. Needs the installed engines.

TRIAL is a file of `deciding.trial`. Prints for each engine its version, its decisions in a CPU second on one thread, and its decision for
each profile. Contexts are prepared before the clock starts, and the engines send no reports.
"""
import contextlib, importlib.metadata, json, logging, os, sys, tempfile, time

logging.disable(logging.CRITICAL)


def growthbook(trial):
    from growthbook import GrowthBook

    words = {"in": "$in", "is": "$eq", "atLeast": "$gte", "versionAtLeast": "$vgte"}

    def condition(conditions):
        return {c["name"]: {"$regex": "^" + c["value"]} if c["test"] == "startsWith" else {words[c["test"]]: c["value"]} for c in conditions}

    rules = [{"condition": condition(a["conditions"]), "force": a["name"]} for a in trial["audiences"]]
    features = {"paywall": {"defaultValue": "everyone", "rules": rules}}
    books = [GrowthBook(attributes={"id": f"u{n}", **p}, features=features) for n, p in enumerate(trial["profiles"])]
    return lambda n: books[n].eval_feature("paywall").value


def flagsmith(trial):
    from flag_engine.engine import get_evaluation_result

    words = {"in": "IN", "is": "EQUAL", "atLeast": "GREATER_THAN_INCLUSIVE", "versionAtLeast": "GREATER_THAN_INCLUSIVE", "startsWith": "REGEX"}

    def condition(c):
        value = c["value"] if c["test"] == "in" else str(c["value"])
        value = value + ":semver" if c["test"] == "versionAtLeast" else "^" + value if c["test"] == "startsWith" else value
        return {"property": c["name"], "operator": words[c["test"]], "value": value}

    def feature(value, priority):
        return {"key": "1", "name": "paywall", "enabled": True, "value": value, "priority": priority}

    segments = {
        a["name"]: {
            "key": a["name"], "name": a["name"], "rules": [{"type": "ALL", "conditions": [condition(c) for c in a["conditions"]]}],
            "overrides": [feature(a["name"], n)],
        } for n, a in enumerate(trial["audiences"])}
    contexts = [{
        "environment": {"key": "e", "name": "e"}, "identity": {"identifier": f"u{n}", "key": f"u{n}", "traits": profile},
        "segments": segments, "features": {"paywall": feature("everyone", 1e9)},
    } for n, profile in enumerate(trial["profiles"])]
    return lambda n: get_evaluation_result(contexts[n])["flags"]["paywall"]["value"]


def unleash(trial):
    from UnleashClient import UnleashClient
    from UnleashClient.cache import FileCache

    def constraint(c):
        if c["test"] in ("in", "is"):
            return {"contextName": c["name"], "operator": "IN", "values": c["value"] if c["test"] == "in" else [c["value"]]}
        if c["test"] == "startsWith":
            return {"contextName": c["name"], "operator": "STR_STARTS_WITH", "values": [c["value"]]}
        if c["test"] == "atLeast":
            return {"contextName": c["name"], "operator": "NUM_GTE", "value": str(c["value"])}
        # There is no "at least" for versions: "not below" means the same.
        return {"contextName": c["name"], "operator": "SEMVER_LT", "value": c["value"], "inverted": True}

    strategies = [{
        "name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "default", "groupId": "paywall"},
        "constraints": [constraint(c) for c in a["conditions"]],
        "variants": [{"name": a["name"], "weight": 1000, "stickiness": "default"}],
    } for a in trial["audiences"]]
    everyone = {"name": "default", "parameters": {}, "constraints": [], "variants": [{"name": "everyone", "weight": 1000, "stickiness": "default"}]}
    toggle = {"name": "paywall", "type": "release", "enabled": True, "strategies": strategies + [everyone], "variants": []}
    cache = FileCache("landfall", directory=tempfile.mkdtemp())
    cache.bootstrap_from_dict({"version": 2, "features": [toggle]})
    client = UnleashClient("http://127.0.0.1:9/api", "landfall", disable_metrics=True, disable_registration=True, cache=cache)
    client.initialize_client(fetch_toggles=False)
    contexts = [{"userId": f"u{n}", "properties": {k: str(v) for k, v in p.items()}} for n, p in enumerate(trial["profiles"])]
    return lambda n: client.get_variant("paywall", contexts[n])["name"]


def main():
    trial = json.load(open(sys.argv[1]))
    seconds = float(sys.argv[2])
    count = len(trial["profiles"])
    answers = {}
    for name, package, engine in [("growthbook", "growthbook", growthbook), ("flagsmith", "flagsmith-flag-engine", flagsmith), ("unleash", "UnleashClient", unleash)]:
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            decide = engine(trial)
            chosen = [decide(n) for n in range(count)]
            done, started = 0, time.thread_time()
            while time.thread_time() - started < seconds:
                for n in range(0, count, max(1, count // 50)):
                    decide(n)
                    done += 1
            rate = done / (time.thread_time() - started)
        answers[name] = {"version": f"{package} {importlib.metadata.version(package)}", "perSecond": rate, "chosen": chosen}
    print(json.dumps(answers))
    sys.stdout.flush()
    # A client may have threads that still wait for a server.
    os._exit(0)


main()
