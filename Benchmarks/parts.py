# SPDX-License-Identifier: Apache-2.0
"""The parts of Benchmarks/run, in the order in which they run: what each measures, how long it takes, and what it needs."""
import dataclasses, shutil, typing

import assigning, balancing, batching, counting, delivering, hanging, hearing, holding, nodes, notifying, opening, paths, publishing, reporting, steady
from deciding import decisions
from earning import revenue
from verifying import verifications


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    measure: typing.Callable
    seconds: int
    quickly: int
    what: str
    needs: tuple = ()

    def missing(self):
        from postgres import programs
        def found(tool):
            return (programs() / "pgbench").exists() if tool == "postgresql" else shutil.which(tool)
        return [tool for tool in self.needs if not found(tool)]


LOAD, SQL = ("wrk", "nginx"), ("postgresql",)
PARTS = [
    Part("typical", opening.typical, 115, 22, "time to paywall of simulated phones, beside the documented way and the limit"),
    Part("hostile", opening.hostile, 1150, 22, "the same in a hostile world, with ten seeds"),
    Part("paths", paths.paths, 620, 75, "each path, beside an empty handler of the framework and nginx; a large store beside a small one", LOAD),
    Part("experiment", assigning.experiment, 110, 16, "a paywall with a stored assignment, beside the same without an experiment", LOAD),
    Part("steady", steady.steady, 600, 110, "a steady day of mixed requests, beside the same at full load, and where the rest goes", LOAD),
    Part("events", batching.events, 90, 17, "durable events, 100 a request, beside SQLite's own batches", LOAD),
    Part("decisions", decisions, 60, 25, "decisions in a CPU second, beside the engines of GrowthBook, Flagsmith and Unleash"),
    Part("publish", publishing.publish, 25, 10, "from publishing a configuration to serving it", LOAD),
    Part("impact", publishing.impact, 40, 12, "10,000 installs through two versions of the configuration"),
    Part("results", counting.results, 60, 10, "the results of a large experiment"),
    Part("reports", reporting.reports, 1500, 60, "the console's pages on a large store, beside phones", LOAD),
    Part("held", holding.held, 330, 65, "what held streams cost, SIGTERM with all of them, what a burst keeps"),
    Part("hanging", hanging.hanging, 30, 15, "phones while reads of the store hang", SQL),
    Part("nodes", nodes.nodes, 700, 110, "nodes on one PostgreSQL, beside pgbench", (*LOAD, *SQL)),
    Part("haproxy", balancing.phones, 370, 30, "time to paywall of phones through haproxy on three nodes, beside one node", ("haproxy", *SQL)),
    Part("verifying", verifications, 20, 8, "transactions of the App Store verified, beside P-256 and SHA-256 alone"),
    Part("notifications", notifying.notifications, 40, 9, "notifications of the App Store, 200 a second"),
    Part("purchases", hearing.hearing, 90, 15, "from a notification to the line of a phone's open stream", SQL),
    Part("revenue", revenue, 90, 15, "figures of a year of charges, beside SQLite's own sum"),
    Part("webhooks", delivering.webhooks, 120, 20, "webhooks to a fast receiver, and first opens beside a dead one"),
    Part("exports", delivering.exports, 120, 20, "rows of an export, and first opens beside it"),
]


def named(name):
    return next((part for part in PARTS if part.name == name), None)
