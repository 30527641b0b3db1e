# SPDX-License-Identifier: Apache-2.0
"""The time to paywall of simulated phones through the documented haproxy on three nodes, beside the same phones on one node with a store of
its own. Each round begins with empty stores: the same seed draws the same phones, and each is new."""
import contextlib, statistics

from databases import MeasuredPostgres
from items import row
from measuring import free_port, say
from nodes import node
from opening import SEED, simulate
from proxies import haproxy, running

STARTS = 6


def opened(binary, phones, address, apple):
    """What the phones that call this port saw."""
    return simulate(
        binary, "--phones", str(phones), "--seed", str(SEED), "--starts-per-second", str(STARTS), "--json",
        "--through", f"http://127.0.0.1:{address}", "--apple-port", str(apple))["landfall"]


def alone(binary, phones, folder):
    apple = free_port()
    with node(binary, None, f"http://127.0.0.1:{apple}", options=("--data", folder)) as (port, _):
        return opened(binary, phones, port, apple)


def balanced(binary, phones, folder, url):
    apple, public = free_port(), free_port()
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(node(binary, url, f"http://127.0.0.1:{apple}"))[0] for _ in range(3)]
        stack.enter_context(running(haproxy(folder, public, ports), folder, [public]))
        return opened(binary, phones, public, apple)


def phones(work, options):
    ours, theirs, rounds = [], [], 1 if options.quick else options.rounds
    with MeasuredPostgres() as server:
        for number in range(rounds):
            ours.append(balanced(options.binary, options.phones, work / f"haproxy-{number}", server.database(f"phones{number}")))
            theirs.append(alone(options.binary, options.phones, work / f"alone-{number}"))
            say(f"  phones through haproxy: round {number + 1} of {rounds}")
    name, items = f"haproxy: {options.phones} phones on three nodes", []
    for share in ("p50", "p90"):
        pairs = [(one[share] * 1e3, other[share] * 1e3) for one, other in zip(ours, theirs, strict=True)]
        items.append(row(
            f"{name}, {share} of the time to paywall", "ms", "lower", statistics.median(one for one, _ in pairs), rounds,
            against="one node with a store of its own", theirs=statistics.median(other for _, other in pairs),
            ratios=[one / other for one, other in pairs], added=statistics.median(one - other for one, other in pairs), through="haproxy"))
    late = sum(side["late"] + side["withoutPaywall"] for side in ours)
    return items + [row(f"{name}, paywalls more than 50 ms late or missing", "paywalls", "lower", late, rounds, through="haproxy")]
