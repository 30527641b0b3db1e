# SPDX-License-Identifier: Apache-2.0
"""How long the results of a large experiment take, counted anew from the store for each call."""
import http.client, json, statistics, subprocess, sys, time

from measuring import node, say
from publishing import call, item

CALLS = 5


def with_experiment(yaml):
    """The experiment of the store, by the metric of the example. The benchmark's server key may read reports."""
    yaml = yaml.replace("serverFrom: LANDFALL_SERVER_KEY", "serverFrom: LANDFALL_SERVER_KEY\n    may: [reports]", 1)
    return yaml + """
experiments:
  spring-price:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default } }
    primary: trial
"""


def results(work, options):
    folder = work / "results" / "data"
    folder.mkdir(parents=True)
    say(f"  storing {options.units:,} units")
    subprocess.run([options.benchmarks, "stored-experiment", folder, "--units", str(options.units)], check=True, timeout=600)
    rounds = []
    with node(work / "results", options.binary, [], with_experiment) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        for number in range(options.rounds):
            times = []
            for _ in range(CALLS):
                begun = time.perf_counter()
                answer = json.loads(call(connection, "GET", "/v1/experiments/spring-price/results"))
                times.append((time.perf_counter() - begun) * 1e3)
            checked(answer, options.units)
            rounds.append(times)
            say(f"  round {number + 1} of {options.rounds}: median {statistics.median(times):.0f} ms")
    return [item(f"results: an experiment with {options.units:,} units", rounds)]


def checked(answer, units):
    """Ends the run if not every unit that was shown its variation was counted, or no conversion was."""
    counted = sum(variation["units"] for variation in answer["variations"])
    converted = sum(variation["conversions"] for variation in answer["variations"])
    shown = sum(number % 50 != 13 for number in range(units))
    if counted != shown or not 0.02 * units < converted < 0.03 * units:
        sys.exit(f"{counted} of {shown} units were counted, and {converted} conversions.")
