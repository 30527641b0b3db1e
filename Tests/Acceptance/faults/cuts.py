# SPDX-License-Identifier: Apache-2.0
"""The network between any two that talk to each other is cut: the balancer and each node, each node and the database, phones and a server.
Nodes do not talk to each other: what one has to hear of another is in the database."""
import itertools, sys, time

from fault import fault

SECONDS = 3


def cut(wires, rejects):
    """Nothing passes for a while. Then all connections are broken; or they are broken at once and new ones refused, as a firewall does."""
    for wire in wires:
        wire.refuses, wire.stalled = rejects, not rejects
        if rejects:
            wire.sever()
    time.sleep(SECONDS)
    for wire in wires:
        wire.sever()
        wire.refuses = wire.stalled = False


@fault("cut-pairs", f"the network between balancer and node, and node and database, is cut for {SECONDS} s: each pair, then two at once", apart=True, held=0.1)
def cut_pairs(stage):
    pairs = [("balancer", number, way) for number, way in enumerate(stage.ways)] + [("database", number, wire) for number, wire in enumerate(stage.wires)]
    for (name, number, wire), rejects in itertools.product(pairs, (False, True)):
        cut([wire], rejects)
        time.sleep(0.5)
    # A node without its database, and another one that the balancer does not reach.
    for _ in range(3):
        one, other = stage.dice.sample(range(3), 2)
        cut([stage.wires[one], stage.ways[other]], stage.dice.random() < 0.5)
        time.sleep(0.5)
    print(f"   {2 * len(pairs)} cuts of one pair and 3 of two", file=sys.stderr)


@fault("cut-proxy", f"the network between phones and the server is cut for {SECONDS} s, six times", "sqlite", front=True, held=0.05)
def cut_proxy(stage):
    for number in range(6):
        cut([stage.front], number % 2)
        time.sleep(1)
