#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes known attacks on a running server, one line for each.

script/check attacks [--binary PATH] [--json] [--only WORD]: a line names the result; ✘ marks a result that must not happen, and the run
then ends with 1. Another binary, such as one of an earlier commit, shows what has changed. docs/threat-model.md says what stops each
attack. All attacks go to a separate server on loopback; there are at most some thousand requests, and the server stops at the end.
Needs script/build Server, python3 and openssl.
"""
import base64, contextlib, hashlib, hmac, json, os, pathlib, re, resource, secrets, socket, stat, sys, tempfile, threading, time

from server import EXAMPLE, NO_APPLE, SAFARI, Answer, Arguments, Landfall, Server

BRAND, API = "brandname.go.link", "api.example.com"
SERVER_KEY, IDENTITY = "sk_" + secrets.token_hex(24), secrets.token_hex(24)
SECRETS = {"LANDFALL_SERVER_KEY": SERVER_KEY, "LANDFALL_IDENTITY_SECRET": IDENTITY}
CONFIGURATION = EXAMPLE.replace("keys:\n", "keys:\n  - serverFrom: LANDFALL_SERVER_KEY\n", 1) + (
    "\nidentity:\n  keys:\n    - algorithm: HS256\n      secretFrom: LANDFALL_IDENTITY_SECRET\n")
TICKS = os.sysconf("SC_CLK_TCK")


class Attacked(Server):
    """The server with the example's configuration, identity tokens and a server key."""

    def __init__(self, folder, options=(), change=lambda yaml: yaml, limit=None, level="error"):
        super().__init__(folder, change(CONFIGURATION), *NO_APPLE, *options, environment=SECRETS | {"LANDFALL_LOG_LEVEL": level}, limit=limit)

    def cpu(self):
        """Seconds of both cores that the process has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def call(self, method, path, body=None, headers=(), host=API):
        """The answer to one request on a new connection, also where the server refuses it before it has read all."""
        head = {"Host": host, "Authorization": "Bearer pk_demo", "User-Agent": SAFARI, "Connection": "close", **dict(headers)}
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        if data is not None:
            head["Content-Length"] = str(len(data))
        text = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head.items()) + "\r\n"
        return read(self.raw(text.encode() + (data or b"")))

    def raw(self, sent, seconds=5):
        """All bytes that arrive until the other side closes, or within that time."""
        received = b""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            connection.settimeout(seconds)
            with contextlib.suppress(OSError):
                connection.sendall(sent)
                while piece := connection.recv(65536):
                    received += piece
        return received

    def profile(self, install, method="GET", path="/v1/profiles/me", body=None, **options):
        return self.call(method, path, body, {"Landfall-Profile": f"{install[0]}.{install[1]}"}, **options)


def read(received):
    """The answer in these bytes; its status is 0 if they are none."""
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin1").split("\r\n")
    status = int(lines[0].split()[1]) if lines[0].count(" ") else 0
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if "chunked" in fields.get("transfer-encoding", ""):
        body = b"".join(re.split(rb"(?:^|\r\n)[0-9a-fA-F]+\r\n", body))
    return Answer(status, fields, body)


def install(identity=None):
    now = int(time.time() * 1000)
    made = f"{now >> 16:08x}-{now & 0xffff:04x}-7{secrets.token_hex(2)[1:]}-8{secrets.token_hex(2)[1:]}-{secrets.token_hex(6)}"
    return identity or made, base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")


def token(subject, **header):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    now = int(time.time())
    text = part({"alg": "HS256", "typ": "JWT", **header}) + "." + part({"sub": subject, "aud": "com.example.app", "iat": now, "exp": now + 300})
    return text + "." + base64.urlsafe_b64encode(hmac.new(IDENTITY.encode(), text.encode(), hashlib.sha256).digest()).decode().rstrip("=")


def opened(server, who=None, **body):
    who = who or install()
    return who, server.profile(who, "POST", "/v1/first-open", {"device": {"platform": "ios"}, "adToken": {"none": "noToken"}, **body})


attacks = []


def attack(name, *options, **settings):
    def register(body):
        attacks.append((name, options, settings, body))
        return body
    return register


@attack("a profile's id as the id of a new install")
def profile_id(server):
    victim, _ = opened(server)
    server.profile(victim, "POST", "/v1/logout", {})
    answer = server.profile(victim, "POST", "/v1/identify", {"customerId": "kate@example.com"}).json()
    thief, answer = opened(server, install(answer["profile"]["id"]))
    read = server.profile(thief)
    return b"kate@example.com" not in read.body, f"first open {answer}, the customer's id {'read' if b'kate@' in read.body else 'not read'}"


@attack("a first profile's id as the id of a new install")
def first_profile_id(server):
    victim, _ = opened(server)
    answer = server.profile(victim, "POST", "/v1/identify", {"customerId": "joe@example.com"}).json()
    thief, answer = opened(server, install(answer["profile"]["id"]))
    return b"joe@" not in server.profile(thief).body, f"first open {answer}"


@attack("a link of 4 KB with 780 question marks: CPU beside a plain one")
def quadratic(server):
    def cost(path):
        server.call("GET", path, host=BRAND)
        before = server.cpu()
        for _ in range(20):
            server.call("GET", path, host=BRAND)
        return (server.cpu() - before) / 20 * 1000
    plain, hostile = cost("/summer-clothes?z=" + "a" * 3900), cost("/summer-clothes?z" + "?a!=1" * 780)
    return hostile < 8 * max(plain, 2), f"{hostile:.1f} ms, plain {plain:.1f} ms"


@attack("a first open with 60 such links: CPU, and how long another request waits")
def quadratic_open(server):
    url = f"https://{BRAND}/summer-clothes?z" + "?a!=1" * 780
    links = [{"key": f"k{i}", "url": url, "ageMilliseconds": 0} for i in range(60)]
    before, waited = server.cpu(), []
    opening = threading.Thread(target=lambda: opened(server, links=links))
    opening.start()
    while opening.is_alive():
        begun = time.monotonic()
        server.call("GET", "/healthz")
        waited.append(time.monotonic() - begun)
    opening.join()
    return server.cpu() - before < 3, f"{server.cpu() - before:.2f} s, others waited up to {max(waited):.2f} s"


@attack("a signed text of the App Store with a name of 16,000 marks: CPU beside a plain one")
def signed_marks(server):
    def cost(name):
        parts = [{"alg": "ES256", "x5c": ["a", "b", "c"]}, {name: 1, "signedDate": 1}]
        text = ".".join(base64.urlsafe_b64encode(json.dumps(part, ensure_ascii=False).encode()).decode().rstrip("=") for part in parts) + ".AAAA"
        before = server.cpu()
        for _ in range(10):
            answer = server.call("POST", "/v1/app-store/notifications", {"signedPayload": text})
        return (server.cpu() - before) / 10 * 1000, answer
    (plain, _), (hostile, answer) = cost("a" * 32_000), cost("\u0316\u0300" * 8_000)
    return hostile < 8 * max(plain, 5), f"{answer}, {hostile:.1f} ms, plain {plain:.1f} ms"


@attack("one letter of 50 KB as an attribute")
def long_letter(server):
    who, _ = opened(server)
    answer = server.profile(who, "POST", "/v1/profiles/me/attributes", {"attributes": {"plan": "a" + "\u0301" * 25_000}})
    return answer.status == 400, str(answer)


@attack("a time zone of 120 KB")
def long_zone(server):
    log = server.data / "landfall.sqlite-wal"
    before = log.stat().st_size
    who, answer = opened(server, device={"platform": "ios", "timeZone": "a" + "\u0301" * 60_000})
    stored = log.stat().st_size - before
    return stored < 100_000, f"{answer}, {stored // 1000} KB in the store's log"


@attack("a label that makes a redirect of many KB")
def long_label(server):
    label = "a" + "\u0301" * 20_000
    made = server.call("POST", "/v1/links", {"links": [{"to": f"https://{BRAND}/summer-clothes", "suffix": "long", "label": label, "campaign": label}]},
                       {"Authorization": f"Bearer {SERVER_KEY}"})
    location = server.call("GET", "/long", host=BRAND).fields.get("location", "")
    return len(location) < 16_384, f"made: {made}, Location of {len(location)} bytes"


@attack("an identity token for \u212Aate (Kelvin sign) as Kate")
def kelvin(server):
    kate, _ = opened(server)
    server.profile(kate, "POST", "/v1/identify", {"customerId": "Kate", "identityToken": token("Kate")})
    server.profile(kate, "POST", "/v1/profiles/me/attributes", {"attributes": {"plan": "secret-of-kate"}})
    other, _ = opened(server)
    answer = server.profile(other, "POST", "/v1/identify", {"customerId": "Kate", "identityToken": token("\u212Aate")})
    return b"secret-of-kate" not in answer.body, str(answer)


@attack("X-Forwarded-Host of a client on a brand host, behind a proxy", "--trusted-proxies", "127.0.0.1")
def forwarded_host(server):
    answer = server.call("GET", "/v1/placements/onboarding/paywall?audience=default", host=BRAND, headers={"X-Forwarded-Host": API})
    return answer.status != 200, str(answer)


@attack("a request behind 'Connection: Upgrade'")
def upgrade(server):
    one = f"GET /healthz HTTP/1.1\r\nHost: {API}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    two = f"GET /healthz HTTP/1.1\r\nHost: {API}\r\nConnection: close\r\n\r\n"
    received = server.raw((one + two).encode(), 3)
    answers = received.count(b"HTTP/1.1 ")
    return answers == 2 or answers == 1 and b"onnection: close" in received, f"{answers} answers, {'closed' if b'onnection: close' in received else 'left open'}"


@attack("HEAD of a path that is not there: is a body behind it?")
def head_body(server):
    heads = [f"HEAD {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n" for host in (API, BRAND) for path in ("/nothing", "/v1/nothing", "/console/nothing", "/healthz")]
    behind = sum(len(server.raw(head.encode(), 3).partition(b"\r\n\r\n")[2]) for head in heads)
    return behind == 0, f"{behind} bytes that the next reader takes for an answer"


@attack("CONNECT, and a request behind it")
def connect(server):
    begun = time.monotonic()
    received = server.raw(f"CONNECT {API}:443 HTTP/1.1\r\nHost: {API}\r\n\r\nGET /healthz HTTP/1.1\r\nHost: {API}\r\nConnection: close\r\n\r\n".encode(), 3)
    return b" 4" in received[:13] and time.monotonic() - begun < 2.5, f"{read(received)}, closed after {time.monotonic() - begun:.1f} s"


@attack("2,000 invented links of 4 KB from one address", "--trusted-proxies", "127.0.0.1")
def invented_links(server):
    for number in range(2_000):
        query = f"/{secrets.token_hex(8)}?lf_t=abc&lf_label={'l' * 1000}&" + "&".join(f"lf_p{i}={'x' * 90}" for i in range(27))
        server.call("GET", query, host=BRAND, headers={"X-Forwarded-For": "198.51.100.7"})
    server.stop()
    size = (server.data / "landfall.sqlite").stat().st_size
    return size < 2_000_000, f"{size / 2_000_000:.1f} KB a request in the store"


@attack("more connections than descriptors: CPU of 3 s, and whether it is said", level="warning", limit=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)))
def descriptors(server):
    held = []
    for _ in range(140):
        with contextlib.suppress(OSError):
            held.append(socket.create_connection(("127.0.0.1", server.port), 2))
    time.sleep(0.5)
    before = server.cpu()
    time.sleep(3)
    used = server.cpu() - before
    for connection in held:
        connection.close()
    time.sleep(2)
    alive = server.call("GET", "/healthz").status
    said = bool(re.search(r"connection|descriptor", server.log.read_text(), re.I))
    return used < 0.6 and said and alive == 200, f"{used:.1f} s of CPU, {'logged' if said else 'nothing logged'}, afterwards {alive}"


@attack("a secret from the variable PATH", change=lambda yaml: yaml.replace("secretFrom: LANDFALL_IDENTITY_SECRET", "secretFrom: PATH"), starts=False)
def any_variable(server):
    return server.port is None, "refused" if server.port is None else "served with it"


@attack("a link's own lf_token on a page that hands one over")
def own_token(server):
    page = server.call("GET", "/welcome?lf_token=0123456789abcdef0123456789abcdef", host=BRAND).body.decode()
    return "0123456789abcdef0123456789abcdef" not in page, "in the page" if "0123456789abcdef0123456789abcdef" in page else "dropped"


@attack("commas in a smart banner's argument")
def banner(server):
    page = server.call("GET", "/welcome?x=1,app-id=666", host=BRAND).body.decode()
    meta = re.search(r'<meta[^>]*apple-itunes-app[^>]*>', page)
    return meta is None or ",app-id=666" not in meta.group(0), meta.group(0)[:120] if meta else "no banner"


@attack("a redirect to another port of the team's site")
def port(server):
    location = server.call("GET", "/summer-clothes?lf_redirect=https%3A%2F%2Fexample.com%3A8443%2F", host=BRAND).fields.get("location", "")
    return ":8443" not in location, location or "none"


@attack("debug logging, and the hash of a server key", level="debug")
def debug_log(server):
    server.call("GET", "/healthz")
    bytes_of_hash = hashlib.sha256(SERVER_KEY.encode()).digest()
    listed = ", ".join(str(byte) for byte in bytes_of_hash[:6])
    leaked = listed in server.log.read_text() or bytes_of_hash.hex()[:12] in server.log.read_text() or IDENTITY in server.log.read_text()
    return not leaked, "in the log" if leaked else "not in the log"


@attack("the store's files, for other users")
def modes(server):
    opened(server)
    open_to = [path.name for path in [server.data, *server.data.iterdir()] if stat.S_IMODE(path.stat().st_mode) & 0o077]
    return not open_to, ", ".join(sorted(open_to)) + " readable" if open_to else "closed"


@attack("an identity token that demands an extension ('crit')")
def crit(server):
    who, _ = opened(server)
    answer = server.profile(who, "POST", "/v1/identify", {"customerId": "Ann", "identityToken": token("Ann", crit=["exp2"], exp2=1)})
    return answer.status == 403, str(answer)


@attack("/metrics through a proxy that sends only Via")
def metrics(server):
    answer = server.call("GET", "/metrics", headers={"Via": "1.1 proxy"})
    return answer.status != 200, str(answer.status)


@attack("a first open over HTTP/1.0")
def old_http(server):
    who = install()
    body = json.dumps({"device": {}, "adToken": {"none": "noToken"}, "placements": [{"id": "onboarding"}]}).encode()
    head = (f"POST /v1/first-open HTTP/1.0\r\nHost: {API}\r\nAuthorization: Bearer pk_demo\r\nLandfall-Profile: {who[0]}.{who[1]}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    received = server.raw(head + body, 3)
    return b"chunked" not in received and b'"end"' in received, "chunked" if b"chunked" in received else received.split(b"\r\n")[0].decode()


@attack("Expect: 100-continue")
def expect(server):
    who = install()
    body = json.dumps({"device": {}, "adToken": {"none": "noToken"}}).encode()
    head = (f"POST /v1/first-open HTTP/1.1\r\nHost: {API}\r\nAuthorization: Bearer pk_demo\r\nLandfall-Profile: {who[0]}.{who[1]}\r\n"
            f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        connection.settimeout(2)
        connection.sendall(head)
        with contextlib.suppress(OSError):
            return b" 100" in connection.recv(100), "100 Continue"
    return False, "nothing within 2 s"


@attack("HTTP/1.1 without Host")
def no_host(server):
    answer = read(server.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", 3))
    return answer.status == 400, str(answer)


@attack("'bearer' in lower case")
def bearer(server):
    answer = server.call("GET", "/v1/placements/onboarding/paywall?audience=default", headers={"Authorization": "bearer pk_demo"})
    return answer.status == 200, str(answer)


@attack("a second server on the same store")
def second(server):
    other = Landfall(server.folder / "second", "serve", "--config", server.configuration, "--data", server.data, "--port", "0", "--drain", "0",
                     *NO_APPLE, environment=SECRETS)
    served = other.listens()
    other.stop()
    return not served, "serves too" if served else f"ends with {other.process.returncode}"


@attack("a store whose pages were overwritten", starts=False)
def damaged(server):
    for _ in range(200):
        opened(server)
    server.stop()
    store = server.data / "landfall.sqlite"
    with open(store, "r+b") as file:
        for page in range(1, store.stat().st_size // 4096):
            file.seek(page * 4096 + 100)
            file.write(secrets.token_bytes(600))
    again = Attacked(server.folder)
    try:
        ready = again.call("GET", "/readyz").status if again.port else None
    finally:
        again.stop()
    return ready != 200, "does not start" if ready is None else f"/readyz {ready}"


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", default="", help="attacks whose name holds this")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, flags, settings, body) in enumerate(attacks):
            if options.only not in name:
                continue
            starts = settings.pop("starts", True)
            server = Attacked(pathlib.Path(folder) / str(number), flags, **settings)
            try:
                holds, what = body(server.__enter__() if starts else server)
            except Exception as error:
                holds, what = False, f"{type(error).__name__}: {error}"
            finally:
                server.stop()
            rows.append({"attack": name, "holds": holds, "what": what})
            print(f"{'✔' if holds else '✘'} {name}: {what}", file=sys.stderr if options.json else sys.stdout, flush=True)
    failed = sum(not row["holds"] for row in rows)
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{len(rows) - failed} attacks held off, {failed} not.")
    sys.exit(1 if failed else 0)


main()
