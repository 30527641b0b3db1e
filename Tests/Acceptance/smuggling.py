#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends requests that can be understood in two ways, and compares all readers of one connection.

script/check smuggling [--binary PATH] [--only WORD] [--mutations N] [--seed N] [--direct]: the texts of Tests/Acceptance/strangers/ambiguous.py
and N mutations of them. Each goes to a server of its own twice, to a connection whose requests are answered on the event loop, and to one
that belongs to the application; both have to answer the same bytes, and to read the next request at the same place, which is that of the
strict reading. Then the documented nginx, haproxy and Caddy (as far as they are installed) stand in front of the server: whatever they make
of a text, the server must answer no hidden request that its proxy has no answer for, and the next person's requests get their own answers. --direct leaves the proxies out. About ten seconds.
"""
import concurrent.futures, contextlib, pathlib, re, shutil, socket, ssl, sys, tempfile

from claims import Claims
from proxies import haproxy, running
from proxy import API, BRAND, Caddy, Nginx
from server import EXAMPLE, NO_APPLE, Arguments, Server, free_ports
from strangers.ambiguous import BROWSER, LAST, ONE, REFUSED, UNKNOWN, corpus, mutations

# After a target with a host everything of a connection belongs to the application.
APPLICATION = f"GET http://{BRAND}/beach?n=before HTTP/1.1\r\nHost: {BRAND}\r\n{BROWSER}\r\n".encode()
AFTER = f"GET /beach?n=after HTTP/1.1\r\nHost: {BRAND}\r\n{BROWSER}Connection: close\r\n\r\n".encode()
# What differs between two answers to one request.
OWN = re.compile(rb"(?im)^((?:date|landfall-request-id): )[^\r]*|(\"requestId\":)\"[^\"]*\"")
# A link that leads browsers on, with what the visitor has added to it.
CONFIGURATION = EXAMPLE.replace(f"to: https://{BRAND}/summer-clothes?promo=beach", "to: https://example.com/place\n    desktop: [https://example.com/place]", 1)
claims = Claims()


def conversation(connection, sent, patience):
    """All bytes that come back, and whether the other side has ended the connection."""
    received = b""
    connection.settimeout(patience)
    with contextlib.suppress(ConnectionError):
        connection.sendall(sent)
    try:
        while piece := connection.recv(65536):
            received += piece
        return received, True
    except ConnectionError:
        return received, True
    except (TimeoutError, OSError):
        return received, False


def answers(received):
    """(status, n of the redirect, the server itself has answered) of each answer; an interim answer is none."""
    found = []
    while received:
        head, _, rest = received.partition(b"\r\n\r\n")
        line = re.match(rb"HTTP/1\.[01] (\d{3})", head)
        if not line:
            return [*found, (0, "bytes that are no answer", False)]
        fields = {name.lower(): value.strip() for name, _, value in (field.partition(b":") for field in head.split(b"\r\n")[1:])}
        if line[1] == b"100":
            received = rest
            continue
        if fields.get(b"transfer-encoding") == b"chunked":
            end = rest.find(b"0\r\n\r\n")
            rest = rest[end + 5:] if end >= 0 else b""
        elif line[1] not in (b"204", b"304"):
            rest = rest[int(fields.get(b"content-length", len(rest))):]
        place = re.search(rb"[?&]n=(\w+)", fields.get(b"location", b""))
        found.append((int(line[1]), place[1].decode() if place else "", b"landfall-version" in fields))
        received = rest
    return found


def told(received, ended):
    return f"{[each[:2] for each in answers(received)]}{'' if ended else ', and the connection stays open'}"


def strict(reading, received, ended):
    """Whether these answers are those of the strict reading."""
    found = [each[:2] for each in answers(received)]
    first = found[0] if found else (0, "")
    if not ended or any("hidden" in each for each in found):
        return False
    if reading == ONE:
        return first[0] in (200, 302, 405) and found[1:] == [(302, "after")]
    if reading == UNKNOWN:
        return first[0] == 404 and found[1:] == [(302, "after")]
    if reading == LAST:
        return len(found) == 1 and first[0] in (302, 405)
    return len(found) == 1 and first[0] in ((400, 405) if reading == REFUSED else (405,))


def both_ways(port, text):
    """What the connection itself and the application answer."""
    def ask(before):
        with socket.create_connection(("127.0.0.1", port), 5) as connection:
            received, ended = conversation(connection, before + text + AFTER, 2)
        if before:
            # Without the answer to its first request.
            head, _, rest = received.partition(b"\r\n\r\n")
            received = rest[int(re.search(rb"(?i)content-length: (\d+)", head)[1]):] if b"n=before" in head else b"no answer to the first request: " + received
        # An interim answer depends on whether the body is here already.
        received = received.replace(b"HTTP/1.1 100 Continue\r\n\r\n", b"")
        return OWN.sub(lambda own: (own[1] or own[2]) + b"-" * (len(own[0]) - len(own[1] or own[2])), received), ended
    return ask(b""), ask(APPLICATION)


def check_directly(port, texts):
    with concurrent.futures.ThreadPoolExecutor(16) as workers:
        results = list(workers.map(lambda text: both_ways(port, text[2]), texts))
    different, careless = [], []
    for (name, reading, text), (own, application) in zip(texts, results):
        if own != application:
            different.append(f"{name}: {told(*own)} on the loop, {told(*application)} by the application: {text[:200]!r}")
        if reading and not strict(reading, *own):
            careless.append(f"{name}: {told(*own)}, wanted: {reading}")
    claims.check(f"Of {len(texts)} texts the connection and the application understand each alike", not different, "\n    ".join(different[:10]) + f"; {len(different)} in all")
    read = sum(reading is not None for _, reading, _ in texts)
    claims.check(f"Of {read} texts with a strict reading the server has that one", not careless, "\n    ".join(careless[:40]))


def handled(server):
    """How many requests for links the server has answered, and how many of them were hidden ones."""
    counts = re.findall(r'^landfall_requests_total\{route="link",method="(\w+)"[^}]*\} (\S+)$', server.ask("/metrics").text, re.MULTILINE)
    return sum(float(count) for _, count in counts), sum(float(count) for method, count in counts if method == "HEAD")


def check_behind(name, server, connect, texts, repeats=False):
    """One text after the other: the requests of the next person use the connections that this one used. `repeats`: of a proxy that tries
    a request again when its body breaks off, the server may see it more than once."""
    wrong, count = [], 0
    for number, (what, _, text) in enumerate(texts):
        before = handled(server)
        with connect() as connection:
            received, ended = conversation(connection, text + AFTER, 0.4)
        found = answers(received)
        with connect() as connection:
            asked = [f"p{number}q{each}" for each in range(3)]
            for each in asked:
                last = "Connection: close\r\n" if each == asked[-1] else ""
                connection.sendall(f"GET /beach?n={each} HTTP/1.1\r\nHost: {BRAND}\r\n{BROWSER}{last}\r\n".encode())
            later, _ = conversation(connection, b"", 3)
        count += 1
        if [each[:2] for each in answers(later)] != [(302, each) for each in asked]:
            wrong.append(f"{what}: the next person got {told(later, True)}")
        made, hidden = (now - then for now, then in zip(handled(server), before))
        # A hidden request is none if the proxy itself took it for one: then the server has it from the proxy.
        if hidden > sum("hidden" in each[1] for each in found):
            wrong.append(f"{what}: the server answered {hidden:.0f} hidden requests, and the proxy passed on {told(received, ended)}")
        if made - len(asked) > len(found) and not repeats:
            wrong.append(f"{what}: the server answered {made - len(asked):.0f} requests, and the proxy passed on {told(received, ended)}")
        if wrong and len(wrong) > 10:
            break
    claims.check(f"Behind {name}, {count} texts reach nobody else's answers", not wrong, "\n    ".join(wrong))


def behind_all(folder, texts):
    def plain(port):
        return lambda: socket.create_connection(("127.0.0.1", port), 5)

    def secured(proxy):
        def connect():
            trusting = ssl.create_default_context(cafile=proxy.folder / "fullchain.pem")
            return trusting.wrap_socket(plain(proxy.https)(), server_hostname=BRAND)
        return connect

    def one(kind):
        name = kind if isinstance(kind, str) else kind.name
        with Server(folder / name, CONFIGURATION, *NO_APPLE, "--trusted-proxies", "127.0.0.1", environment={"LANDFALL_LOG_LEVEL": "error"}) as server:
            if kind == "haproxy":
                (folder / "balance").mkdir()
                (port,) = free_ports(1)
                with running(haproxy(folder / "balance", port, [server.port] * 3), folder / "balance", [port]):
                    check_behind(name, server, plain(port), texts)
                return
            proxy = kind(folder / name / "proxy", server.port)
            with running(proxy.command, proxy.folder, [proxy.https]):
                check_behind(name, server, secured(proxy), texts, repeats=kind is Caddy)

    kinds = [kind for kind, program in ((Nginx, "nginx"), ("haproxy", "haproxy"), (Caddy, "caddy")) if shutil.which(program)]
    with concurrent.futures.ThreadPoolExecutor(3) as workers:
        for each in [workers.submit(one, kind) for kind in kinds]:
            each.result()
    missing = {"nginx", "haproxy", "caddy"} - {kind if isinstance(kind, str) else kind.name.lower() for kind in kinds}
    return f" NOT tested, because it is not installed: {', '.join(sorted(missing))}." if missing else ""


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="texts whose name has this")
    parser.add_argument("--mutations", type=int, default=400, metavar="N", help="mutations of texts (400); a tenth of them goes through the proxies")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--direct", action="store_true", help="without the proxies")
    options = parser.parse_args()
    known = [text for text in corpus() if options.only in text[0]]
    if not known and not options.mutations:
        sys.exit(f"No text has '{options.only}' in its name.")
    changed = [(name, None, text) for name, text in mutations(options.seed, options.mutations) if options.only in name]
    missing = ""
    with tempfile.TemporaryDirectory(prefix="landfall-smuggling-") as name:
        folder = pathlib.Path(name)
        with Server(folder / "direct", CONFIGURATION, *NO_APPLE, environment={"LANDFALL_LOG_LEVEL": "error"}) as server:
            check_directly(server.port, known + changed)
            claims.check("The server lives", server.ask("/readyz").status == 200)
        if not options.direct:
            # A GET and a POST of one text differ only to the server.
            missing = behind_all(folder, [text for text in known if not text[0].startswith("POST, ")] + changed[::10])
    claims.end("All readers of one connection see the same requests." + missing)


if __name__ == "__main__":
    main()
