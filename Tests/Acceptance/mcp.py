#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses `landfall mcp` with the client library of the Model Context Protocol, beside a running server.

script/check mcp [--binary PATH]: the client (PyPI's mcp, in protocol/client.py) lists the tools, calls each that reads, makes a link, is
refused the tool that publishes, and publishes where --allow-publishing is given. Then lines that no client library writes: every revision,
a batch, broken JSON, a line of ten million bytes, a cancelled call. Some seconds; once it installs the library into .build.
"""
import json, os, secrets, socket, subprocess, sys, tempfile, threading

import packages
from claims import Claims
from server import NO_APPLE, ROOT, Arguments, Server, built, phone

LIBRARY = "2.3.0"
KEYS = {name: "sk_" + secrets.token_hex(24) for name in ["LANDFALL_SERVER_KEY", "LANDFALL_LINK_KEY"]}
INSTALL, EXPOSURE = "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e11"
CONFIGURATION = """
app: { id: example, bundleId: com.example.app, scheme: example }
keys:
  - sdk: pk_demo
  - { serverFrom: LANDFALL_SERVER_KEY, may: [links, configuration, reports, profiles] }
  - { serverFrom: LANDFALL_LINK_KEY }
domains: { brand: [links.example.com], universal: [example.com] }
paywalls: { default: { products: [year] }, special: { products: [month] } }
placements: { onboarding: [{ audience: everyone, paywall: default }], home: [{ audience: everyone, experiment: price }] }
experiments: { price: { state: live, variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special } } } }
"""
claims = Claims()


def environment(port, key="LANDFALL_SERVER_KEY"):
    return {"LANDFALL_SERVER": f"http://127.0.0.1:{port}", "LANDFALL_SERVER_KEY": KEYS[key]}


def message(id=None, method=None, **parameters):
    return json.dumps({"jsonrpc": "2.0"} | ({} if id is None else {"id": id}) | {"method": method, "params": parameters})


def begin(version):
    return message(0, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "check", "version": "1"})


def talk(port, *lines, key="LANDFALL_SERVER_KEY"):
    """Status, answers and standard error of a whole session: the input ends after these lines."""
    done = subprocess.run(
        [built(), "mcp"], input="\n".join(lines), capture_output=True, text=True, timeout=60, env=os.environ | environment(port, key))
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def by_hand(port):
    for asked, expected in [("2025-06-18",) * 2, ("2025-03-26",) * 2, ("2024-11-05",) * 2, ("1999-01-01", "2025-11-25")]:
        status, answers, errors = talk(port, begin(asked), message(method="notifications/initialized"), message(1, "ping"))
        got = answers[0]["result"]["protocolVersion"]
        claims.check(f"A client of {asked} gets the revision {expected}, and its ping is answered.", got == expected and answers[1]["result"] == {}, got)
        claims.check("  The end of the input ends the command with 0, and it wrote nothing else.", (status, len(answers), errors) == (0, 2, ""), (status, errors))

    batch = f"[{message(1, 'ping')},{message(2, 'tools/call', name='list_links', arguments={})}]"
    _, answers, _ = talk(port, begin("2025-03-26"), batch)
    claims.check("A batch of 2025-03-26 is answered in one line.", sorted(one["id"] for one in answers[1]) == [1, 2], answers[1:])
    _, answers, _ = talk(port, begin("2025-06-18"), batch)
    claims.check("A batch of 2025-06-18 is refused.", answers[1]["error"]["code"] == -32600, answers[1:])

    wrong = ["{", "x" * 10_000_000, "[" * 100_000, message(1, "nothing/here"), message(2, "tools/call", name="nothing"), message(3, "tools/call", name=7)]
    status, answers, errors = talk(port, begin("2025-06-18"), *wrong, message(9, "ping"))
    codes = [one.get("error", {}).get("code") for one in answers[1:]]
    claims.check("Broken JSON, a line of ten million bytes, unknown methods and tools are errors, and the session goes on.",
                 (status, codes) == (0, [-32700, -32600, -32700, -32601, -32602, -32602, None]), codes)
    status, answers, _ = talk(port, message(1, "tools/list"))
    claims.check("Nothing is listed before the handshake.", answers[0]["error"]["code"] == -32600, answers)

    _, answers, _ = talk(port, begin("2025-06-18"), message(1, "tools/call", name="read_configuration"), key="LANDFALL_LINK_KEY")
    code = answers[1]["result"]["structuredContent"]["error"]["code"]
    claims.check("A key that may only make links reads no configuration.", answers[1]["result"]["isError"] and code == "scope_missing", answers[1:])


def cancelled():
    """A call to a server that does not answer is cancelled; the session goes on, and nothing else is written."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        process = subprocess.Popen(
            [built(), "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | environment(silent.getsockname()[1]))
        bound = threading.Timer(30, process.kill)
        bound.start()

        def say(line):
            process.stdin.write(line + "\n")
            process.stdin.flush()

        say(begin("2025-06-18"))
        process.stdout.readline()
        say(message(1, "tools/call", name="list_links"))
        # The call has reached the server.
        connection, _ = silent.accept()
        connection.recv(1)
        say(message(method="notifications/cancelled", requestId=1))
        say(message(2, "ping"))
        next_answer = json.loads(process.stdout.readline())
        process.stdin.close()
        rest, status = process.stdout.read(), process.wait()
        bound.cancel()
        connection.close()
    claims.check("A cancelled call is not answered, and the end of the input ends the command with 0.", (next_answer["id"], rest, status) == (2, "", 0), (next_answer, rest, status))


def main():
    Arguments(__doc__).parse_args()
    programs = packages.installed(f"mcp-{LIBRARY}", [f"mcp=={LIBRARY}"]) or sys.exit(f"pip cannot install mcp {LIBRARY}.")
    with tempfile.TemporaryDirectory(prefix="landfall-mcp-") as folder:
        with Server(folder, CONFIGURATION, *NO_APPLE, environment=KEYS | {"LANDFALL_LOG_LEVEL": "error"}) as server:
            server.ask("/v1/first-open", {"adToken": {"none": "noToken"}}, phone(INSTALL))
            shown = {"id": EXPOSURE, "type": "paywall_shown", "ageMilliseconds": 0, "placement": "onboarding", "paywall": "default"}
            server.ask("/v1/events", {"events": [shown]}, phone(INSTALL))
            by_hand(server.port)
            cancelled()
            # In a process of its own: there the library has the name mcp, and not this file.
            client = subprocess.run(
                [programs / "python", ROOT / "Tests/Acceptance/protocol/client.py", built(), INSTALL, EXPOSURE], env=os.environ | environment(server.port))
            if client.returncode:
                claims.deny("The client library cannot use landfall mcp; see above.")
    claims.end("A client of the Model Context Protocol uses landfall mcp.")


main()
