#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Distributes the tables on a Citus cluster, runs tests and phones on it, and lists every statement that it refuses.

--url names the coordinator, with the user that may create schemas in that database. In schemas of its own, landfall_test_… and
landfall_check_…, which it drops at the end, the program runs: every statement of the replay alone (texts), the units of stores in each
other's middle (interleavings), the tests of stores one by one (stores), and phones against a node (phones). The tests have to be built:
script/build Server. Without --url nothing is tried.

--stand-in tries this program itself: on a plain PostgreSQL of its own, whose functions have the names of Citus's and distribute nothing.
script/check citus [--url URL | --stand-in] [--only PART] [--phones N] [--binary PATH]
"""
import argparse, json, os, re, subprocess, sys, tempfile

from claims import Claims
from ending import ends_with_us, until
from postgres import programs
from server import ROOT, Arguments, Landfall, built, free_ports

TESTS = {
    "texts": "Every statement alone", "interleavings": "Units of stores in each other's middle", "stores": "The tests of stores, one by one"}
PARTS = [*TESTS, "phones"]
OWN = r"'^landfall_(test|check)_'"
claims = Claims()


class Coordinator:
    def __init__(self, url):
        self.url, (place, _, query) = url, url.partition("?")
        self.name = place.partition("://")[2].rpartition("@")[2]
        # Without the parameters that only Landfall's driver knows.
        known = [item for item in query.split("&") if item and not re.match("(pool|prepare)=", item)]
        self.plain = f"{place}?{'&'.join(known)}" if known else place

    def of(self, schema):
        """The URL for tables in that schema."""
        return f"{self.url}{'&' if '?' in self.url else '?'}options=-csearch_path%3D{schema}"

    def psql(self, text, schema="public"):
        """What psql answers, or why it does not."""
        done = subprocess.run(
            [programs() / "psql", "-XqAtw", "-v", "ON_ERROR_STOP=1", "-c", f"SET search_path TO {schema}", "-c", text, self.plain],
            capture_output=True, text=True, cwd="/", env={**os.environ, "PGCONNECT_TIMEOUT": "10"})
        return done.stdout.strip(), done.stderr.strip() if done.returncode else ""

    def answer(self, text):
        output, error = self.psql(text)
        if error:
            sys.exit(f"The database at '{self.name}' does not answer: {error}")
        return output

    def examine(self):
        """Ends the program where tables cannot be distributed. The version of Citus."""
        functions = self.answer(
            "SELECT COUNT(DISTINCT proname) FROM pg_proc WHERE proname IN ('create_distributed_table', 'create_reference_table')")
        if functions != "2":
            sys.exit(f"The database at '{self.name}' has no Citus. Run in it as a superuser: CREATE EXTENSION citus;")
        return self.answer("SELECT extversion FROM pg_extension WHERE extname = 'citus'")

    def tidy(self):
        """Drops the schemas of this program, also those of a run that was killed."""
        for schema in self.answer(f"SELECT nspname FROM pg_namespace WHERE nspname ~ {OWN}").splitlines():
            self.answer(f"DROP SCHEMA {schema} CASCADE")


class Refusals:
    """What the cluster has refused, once each."""

    def __init__(self):
        self.lines = []

    def add(self, line):
        if line not in self.lines:
            self.lines.append(line)

    def show(self):
        if self.lines:
            claims.deny(f"The cluster refused {len(self.lines)}:")
            print("\n".join(f"    {line}" for line in self.lines), flush=True)


def run_tests(part, coordinator, refusals):
    environment = {**os.environ, "LANDFALL_TEST_DATABASE": coordinator.url, "NO_COLOR": "1"}
    done = subprocess.run(
        [ROOT / "script/run-tests", "Server", "--on-cluster", part], cwd=ROOT, env=environment, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    lines = done.stdout.splitlines()
    for line in lines:
        if found := re.search(r"refused text: (.*)", line):
            refusals.add(found[1])
        elif found := re.search(r"[^.(]*SQLSTATE 0A000.*", line):
            refusals.add(f"in a test: {found[0].strip()}")
    ran = re.search(r"Test run with (\d+) tests?\b.* (passed|failed)", done.stdout)
    failed = [line.strip() for line in lines if re.match(r"✘ Test (?!run)(?!.*recorded an issue)", line)]
    tried = re.search(r"tried texts: (\d+)", done.stdout)
    what = f" ({tried[1]} of them)" if tried else f" ({ran[1]} tests)" if ran else ""
    why = "; ".join(failed) if failed else "\n    ".join(["it ended so:", *lines[-15:]])
    claims.check(TESTS[part] + what, done.returncode == 0 and ran and int(ran[1]) > 0, why)


def run_phones(count, coordinator, refusals):
    schema = f"landfall_check_{os.getpid()}"
    coordinator.answer(f"CREATE SCHEMA {schema}")
    apple, port = free_ports(2)
    with tempfile.TemporaryDirectory() as folder:
        def node(name):
            started = Landfall(
                f"{folder}/{name}", "serve", "--config", "Examples/SelfHost/landfall.yaml", "--port", str(port), "--drain", "0",
                "--apple-ads", f"http://127.0.0.1:{apple}", environment={"LANDFALL_DATABASE": coordinator.of(schema)}, limit=ends_with_us)
            if started.listens():
                return started
            started.stop()
            raise started.failure("A node does not listen")

        with node("first"):
            pass  # It makes the tables.
        calls = subprocess.run([built(), "schema", "--citus"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        calls = [call for call in calls if call.startswith("SELECT ")]
        refused = [(call, error) for call in calls for _, error in [coordinator.psql(call.split(";")[0], schema)] if error]
        for call, error in refused:
            refusals.add(f"landfall schema --citus: {error.splitlines()[0]} {call}")
        claims.check(f"The {len(calls)} calls of landfall schema --citus", not refused)

        with node("second") as serving:
            until(lambda: serving.ask("/readyz").status == 200, 60, "The node is ready")
            with Landfall(
                f"{folder}/phones", "simulate", "--phones", str(count), "--json", "--through", serving.base, "--apple-port", str(apple),
                limit=ends_with_us) as phones:
                phones.process.wait(120 + count)
                if phones.process.returncode:
                    raise phones.failure("The phones do not end well")
                report = json.loads(phones.output.read_text())
            for line in serving.log.read_text(errors="replace").splitlines():
                if found := re.search(r"[^(]*SQLSTATE.*", line):
                    refusals.add(f"in a node's log: {found[0].strip()}")
    seen = report["landfall"]
    # A cluster may be far away: then phones are slow. They must never be without a paywall, nor late.
    claims.check(
        f"{report['phones']} phones, with a paywall after {seen['p50']} s at the median and {seen['p90']} s at the 90th percentile",
        seen["late"] == 0 and seen["withoutPaywall"] == 0, f"late {seen['late']}, without a paywall {seen['withoutPaywall']}")
    installs, _ = coordinator.psql("SELECT COUNT(*) FROM install", schema)
    claims.check(f"{installs} installs are stored", int(installs or 0) > 0)


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of phones")
    return int(text)


def main():
    arguments = Arguments(__doc__)
    where = arguments.add_mutually_exclusive_group()
    where.add_argument("--url", help="of the coordinator: postgres://user:password@host:port/database")
    where.add_argument("--stand-in", action="store_true", help="tries this program, without a cluster")
    arguments.add_argument("--only", choices=PARTS, help="one part")
    arguments.add_argument("--phones", type=positive, default=300, metavar="N", help="how many (300)")
    options = arguments.parse_args()
    parts = [options.only] if options.only else PARTS
    if options.stand_in:
        import citus_stand_in
        return citus_stand_in.main(parts, options.phones)
    if not options.url:
        return print("not tried: no --url of a Citus coordinator. Nothing of this release has run on Citus.")
    if not re.match("postgres(ql)?://", options.url):
        arguments.error("--url is the URL of a coordinator: postgres://user:password@host:port/database")

    coordinator, refusals = Coordinator(options.url), Refusals()
    version = coordinator.examine()
    print(f"Citus {version} at '{coordinator.name}'" if version else f"Stand-ins at '{coordinator.name}', not Citus: nothing is distributed.", flush=True)
    coordinator.tidy()
    try:
        for part in parts:
            if part == "phones":
                run_phones(options.phones, coordinator, refusals)
            else:
                run_tests(part, coordinator, refusals)
    finally:
        coordinator.tidy()
    refusals.show()
    claims.end("The cluster took everything that was tried." if version else "The stand-ins took everything that was tried.")


if __name__ == "__main__":
    main()
