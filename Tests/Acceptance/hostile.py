#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends hostile requests to a server of its own, at a high rate and by a seed that repeats them.

script/check hostile [--requests N] [--seed N] [--openapi N] [--binary PATH]: phones, browsers, backends, App Stores and members of three
roles send broken JSON, YAML, tables, forms, cookies, signed texts, links and fields (Tests/Acceptance/strangers). No answer may be 5xx, but
for a 503 with the documented code; every request gets an answer; errors of the API have their form; nobody is told what the server keeps
about somebody else; forms from elsewhere change nothing. At the end the server lives, has logged no error, and its memory has stopped
growing. With --openapi N schemathesis makes N calls of each operation from docs/openapi.yaml first (script/check openapi).

A problem is told with its number: --from NUMBER --requests 1 --show repeats only that request. Needs script/build Server and python3.
"""
import collections, contextlib, json, multiprocessing, pathlib, re, secrets, socket, subprocess, sys, tempfile, time, urllib.parse

from claims import Claims
from server import EXAMPLE, NO_APPLE, ROOT, Arguments, Server, built, phone
from strangers import requests

PASSWORD = "six grey herons at noon"
# What the server keeps about somebody: no request knows it, and so no answer may have it.
SECRET = f"kept-{secrets.token_hex(12)}"
BUSY = {"busy", "disk_low"}
# A first open is held for at most so long, and a wait too.
PATIENCE = 45
STEP = 500


class Connection:
    """One connection after the other, kept open as long as the server keeps it."""

    def __init__(self, port):
        self.port, self.socket, self.unread = port, None, b""

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.unread = None, b""

    def ask(self, request):
        """Status, head and body. An answer that never came has the status 0."""
        if not self.socket:
            self.socket = socket.create_connection(("127.0.0.1", self.port), 10)
            self.socket.settimeout(PATIENCE)
        try:
            # A request that is refused after its head may meet a closed connection: its answer is there all the same.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.socket.sendall(request.bytes)
            answer = self.read(request.method == "HEAD")
            if self.unread:
                # Bytes that belong to no answer.
                answer = (*answer[:2], self.unread)
                self.close()
            return answer
        except (OSError, ValueError, IndexError) as error:
            self.close()
            return 0, b"", repr(error).encode()

    def read(self, is_head):
        while True:
            head = self.until(b"\r\n\r\n")
            status = int(head[9:12])
            if status != 100:
                break
        fields = head.lower()
        body = b""
        if is_head or status in (204, 304):
            pass
        elif b"\r\ntransfer-encoding: chunked" in fields:
            while size := int(self.until(b"\r\n"), 16):
                body += self.take(size + 2)[:-2]
            self.until(b"\r\n")
        else:
            body = self.take(int(re.search(rb"\r\ncontent-length: (\d+)", fields)[1]))
        if b"\r\nconnection: close" in fields:
            self.close()
        return status, head, body

    def more(self):
        piece = self.socket.recv(262_144)
        if not piece:
            raise ConnectionError("the connection ended without a whole answer")
        self.unread += piece

    def until(self, mark):
        while mark not in self.unread:
            self.more()
        part, _, self.unread = self.unread.partition(mark)
        return part

    def take(self, count):
        while len(self.unread) < count:
            self.more()
        part, self.unread = self.unread[:count], self.unread[count:]
        return part


def problem(request, status, head, body, guarded):
    """What is wrong with an answer; None if nothing is."""
    if status == 0:
        return f"no answer: {body.decode()}"
    if request.method == "HEAD" and body:
        return "bytes are behind an answer to HEAD"
    code = None
    if status >= 400 and body and b"application/json" in head:
        try:
            code = json.loads(body)["error"]["code"]
        except (ValueError, KeyError, TypeError):
            return f"an error {status} without its form: {body[:120]!r}"
    if status >= 500 and not (status == 503 and (code in BUSY or request.path.startswith("/console"))):
        return f"status {status} {code}"
    told = guarded if not request.may else guarded[1:]
    if any(text in body or text in head for text in told):
        return "it tells what the server keeps about somebody else"
    if not request.proven and not (status in (400, 403, 404, 405, 413, 429, 503) or status == 303 and b"/console/sign-in" in head):
        return f"a form from elsewhere is answered with {status}"
    if request.path.startswith("/v1/") and request.host == requests.API and status >= 400 and request.method != "HEAD" and code is None:
        return f"an error {status} without its form: {body[:120]!r}"
    return None


def work(port, seed, world, guarded, jobs, results):
    """Takes ranges of numbers until there is none."""
    strangers, connection = requests.Strangers(seed, world), Connection(port)
    for first, count in iter(jobs.get, None):
        statuses, wrong = collections.Counter(), []
        for number in range(first, first + count):
            request = strangers.request(number)
            answer = connection.ask(request)
            statuses[(request.kind, answer[0])] += 1
            if what := problem(request, *answer, guarded):
                wrong.append((number, request.kind, f"{request.method} {request.path[:200]}", what))
        results.put((count, statuses, wrong))


def resident(server):
    """MiB of memory that the server's process holds."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{server.process.pid}/status").read_text())[1]) / 1024


def member(server, folder, role, configuration):
    """Makes a member; the cookie of a session, and the proof that its forms carry."""
    answer = subprocess.run([built(), "console", "invite", "--email", f"{role}@example.com", "--role", role, "--data", server.data, "--config", configuration, "--json"],
                            capture_output=True, text=True, cwd=ROOT)
    if answer.returncode:
        sys.exit(f"No invitation: {answer.stderr}")
    token = urllib.parse.parse_qs(urllib.parse.urlsplit(json.loads(answer.stdout)["url"]).query)["token"][0]
    form = urllib.parse.urlencode({"token": token, "name": role, "email": f"{role}@example.com", "password": PASSWORD})
    fields = {"Content-Type": "application/x-www-form-urlencoded", "Origin": server.base}
    joined = server.ask("/console/join", form, fields)
    cookie = re.search(r"__Host-landfall=([^;]+)", joined.fields.get("Set-Cookie", ""))
    if not cookie:
        raise server.failure(f"{role} cannot join: {joined}")
    page = server.ask("/console/account", None, {"Cookie": f"__Host-landfall={cookie[1]}"})
    return cookie[1], re.search(r'name="csrf" value="([^"]+)"', page.text)[1]


def prepared(server, folder, world):
    """Somebody about whom the server keeps something, and members of three roles."""
    fields = phone(requests.KNOWN_INSTALL, "K" * 43)
    for path, body in (("/v1/first-open", {"adToken": {"none": "noToken"}, "device": {"platform": "ios", "model": SECRET}}),
                       ("/v1/profiles/me/attributes", {"key": "k", "attributes": {"custom.kept": SECRET}}), ("/v1/identify", {"key": "i", "customerId": requests.KNOWN_CUSTOMER})):
        answer = server.ask(path, body, fields)
        if answer.status >= 300:
            raise server.failure(f"{path} answers {answer}")
    if SECRET not in server.ask("/v1/profiles/me", None, fields).text:
        raise server.failure("The install itself does not read what is kept about it")
    world["sessions"] = {role: member(server, folder, role, server.configuration) for role in requests.ROLES}
    page = server.ask(f"/console/profiles/i_{requests.KNOWN_INSTALL}", None, {"Cookie": f"__Host-landfall={world['sessions']['owner'][0]}"})
    if SECRET not in page.text:
        raise server.failure(f"The owner does not see the person ({page.status}): this check would find nothing")
    for path, body in requests.PHONE.items():
        answer = server.ask(path, body, phone("0198f0c2-7b1a-7c3d-8e4f-0000000000ff"))
        if answer.status >= 300 and path != "/v1/links/deferred":
            raise server.failure(f"The right body of {path} is answered with {answer}: {answer.text[:300]}")


def run(server, options, world):
    """The statuses by kind, the problems, and the memory at each hundredth of the way."""
    guarded = [SECRET.encode(), world["server_key"].encode(), PASSWORD.encode(), b"K" * 43]
    jobs, results = multiprocessing.Queue(), multiprocessing.Queue()
    for first in range(options.begin, options.begin + options.requests, STEP):
        jobs.put((first, min(STEP, options.begin + options.requests - first)))
    workers = [multiprocessing.Process(target=work, args=(server.port, options.seed, world, guarded, jobs, results), daemon=True) for _ in range(options.workers)]
    for worker in workers:
        jobs.put(None)
        worker.start()
    statuses, wrong, done, memory, begun, told = collections.Counter(), [], 0, [], time.monotonic(), 0
    while done < options.requests:
        count, found, problems = results.get(timeout=PATIENCE * 20)
        done += count
        statuses.update(found)
        for each in problems:
            wrong.append(each)
            if len(wrong) <= 20:
                print(f"  {each[0]}: {each[1]}: {each[2]}: {each[3]}", file=sys.stderr, flush=True)
        memory.append((done, resident(server)))
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"  {done} of {options.requests}, {done / (told - begun):.0f} a second, {memory[-1][1]:.0f} MiB", file=sys.stderr, flush=True)
        if server.process.poll() is not None:
            break
    for worker in workers:
        worker.terminate()
    return statuses, wrong, memory, done, time.monotonic() - begun


def told(statuses):
    kinds = collections.defaultdict(collections.Counter)
    for (kind, status), count in statuses.items():
        kinds[kind][status] += count
    for kind in sorted(kinds):
        print(f"  {kind}: " + ", ".join(f"{count} × {status}" for status, count in sorted(kinds[kind].items())))


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--requests", type=int, default=4_000, metavar="N", help="4000")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--from", type=int, default=0, dest="begin", metavar="NUMBER", help="the first request (0)")
    parser.add_argument("--workers", type=int, default=4, metavar="N", help="connections at once (4)")
    parser.add_argument("--openapi", type=int, default=0, metavar="N", help="calls of each operation by schemathesis (0: none)")
    parser.add_argument("--show", action="store_true", help="print each request and its answer")
    options = parser.parse_args()
    if options.requests < 1 or options.workers < 1 or options.begin < 0:
        parser.error("--requests and --workers are at least 1, --from at least 0")
    claims = Claims()
    if options.openapi:
        command = [sys.executable, ROOT / "Tests/Acceptance/openapi.py", "--examples", str(options.openapi), "--seed", str(options.seed)]
        made = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        count = sum(int(number) for number in re.findall(r"(\d+) generated", made.stdout))
        claims.check(f"schemathesis made {count} calls from docs/openapi.yaml", made.returncode == 0, "\n".join(made.stdout.splitlines()[-30:]))
    world = {"server_key": "sk_" + secrets.token_hex(24), "configuration": EXAMPLE}
    scopes = "[links, configuration, reports, profiles, access, erase, webhooks]"
    configuration = EXAMPLE.replace("keys:\n", f"keys:\n  - {{ serverFrom: LANDFALL_SERVER_KEY, may: {scopes} }}\n", 1) + (
        "\nidentity:\n  keys:\n    - algorithm: HS256\n      secretFrom: LANDFALL_IDENTITY_SECRET\n")
    secret = {"LANDFALL_SERVER_KEY": world["server_key"], "LANDFALL_IDENTITY_SECRET": secrets.token_hex(24), "LANDFALL_LOG_LEVEL": "error"}
    with tempfile.TemporaryDirectory(prefix="landfall-hostile-") as name:
        folder = pathlib.Path(name)
        with Server(folder, configuration, *NO_APPLE, "--trusted-proxies", "127.0.0.1", environment=secret) as server:
            prepared(server, folder, world)
            if options.show:
                connection = Connection(server.port)
                for number in range(options.begin, options.begin + options.requests):
                    request = requests.Strangers(options.seed, world).request(number)
                    status, head, body = connection.ask(request)
                    print(f"{number} ({request.kind}):\n{request.bytes[:3_000].decode('latin1')}\n→ {head.decode('latin1')}\n{body[:1_000].decode('utf-8', 'replace')}\n")
                return
            statuses, wrong, memory, done, seconds = run(server, options, world)
            told(statuses)
            claims.check(f"{done} hostile requests of seed {options.seed} in {seconds:.0f} s, {done / seconds:.0f} a second: each has its right answer", not wrong,
                         f"{len(wrong)} have not: " + ", ".join(f"{what} × {count}" for what, count in collections.Counter(each[3][:80] for each in wrong).most_common(8)))
            claims.check("The server lives and is ready", server.process.poll() is None and server.ask("/readyz").status == 200)
            # Caches are full after half of the way.
            early, late = max(size for at, size in memory if at <= max(done / 2, STEP * options.workers)), max(size for _, size in memory)
            claims.check(f"Its memory is {early:.0f} MiB in the first half and {late:.0f} MiB at most", late < early * 1.5 + 64)
        errors = [line for line in server.log.read_text(errors="replace").splitlines() if not line.startswith("console: ")]
        claims.check("It has logged no error", not errors, "\n".join(errors[:5]))
    claims.end("No hostile request did harm.")


if __name__ == "__main__":
    main()
