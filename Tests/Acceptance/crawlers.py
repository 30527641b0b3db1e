#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts over two public lists of user agents how many programs the server takes for people, and how many people for programs.

The lists are packages of PyPI, installed under .build and committed nowhere: crawler-user-agents, and the fixtures of device-detector.
docs/operating/crawlers.md says what follows from the figures. script/check crawlers [--show] [--binary PATH]
"""
import json, pathlib, subprocess, sys

import packages
from claims import Claims
from server import Arguments, built

arguments = Arguments(__doc__)
arguments.add_argument("--show", action="store_true", help="print each user agent of which the server is wrong")
options = arguments.parse_args()
if not packages.enter("user-agents", ["crawler-user-agents==1.67.0", "device-detector==6.5.1", "PyYAML==6.0.3"]):
    print("PyPI cannot be reached: the rule about programs is not measured on this machine.")
    sys.exit(0)
import crawleruseragents, device_detector, yaml

BROWSER_STARTS = ("Mozilla/", "Opera", "Dalvik")


def one_line(agent):
    return " ".join(agent.split())


def crawlers():
    """Of crawler-user-agents: every user agent that an entry gives as an example."""
    entries = json.loads((pathlib.Path(crawleruseragents.__file__).parent / "crawler-user-agents.json").read_text())
    return {one_line(agent) for entry in entries for agent in entry.get("instances", [])}


def fixtures():
    """Of device-detector: its bots, and the user agents of browsers and of apps that show web pages."""
    bots, people = set(), set()
    for file in sorted((pathlib.Path(device_detector.__file__).parent / "tests/fixtures/upstream").glob("*.yml")):
        for entry in yaml.load(file.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or []:
            agent, client = one_line(entry["user_agent"]), entry.get("client")
            kind = client.get("type") if isinstance(client, dict) else None
            if file.name == "bots.yml":
                bots.add(agent)
            # An app without a browser's engine fetches a link by itself: nobody sees the answer.
            elif kind == "browser" or kind == "mobile app" and agent.startswith(BROWSER_STARTS):
                people.add(agent)
    return bots, people


def kinds(agents):
    program = built().parent / "LandfallBenchmarks"
    if not program.exists():
        sys.exit(f"There is no {program}. Build the server first: script/build Server")
    answers = subprocess.run([program, "visitors"], input="".join(f"{agent}\n" for agent in agents), capture_output=True, text=True, check=True)
    kinds = answers.stdout.split()
    assert len(kinds) == len(agents), f"{len(agents)} user agents have {len(kinds)} answers"
    return kinds


claims = Claims()
bots, people = fixtures()
for name, agents, most, isWrong in [
    ("programs of crawler-user-agents", crawlers(), 0.01, lambda kind: kind == "person"),
    ("programs of device-detector", bots, 0.01, lambda kind: kind == "person"),
    ("people's browsers of device-detector", people, 0.001, lambda kind: kind != "person"),
]:
    agents = sorted(agents)
    wrong = [agent for agent, kind in zip(agents, kinds(agents)) if isWrong(kind)]
    share = len(wrong) / len(agents)
    claims.check(f"Of {len(agents):,} {name} {len(wrong)} are misjudged: {share:.2%}, at most {most:.1%}", share <= most)
    if options.show:
        print(*(f"    {agent}" for agent in wrong), sep="\n")
claims.end("The server distinguishes programs from people well enough.")
