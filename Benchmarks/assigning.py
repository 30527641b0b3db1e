# SPDX-License-Identifier: Apache-2.0
"""What an experiment costs: a matching paywall with a stored assignment, compared with the same placement without an experiment."""
import contextlib, json, sys, urllib.request

from measuring import API, SECRET, install, node, say
import paths

AUDIENCES = 20


def with_experiment(yaml):
    """A placement `tested` with the audiences of `many`, where everyone is in the experiment."""
    entries = "".join(f"    - audience: many-{n}\n      paywall: summer\n" for n in range(AUDIENCES))
    yaml = yaml.replace("\nplacements:\n", f"\nplacements:\n  tested:\n{entries}    - audience: everyone\n      experiment: spring-price\n", 1)
    return yaml + """
experiments:
  spring-price:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default } }
    primary: trial
"""


def assignment(port, path, me):
    """What the answer assigns; nil if it assigns nothing."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=dict(line.split(": ", 1) for line in me))
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read()).get("assignment")


def experiment(work, options):
    """Two servers of one store each, on the same cores: one without an experiment, one with it. Every round measures both, each in
    turn the first, so that the machine's other work affects both alike."""
    many, tested = "/v1/placements/many/paywall", "/v1/placements/tested/paywall"
    me = ["Authorization: Bearer pk_demo", f"Landfall-Profile: {install(1)}.{SECRET}", f"Host: {API}"]
    with contextlib.ExitStack() as stack:
        without = stack.enter_context(node(work / "without", options.binary, [], paths.with_audiences))
        testing = stack.enter_context(node(work / "testing", options.binary, [], lambda yaml: with_experiment(paths.with_audiences(yaml))))
        for port, _ in (without, testing):
            paths.open_once(port, 1)
        # The first answer stores the assignment, and every later one finds it.
        stored = [assignment(testing[0], tested, me) for _ in range(2)]
        if not stored[0] or stored[0] != stored[1] or stored[0]["experiment"] != "spring-price":
            sys.exit(f"The paywall is not assigned: {stored}")
        if assignment(without[0], many, me) or assignment(testing[0], many, me):
            sys.exit("A placement without an experiment assigns something.")
        plain = "matching paywall, 20 audiences, no experiment"
        loads = [
            paths.Load(plain, without[0], many, without[1], me, against=None),
            paths.Load("matching paywall, 20 audiences, stored assignment", testing[0], tested, testing[1], me, against=plain),
            paths.Load("matching paywall, 20 audiences, another placement of the same server", testing[0], many, testing[1], me, against=plain),
        ]
        for number in range(options.rounds + 1):
            for load in loads if number % 2 else loads[::-1]:
                load.run(options.seconds if number else 1)
                if not number:
                    load.rounds.clear()
            say(f"  round {number} of {options.rounds}" + ("" if number else " (to warm up)"))
    return [{**paths.item(load, loads), "name": f"experiment: {load.name}"} for load in loads]
