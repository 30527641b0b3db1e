#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the documented files for several nodes: postgres.sql, pgbouncer.ini and haproxy.cfg of Examples/SelfHost.

A real PostgreSQL, pgbouncer and haproxy, and three nodes of the built server on this machine; only addresses, ports and paths are
replaced. One node reaches the database through pgbouncer, and one is killed. Then a node with a replica, which is killed.
script/check nodes [--binary PATH]
"""
import contextlib, http.client, json, pathlib, re, subprocess, tempfile, time

from claims import Claims
from ending import until
from postgres import Postgres, Standby, kill_postmaster, user
from proxies import haproxy, running
from server import EXAMPLE, NO_APPLE, ROOT, Arguments, Landfall, ask, built, documented, free_ports, phone

OPENING = json.dumps({"adToken": {"none": "simulator"}, "placements": [{"id": "onboarding"}], "holdMilliseconds": 0}).encode()
PASSWORD = "a b'c"  # Quoted for SQL by psql, for a URL by percent signs.
claims = Claims()
check = claims.check


def command(*arguments):
    done = subprocess.run([built(), *arguments], cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def node(folder, url, port):
    started = Landfall(
        folder, "serve", "--config", "Examples/SelfHost/landfall.yaml", "--port", str(port), "--drain", "0", "--trusted-proxies", "127.0.0.1",
        *NO_APPLE, environment={"LANDFALL_DATABASE": url})
    if not started.listens():
        started.stop()
        raise started.failure("A node does not listen")
    return started


def main():
    arguments = Arguments(__doc__)
    arguments.add_argument("--patroni", action="store_true", help="runs the file for Patroni instead, whose primary is killed (about a minute)")
    if arguments.parse_args().patroni:
        import patroni
        return patroni.main()
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(Postgres()).folder
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        made = subprocess.run(
            ["psql", "-h", database, "-U", "postgres", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-v", f"password={PASSWORD}", "-f", ROOT / "Examples/SelfHost/postgres.sql"],
            capture_output=True, text=True)
        check("postgres.sql makes the role and the database", made.returncode == 0, made.stderr)
        pooler_port, public, *ports = free_ports(5)

        pooler = folder / "pooler"
        pooler.mkdir()
        quoted = PASSWORD.replace('"', '""')
        (pooler / "userlist.txt").write_text(f'"landfall" "{quoted}"\n')
        (pooler / "pgbouncer.ini").write_text(documented("pgbouncer.ini", [
            ("host=db.internal port=5432", f"host={database}"), ("^listen_port = 6432", f"listen_port = {pooler_port}\nunix_socket_dir ="),
            ("/etc/pgbouncer/userlist.txt", str(pooler / "userlist.txt")),
        ]))
        stack.enter_context(running(["pgbouncer", str(pooler / "pgbouncer.ini")], pooler, [pooler_port], **user()))

        secret = "a%20b%27c"
        direct = f"postgres://landfall:{secret}@/landfall?host={database}&pool=4"
        pooled = f"postgres://landfall:{secret}@127.0.0.1:{pooler_port}/landfall?prepare=off&pool=4"
        nodes = [stack.enter_context(node(folder / f"node{number}", url, port)) for number, (url, port) in enumerate(zip((direct, pooled, direct), ports))]
        check("A node works through pgbouncer.ini with prepare=off", nodes[1].ask("/readyz").status == 200)

        proxy = folder / "proxy"
        proxy.mkdir()
        balancer = haproxy(proxy, public, ports)
        tried = subprocess.run([*balancer, "-c"], capture_output=True, text=True)
        check("haproxy takes haproxy.cfg without a warning", tried.returncode == 0 and "WARNING" not in tried.stderr, tried.stdout + tried.stderr)
        stack.enter_context(running(balancer, proxy, [public]))
        check_nodes(nodes, public, direct, folder)
        check_replica(folder)
    claims.end("The documented files for several nodes work.")


def install(number):
    return phone(f"0198f0c2-7b1a-7c3d-8e4f-{number:012d}")


def begun(public, number):
    """The connection of a first open that has no body yet."""
    connection = http.client.HTTPConnection("127.0.0.1", public, timeout=20)
    connection.putrequest("POST", "/v1/first-open")
    for name, value in {**install(number), "Content-Length": str(len(OPENING))}.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection


def ended(connection):
    """The status of that first open, whose body is sent now; 0 if the connection is closed without an answer."""
    with contextlib.closing(connection), contextlib.suppress(OSError):
        connection.send(OPENING)
        return connection.getresponse().status
    return 0


def first_line_ms(public, number):
    """After how long the first line of a held first open is here."""
    body = json.dumps({"adToken": "coming", "placements": [{"id": "onboarding"}], "holdMilliseconds": 1000}).encode()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", public, timeout=20)) as connection:
        begin = time.monotonic()
        connection.request("POST", "/v1/first-open", body, install(number))
        connection.getresponse().readline()
        return (time.monotonic() - begin) * 1000


def check_nodes(nodes, public, url, folder):
    def opens(number):
        with contextlib.suppress(OSError):
            return ask(public, "/v1/first-open", OPENING, install(number)).status
        return 0

    answers = [opens(number) for number in range(12)]
    check("Phones are answered through haproxy", answers == [200] * 12, answers)
    end = time.monotonic() + 10
    while (ready := ask(public, "/readyz").json()).get("nodes") != 3 and time.monotonic() < end:
        time.sleep(0.2)
    check("Each node knows of the others", ready.get("nodes") == 3, ready)
    status, output, errors = command("doctor", "--local", "--database", url, "--json")
    wrong = [row for row in json.loads(output or "[]") if not row["ok"]]
    check("landfall doctor finds the database as postgres.sql made it in order", status == 0, wrong or errors)

    # It comes 200 ms later, each time, where haproxy waits for more to send.
    lines = [first_line_ms(public, number) for number in range(60, 65)]
    check("The first line of a held first open passes haproxy at once", min(lines) < 150, lines)

    # Three for each node, of phones whose body comes later than the header.
    halves = [begun(public, number) for number in range(12, 21)]
    time.sleep(0.2)
    nodes[1].process.kill()
    answers = [ended(half) for half in halves] + [opens(number) for number in range(21, 60)]
    # haproxy ends what a node still holds that is down: a call whose answer is just on its way cannot be asked of another. Phones ask again.
    twice = [number for number, status in enumerate(answers, 12) if status == 0]
    again = [opens(number) for number in twice]
    check("A node is killed, and every phone is answered", len(twice) <= 1 and set(answers) | set(again) <= {0, 200} and 0 not in again, answers)

    copy = str(folder / "copy.sqlite")
    status, _, errors = command("backup", copy, "--database", url)
    check("A backup is made beside the nodes", status == 0, errors)
    check("The other nodes stop by themselves", nodes[0].stop() and nodes[2].stop())
    # The killed node counts for three seconds.
    time.sleep(3.5)
    status, output, errors = command("move", "--from", url, "--to", f"sqlite:{folder / 'moved'}", "--json")
    rows = {row["table"]: row["rows"] for row in json.loads(output or '{"tables": []}')["tables"]}
    check("The store moves into a folder with every install", status == 0 and rows.get("install") == 65, errors or rows)
    status, _, errors = command("restore", copy, "--database", url)
    check("The backup is restored", status == 0, errors)


def check_replica(folder):
    key, configuration = "sk_" + "r" * 43, folder / "replica.yaml"
    configuration.write_text(EXAMPLE.replace("\n# The hosts", "\n  - serverFrom: LANDFALL_SERVER_KEY\n    may: [reports]\n\n# The hosts"))
    with Postgres() as primary, Standby(primary) as standby:
        url, replica = (f"postgres://postgres@/postgres?host={server.folder}&pool=2" for server in (primary, standby))
        with Landfall(
            folder / "replica", "serve", "--config", str(configuration), "--port", "0", "--drain", "0", *NO_APPLE,
            environment={"LANDFALL_DATABASE": url, "LANDFALL_REPLICA": replica, "LANDFALL_SERVER_KEY": key},
        ) as node:
            if not node.listens():
                raise node.failure("A node with a replica does not listen")

            def report():
                return node.ask("/v1/reports/links", fields={"Authorization": f"Bearer {key}"}).status

            def answers(place):
                found = re.search(rf'^landfall_replica_answers_total{{from="{place}"}} (\d+)', node.ask("/metrics").text, re.MULTILINE)
                return int(found[1]) if found else 0

            def said():
                _, output, _ = command("doctor", "--local", "--database", url, "--replica", replica, "--json")
                return next((row for row in json.loads(output or "[]") if row["check"] == "replica"), {})

            until(lambda: node.ask("/readyz").json().get("replica") == "ok", 20, "The node reads its replica")
            before = answers("replica")
            check("A report is read from the replica", report() == 200 and answers("replica") == before + 1, node.ask("/metrics").text)
            check("landfall doctor finds the replica in order", said().get("ok") is True, said())
            kill_postmaster(standby.data)
            statuses = []

            def is_from_the_database():
                before = answers("primary")
                statuses.append(report())
                return answers("primary") == before + 1

            # A connection of a killed server lives until its process notices.
            until(is_from_the_database, 10, "A report is the database's")
            check("The replica is killed, and every report is answered, soon by the database", set(statuses) == {200}, statuses)
            until(lambda: node.ask("/readyz").json().get("replica") == "away", 20, "The node says that its replica is away")
            check("landfall doctor says that the replica takes no connection", said().get("ok") is False, said())


if __name__ == "__main__":
    main()
