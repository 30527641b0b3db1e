# SPDX-License-Identifier: Apache-2.0
"""Kills the primary of a PostgreSQL that Patroni keeps with the documented file, under a node that goes on.

Examples/SelfHost/patroni.yml for two machines, with a real etcd, all on this machine; only names, addresses and paths are replaced.
What the node answered is there after the failover. script/check nodes --patroni
"""
import contextlib, json, pathlib, subprocess, tempfile, urllib.request

from claims import Claims
from ending import until
from nodes import command, node
from postgres import kill_postmaster, owned, programs, user
from proxies import running
from server import ROOT, documented, free_ports, phone

claims = Claims()
check = claims.check


def member(folder, name, etcd, rest, port):
    """Patroni with one PostgreSQL."""
    place = owned(folder / name)
    (place / "patroni.yml").write_text(documented("patroni.yml", [
        ("^name: db1", f"name: {name}"), ("10.0.0.21:8008", f"127.0.0.1:{rest}"), ("^  hosts: .*", f"  hosts: 127.0.0.1:{etcd}"),
        ("10.0.0.21:5432", f"127.0.0.1:{port}"), ("/var/lib/postgresql/landfall", f"{place}/data"), ("/usr/lib/postgresql/15/bin", str(programs())),
        ("10.0.0.0/24", "127.0.0.1/32"), ("^    - local all all peer", "    - local all all trust"),
        ("^  pg_hba:", f"  parameters: {{ unix_socket_directories: {place} }}\n  pgpass: {place}/pgpass\n  pg_hba:"),
    ]))
    with open(place / "log", "w") as log:
        return subprocess.Popen(["patroni", place / "patroni.yml"], cwd="/", stdout=log, stderr=log, **user())


def kill(process, place):
    """The whole machine: Patroni first, because it would start PostgreSQL again."""
    process.kill()
    process.wait()
    kill_postmaster(place / "data")


def is_so(rest, path):
    """Whether Patroni's own answer about a member is yes."""
    with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{rest}/{path}", timeout=2) as answer:
        return answer.status == 200
    return False


def main():
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="landfall-", dir="/tmp")))
        folder.chmod(0o755)
        etcd, peer, *ports = free_ports(7)
        keeper = folder / "etcd"
        keeper.mkdir()
        stack.enter_context(running([
            "etcd", "--data-dir", str(keeper / "data"), "--listen-client-urls", f"http://127.0.0.1:{etcd}", "--advertise-client-urls",
            f"http://127.0.0.1:{etcd}", "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-cluster", f"default=http://127.0.0.1:{peer}"], keeper, [etcd]))
        rests, servers = ports[:2], ports[2:4]
        first = member(folder, "db1", etcd, rests[0], servers[0])
        stack.callback(kill, first, folder / "db1")
        until(lambda: is_so(rests[0], "primary"), 90, "db1 is the primary")
        second = member(folder, "db2", etcd, rests[1], servers[1])
        stack.callback(kill, second, folder / "db2")
        until(lambda: is_so(rests[1], "sync"), 90, "db2 is the synchronous standby")

        made = subprocess.run(
            ["psql", "-h", folder / "db1", "-p", str(servers[0]), "-U", "postgres", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-v", "password=secret",
             "-f", ROOT / "Examples/SelfHost/postgres.sql"], capture_output=True, text=True)
        check("postgres.sql makes role and database on the primary", made.returncode == 0, made.stderr)
        url = f"postgres://landfall:secret@127.0.0.1:{servers[0]},127.0.0.1:{servers[1]}/landfall?pool=4"
        serving = stack.enter_context(node(folder / "node", url, ports[4]))
        status, output, errors = command("doctor", "--local", "--database", url, "--json")
        rows = json.loads(output or "[]")
        standbys = next((row["message"] for row in rows if row["check"] == "standbys"), "")
        check("landfall doctor finds a standby that commits wait for, and nothing else to mend", status == 0 and "commits wait" in standbys, errors or rows)

        def says(number):
            with contextlib.suppress(OSError):
                return serving.ask(
                    "/v1/profiles/me/attributes", {"key": f"change-{number}", "attributes": {"n": number}},
                    phone("0198f0c2-7b1a-7c3d-8e4f-000000000001"), seconds=8).status == 200
            return False

        answered = [number for number in range(10) if says(number)]
        kill(first, folder / "db1")
        check("The node stays ready without a primary", serving.ask("/readyz").status == 200)
        until(lambda: says(10), 90, "The standby is the primary, and the node writes again")
        attributes = json.dumps(serving.ask("/v1/profiles/me", fields=phone("0198f0c2-7b1a-7c3d-8e4f-000000000001")).json())
        check("What was answered before and after the failover is there", answered == list(range(10)) and '"n": 10' in attributes, attributes)
        check("The new primary is db2", is_so(rests[1], "primary"))
        check("The node stops by itself", serving.stop())
    claims.end("The documented file for Patroni works.")

