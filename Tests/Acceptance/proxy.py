#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the documented proxies, a real nginx and a real Caddy, in front of the built server.

Examples/SelfHost/nginx.conf with the bounds of docs/operating/under-attack.md, and Examples/SelfHost/Caddyfile: it checks what they
promise together. Only ports, paths of certificates and the server's address are replaced. Where Caddy is not installed, the last line
says that only nginx was tested. script/check proxy [--binary PATH]
"""
import concurrent.futures, contextlib, http.client, json, pathlib, random, re, shutil, socket, sqlite3, ssl, subprocess, sys, tempfile, threading, time, uuid

from claims import Claims
from proxies import certificate, nginx, running
from server import EXAMPLE, NO_APPLE, ROOT, SAFARI, Arguments, Server, ask, free_ports, phone

API, BRAND = "api.example.com", "brandname.go.link"
PAYWALL = "/v1/placements/onboarding/paywall?audience=default"
KEY = {"Authorization": "Bearer pk_demo"}
claims = Claims()
check = claims.check


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::", 0))
        return True
    except OSError:
        return False


def put(text, changes):
    """The documented text with the values of this test."""
    for old, new in changes:
        if old not in text:
            sys.exit(f"'{old}' is not in the documented file; this script puts another value there.")
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy that runs with the documented file."""

    def __init__(self, folder, server_port):
        folder.mkdir()
        self.folder = folder
        self.https, self.http, self.via = free_ports(3)
        certificate(folder, "fullchain", "privkey.pem", [API, BRAND], 2)
        self.configure(folder, server_port)

    def connection(self, name, source="127.0.0.1"):
        trusting = ssl.create_default_context(cafile=self.folder / "fullchain.pem")
        raw = socket.create_connection(("127.0.0.1", self.https), timeout=20, source_address=(source, 0))
        connection = http.client.HTTPConnection(name)
        connection.sock = trusting.wrap_socket(raw, server_hostname=name)
        return connection

    def ask(self, name, path, headers={}, method="GET", body=None, connection=None):
        connection = connection or self.connection(name)
        connection.request(method, path, body=body, headers={"Host": name, "User-Agent": SAFARI} | headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()


class Nginx(Proxy):
    """In addition to the documented listener, one that adds only the field `Via`."""
    name = "nginx"
    untold = "nginx with its defaults"

    def configure(self, folder, server_port):
        bounds = (ROOT / "docs/operating/under-attack.md").read_text().split("```nginx\n")[1].split("```")[0]
        # The same form, with limits that are high enough for these tests.
        bounds = bounds.replace("rate=50r/s", "rate=5000r/s")
        text = put((ROOT / "Examples/SelfHost/nginx.conf").read_text(), [
            ("127.0.0.1:8080", f"127.0.0.1:{server_port}"), ("/etc/ssl/landfall", str(folder)),
            (":443 ", f":{self.https} "), (":80;", f":{self.http};"),
            ("listen 443 ", f"listen {self.https} "), ("listen 80;", f"listen {self.http};"),
            ("/var/log/nginx", str(folder)), ("/var/www/html", str(folder)),
        ])
        if not has_ipv6():
            text = re.sub(r"(?m)^ *listen \[::\].*\n", "", text)
        (folder / "landfall.conf").write_text(text)
        self.command = nginx(folder, f"""
                {bounds}
                include {folder}/landfall.conf;
                server {{
                    listen 127.0.0.1:{self.via};
                    location / {{ proxy_pass http://127.0.0.1:{server_port}; proxy_set_header Via "1.1 edge"; }}
                }}""")
        self.trial = self.command + ["-t"]


class Caddy(Proxy):
    name = "Caddy"
    untold = "Caddy that compresses"

    def configure(self, folder, server_port):
        text = put((ROOT / "Examples/SelfHost/Caddyfile").read_text(), [
            ("127.0.0.1:8080", f"127.0.0.1:{server_port}"),
            ("\trequest_body {", f"\ttls {folder}/fullchain.pem {folder}/privkey.pem\n"
             f"\tlog {{\n\t\toutput file {folder}/access.log\n\t\timport landfall_log\n\t}}\n\trequest_body {{"),
            ("{\n\tlog {", f"{{\n\tadmin off\n\thttp_port {self.http}\n\thttps_port {self.https}\n\tstorage file_system {folder}\n\tlog {{"),
        ])
        (folder / "Caddyfile").write_text(
            text + f"\nhttp://{API}:{self.via} {{\n\tencode gzip\n\treverse_proxy 127.0.0.1:{server_port}\n}}\n")
        file = ["--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
        self.command = ["caddy", "run", *file]
        self.trial = ["caddy", "validate", *file]


def check_hosts(proxy):
    check("The API answers on its host", proxy.ask(API, PAYWALL, KEY)[0] == 200)
    check("A brand host sends people on", proxy.ask(BRAND, "/beach")[0] == 302)
    tricks = [{name: API} for name in (
        "X-Forwarded-Host", "X-Host", "X-Original-Host", "X-Forwarded-Server", "X-HTTP-Host-Override", "X-Rewrite-URL")]
    tricks += [{}, {"Forwarded": f"host={API}"}, {"X-Forwarded-Host": API, "X-Forwarded-For": "127.0.0.1", "Via": "1.1 x"}]
    for trick in tricks:
        status, headers, _ = proxy.ask(BRAND, PAYWALL, KEY | trick)
        check(f"A brand host has no API: {trick or 'asked plainly'}",
              status == 404 and headers.get("Content-Type", "").startswith("text/html"), f"status {status}")
    for written in (BRAND.upper(), BRAND + ".", BRAND + ":443"):
        status, _, body = proxy.ask(BRAND, PAYWALL, KEY | {"Host": written})
        # A proxy may send no answer to names that are not exactly its own.
        check(f"A brand host has no API, written {written}", status == 404 or not body, f"status {status}")
    status = proxy.ask(API, "/beach", {"X-Forwarded-Host": BRAND})[0]
    check("The API's host has no links", status == 404, f"status {status}")
    raw = proxy.connection(BRAND).sock
    raw.sendall(f"GET {PAYWALL} HTTP/1.1\r\nHost: {BRAND}\r\nHost: {API}\r\nAuthorization: Bearer pk_demo\r\n\r\n".encode())
    check("Two hosts are none", raw.recv(4096).startswith(b"HTTP/1.1 400"))
    try:
        proxy.connection("other.example.com")
        check("A name that is not ours gets no certificate", False)
    except ssl.SSLError:
        check("A name that is not ours gets no certificate", True)


def check_addresses(proxy):
    def click(number, connection, source):
        body = json.dumps({"url": f"https://{BRAND}/beach", "key": f"{source}-{number}", "recordsClick": True})
        pretended = {"X-Forwarded-For": f"198.51.100.{number % 250}", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
        return proxy.ask(API, "/v1/links/open", KEY | pretended, "POST", body, connection)[0]

    def some(worker):
        connection = proxy.connection(API, "127.0.0.2")
        return [click(number, connection, "a") for number in range(worker, 601, 16)]

    # At the same time, so that they share commits.
    with concurrent.futures.ThreadPoolExecutor(16) as workers:
        statuses = [status for each in workers.map(some, range(16)) for status in each]
    check("A caller's address is the one it calls from, whatever it says", sorted(statuses) == [200] * 600 + [429],
          f"{statuses.count(200)} answered, {statuses.count(429)} refused")
    check("Another caller's is its own", click(0, proxy.connection(API, "127.0.0.3"), "b") == 200)


def check_country(proxy, folder):
    proxy.ask(BRAND, "/beach", {"CF-IPCountry": "ZW"})
    with contextlib.closing(sqlite3.connect(f"file:{folder}/data/landfall.sqlite?mode=ro", uri=True)) as store:
        clicks = store.execute("SELECT * FROM click").fetchall()
    check("A caller does not say its country itself", len(clicks) > 0 and not any("ZW" in click for click in clicks))


def check_stream(proxy):
    """Each line of a stream arrives as it is written, by curl: over TLS in both versions of HTTP, and through a proxy without
    settings for streams (nginx with its defaults, Caddy that compresses)."""
    ways = {"HTTP/1.1 and TLS": [f"https://{API}:{proxy.https}", "--http1.1"], "HTTP/2 and TLS": [f"https://{API}:{proxy.https}", "--http2"],
            proxy.untold: [f"http://{API}:{proxy.via}", "--http1.1"]}
    for number, (way, (server, version)) in enumerate(ways.items()):
        body = json.dumps({"adToken": "coming", "placements": [{"id": "onboarding"}], "holdMilliseconds": 2500})
        fields = phone(f"0198f0c2-7b1a-7c3d-8e4f-{number + 1:012d}") | {"Accept-Encoding": "gzip"}
        command = ["curl", "--silent", "--no-buffer", "--insecure", version, "--max-time", "20", "--connect-to", "::127.0.0.1:",
                   *[part for name, value in fields.items() for part in ("-H", f"{name}: {value}")], "-w", "version %{http_version}\\n", "-d", body, server + "/v1/first-open"]
        begun = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as curl:
            lines = [(time.monotonic() - begun, line) for line in curl.stdout if line.strip()]
        arrived = [at for at, line in lines if line.startswith("{")]
        spoken = lines[-1][1].strip() if lines else "nothing"
        check(f"A stream's first line arrives at once, and its last when it is written: {way}",
              len(arrived) > 2 and arrived[0] < 1 and arrived[-1] > 2, f"{spoken}, lines after {[round(each, 2) for each in arrived]} s")
        if version == "--http2":
            check("and it was HTTP/2", spoken == "version 2", spoken)


def check_metrics(proxy, server_port):
    check("Metrics are told on this machine", ask(server_port, "/metrics").status == 200)
    for host in (API, BRAND):
        check(f"Metrics are not told through the proxy, {host}", proxy.ask(host, "/metrics")[0] == 404)
    if proxy.name == "nginx":
        check("Metrics are not told to a proxy that says no more than Via", ask(proxy.via, "/metrics").status == 404)


def check_kept(proxy, server_port):
    """Connections to the server outlive the requests of connections to the proxy."""
    answers = [proxy.ask(BRAND, "/beach")[0] for _ in range(50)] + [proxy.ask(API, "/healthz")[0] for _ in range(50)]
    check("Links and probes go through one after the other", answers == [302] * 50 + [200] * 50, str(answers))
    text = ask(server_port, "/metrics").text
    count = int(re.search(r"^landfall_connections (\d+)$", text, re.M).group(1))
    check("The proxy keeps its connections to the server", 2 <= count <= 66, f"{count} with this one")


def check_upgrade(proxy):
    status = proxy.ask(API, PAYWALL, KEY | {"Connection": "Upgrade", "Upgrade": "websocket"})[0]
    check("Who asks for another protocol is answered in this one", status == 200, f"status {status}")
    check("And so is the next", all(proxy.ask(API, PAYWALL, KEY)[0] == 200 for _ in range(3)))


def check_renewal(proxy):
    (proxy.folder / ".well-known/acme-challenge").mkdir(parents=True)
    (proxy.folder / ".well-known/acme-challenge/x").write_text("proof")
    # Its workers run as another user.
    for each in (proxy.folder.parent, proxy.folder):
        each.chmod(0o755)
    answers = []
    for path in ("/.well-known/acme-challenge/x", "/beach"):
        answer = ask(proxy.http, path, host=BRAND)
        answers.append((answer.status, answer.body if answer.status == 200 else answer.fields.get("Location")))
    check("Proofs for certificates are answered without https, and nothing else", answers == [
        (200, b"proof"), (301, f"https://{BRAND}/beach")], str(answers))


SECRETS = {"Landfall-Profile": "0198f0c2-7b1a-7c3d-8e4f-0000000000ff.SECRET-OF-AN-INSTALL", "Authorization": "Bearer SECRET-KEY",
           "Cookie": "landfall_session=SECRET-SESSION", "X-Own": "SECRET-FIELD"}


def check_succession(proxy, server, restart):
    """While one server stops and the next one starts: a phone's call with a body is one that a proxy cannot send twice."""
    over, results = threading.Event(), []

    def calls():
        while not over.wait(0.1):
            body = json.dumps({"url": f"https://{BRAND}/beach", "key": str(uuid.uuid4()), "recordsClick": True})
            begun = time.monotonic()
            status = proxy.ask(API, "/v1/links/open", KEY, "POST", body)[0]
            results.append((status, time.monotonic() - begun))

    threads = [threading.Thread(target=calls, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    server.stop()
    following = restart()
    time.sleep(1)
    over.set()
    for thread in threads:
        thread.join(30)
    refused, longest = [status for status, _ in results if status != 200], max(took for _, took in results)
    # Who waits for the proxy to give up waits for ten seconds.
    check(f"While one server follows another, none of {len(results)} calls is refused; the longest takes {longest:.1f} s",
          not refused and len(results) > 20 and longest < 9, f"{refused}")
    return following


def check_restart(proxy, server, restart):
    """What is asked while no server listens is answered by the next one, and what fails leaves no secret in a log."""
    server.stop()
    # Caddy closes the body of a request that meets a refusal, and cannot send it again; a moment later it knows, and requests wait.
    time.sleep(1.5 if proxy.name == "Caddy" else 0)
    body = json.dumps({"url": f"https://{BRAND}/beach", "key": "restart", "recordsClick": True})
    calls = [(BRAND, "/beach", {}, "GET", None), (API, PAYWALL, KEY, "GET", None), (API, "/v1/links/open", KEY, "POST", body)] * 10
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as workers:
        asked = [workers.submit(proxy.ask, *call) for call in calls]
        time.sleep(1.5)
        server = restart()
        statuses = [each.result()[0] for each in asked]
    check("A restart loses no request, whatever its method", statuses == [302, 200, 200] * 10, str(statuses))
    server.stop()
    status = proxy.ask(API, "/v1/profiles/me", SECRETS)[0]
    check("Without a server the proxy says so in the end", status in (502, 503), f"status {status}")
    proxy.ask(API, "/console/setup?token=SECRET-INVITATION")
    time.sleep(0.5)
    logs = {path.name: path.read_text(errors="replace") for path in proxy.folder.glob("*.log")}
    told = [name for name, text in logs.items() if "/v1/profiles/me" in text]
    check("Its logs say what failed", "error.log" in told and len(told) > 1, str({name: len(text) for name, text in logs.items()}))
    # nginx has no format for the log of errors: the line of a request stands there, without any header.
    kept = [name for name, text in logs.items() if "SECRET" in text.replace("SECRET-INVITATION", "" if (proxy.name, name) == ("nginx", "error.log") else "SECRET")]
    check("No log has a secret", not kept, str(kept))


def check_all(kind, folder):
    """Each proxy has its own server, because the server counts the bounds of addresses."""
    print(f"{kind.name}:")
    with contextlib.ExitStack() as stack:
        def start(port):
            return stack.enter_context(Server(
                folder, EXAMPLE, *NO_APPLE, "--trusted-proxies", "127.0.0.1", "--country-header", "CF-IPCountry", "--drain", "1", port=port))

        # Not a port that the system gives to clients, because it is used twice.
        server = start(random.randrange(15_000, 32_000))
        proxy = kind(folder / "proxy", server.port)
        trial = subprocess.run(proxy.trial, capture_output=True, text=True)
        check(f"{kind.name} takes the documented file", trial.returncode == 0, trial.stderr.strip())
        if trial.returncode != 0:
            return
        stack.enter_context(running(proxy.command, proxy.folder, [proxy.https]))
        server = check_succession(proxy, server, lambda: start(server.port))
        check_hosts(proxy)
        check_country(proxy, folder)
        check_stream(proxy)
        check_metrics(proxy, server.port)
        check_upgrade(proxy)
        check_kept(proxy, server.port)
        check_addresses(proxy)
        if kind is Nginx:
            check_renewal(proxy)
        check_restart(proxy, server, lambda: start(server.port))


def main():
    Arguments(__doc__).parse_args()
    kinds = [Nginx] + ([Caddy] if shutil.which("caddy") else [])
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="landfall-proxy-") as name:
            check_all(kind, pathlib.Path(name))

    if Caddy in kinds:
        claims.end("The documented proxies do what they promise.")
    else:
        claims.end("The documented nginx does what it promises. Caddy was NOT tested: it is not installed (Debian and Ubuntu: apt-get install caddy).")


if __name__ == "__main__":
    main()
