#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `landfall doctor` against an installation behind a real nginx.

Once with everything in order, and once for each thing that can be wrong outside: certificate, association file, buffering, Apple, clock,
keys, fallback file. script/check doctor [--binary PATH]
"""
import contextlib, email.utils, http.server, json, pathlib, re, subprocess, sys, tempfile, threading, time

from claims import Claims
from proxies import certificate, nginx, running
from server import EXAMPLE, NO_APPLE, Arguments, Server, built, free_ports

API, BRAND, WEB, CDN = "api.example.com", "brandname.go.link", "example.com", "app-site-association.cdn-apple.com"
ASSOCIATION = "/.well-known/apple-app-site-association"
FILE = json.dumps({"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "*"}]}]}})
claims = Claims()
check = claims.check


class Apple(http.server.BaseHTTPRequestHandler):
    """Apple's attribution service with its own clock."""
    ahead = 0

    def do_GET(self):
        self.send_response_only(404)
        self.send_header("Date", email.utils.formatdate(time.time() + self.ahead, usegmt=True))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def serve_apple(stack, ahead):
    handler = type("Handler", (Apple,), {"ahead": ahead})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stack.callback(server.shutdown)
    return f"http://127.0.0.1:{server.server_port}"


def listening(folder, server_port, listeners):
    """What nginx does on each port."""
    text = "types { application/json json; }"
    for port, (cert, buffering, association) in listeners.items():
        text += f"""
            server {{
                listen 127.0.0.1:{port} ssl;
                ssl_certificate {folder}/{cert}.pem; ssl_certificate_key {folder}/{cert}.key;
                location = {ASSOCIATION} {{ {association} }}
                location /a/v1/ {{ default_type application/json; return 200 '{FILE}'; }}
                location / {{
                    proxy_pass http://127.0.0.1:{server_port}; proxy_http_version 1.1; proxy_set_header Connection "";
                    proxy_set_header Host $host; {buffering}
                }}
            }}"""
    return text


def findings(arguments):
    """The results of the command, by check; for several results of one check, the first that is wrong."""
    begun = time.monotonic()
    done = subprocess.run([built(), "doctor", "--json", *map(str, arguments)], capture_output=True, text=True, timeout=60)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"No JSON from landfall doctor:\n{done.stdout}{done.stderr}")
    by_check = {}
    for finding in found:
        if sorted(finding) != ["check", "fix", "message", "ok"] or finding["ok"] != (finding["fix"] is None):
            check("Every finding has the same keys, and what to do where it is wrong", False, str(finding))
        if finding["check"] not in by_check or not finding["ok"]:
            by_check.setdefault(finding["check"], finding)
            if not finding["ok"] and by_check[finding["check"]]["ok"]:
                by_check[finding["check"]] = finding
    wrong = {name for name, finding in by_check.items() if not finding["ok"]}
    check("The exit status says whether all is in order", (done.returncode == 0) == (not wrong), f"status {done.returncode}")
    return by_check, wrong, time.monotonic() - begun


Arguments(__doc__).parse_args()
GOOD = f"default_type application/json; return 200 '{FILE}';"
ADDRESS = "proxy_set_header X-Forwarded-For $remote_addr;"
OFF = f"proxy_buffering off; {ADDRESS}"
# nginx believes the server's header X-Accel-Buffering unless it is told otherwise.
ON = f"proxy_buffering on; proxy_ignore_headers X-Accel-Buffering; {ADDRESS}"
OTHER = FILE.replace("ABCDE12345", "ZZZZZ99999")
CASES = {
    "good": ("good", OFF, GOOD), "accelerated": ("good", f"proxy_buffering on; {ADDRESS}", GOOD), "buffered": ("good", ON, GOOD),
    "unsaid": ("good", OFF.replace("$remote_addr", '""'), GOOD), "claimed": ("good", OFF.replace("$remote_addr", "$http_x_forwarded_for"), GOOD),
    "soon": ("soon", OFF, GOOD), "stranger": ("stranger", OFF, GOOD), "elsewhere": ("elsewhere", OFF, GOOD),
    "redirected": ("good", OFF, f"return 301 https://www.example.com{ASSOCIATION};"),
    "text": ("good", OFF, f"default_type text/plain; return 200 '{FILE}';"),
    "other": ("good", OFF, f"default_type application/json; return 200 '{OTHER}';"),
    "none": ("good", OFF, "return 404;"),
    "large": ("good", OFF, "default_type application/json; alias FOLDER/large.json;"),
}
# The check that has to fail, with a part of its message.
WRONG = {
    "buffered": ("buffering", "holds lines back"), "unsaid": ("proxy", "does not say whose calls"), "claimed": ("proxy", "choose their address"),
    "soon": ("tls", "ends on"), "stranger": ("tls", "not trusted"),
    "elsewhere": ("tls", "is for other.example.net"), "redirected": ("association", "Apple follows no redirect"),
    "text": ("association", "text/plain"), "other": ("association", "names ZZZZZ99999.com.example.app"),
    "none": ("association", "404"), "large": ("association", "128 KiB"),
}
# If the certificate is wrong, the command does not check what is behind it.
BESIDES = {"stranger": {"appleCDN"}, "elsewhere": {"appleCDN"}}

with tempfile.TemporaryDirectory(prefix="landfall-doctor-") as name, contextlib.ExitStack() as stack:
    folder = pathlib.Path(name)
    folder.chmod(0o755)  # nginx reads a file in it as another user
    hosts = [API, BRAND, WEB, CDN]
    for cert, names, days in (("good", hosts, 90), ("soon", hosts, 5), ("stranger", hosts, 90), ("elsewhere", ["other.example.net"], 90)):
        certificate(folder, cert, f"{cert}.key", names, days)
    (folder / "trusted.pem").write_text("".join((folder / f"{cert}.pem").read_text() for cert in ("good", "soon", "elsewhere")))
    (folder / "large.json").write_text(FILE[:-1] + ' , "padding": "' + "x" * (128 * 1024) + '"}')
    server = stack.enter_context(Server(folder / "server", EXAMPLE, *NO_APPLE, "--trusted-proxies", "127.0.0.1"))
    ports = dict(zip(CASES, free_ports(len(CASES))))
    listeners = {ports[case]: tuple(part.replace("FOLDER", str(folder)) for part in parts) for case, parts in CASES.items()}
    command = nginx(folder, listening(folder, server.port, listeners))
    trial = subprocess.run(command + ["-t"], capture_output=True, text=True)
    if trial.returncode != 0:
        sys.exit(f"nginx does not take the file: {trial.stderr}")
    stack.enter_context(running(command, folder, ports.values()))
    apple = serve_apple(stack, 0)

    def outside(case, *more, apple=apple):
        resolved = [part for host in hosts for part in ("--resolve", f"{host}=127.0.0.1:{ports[case]}")]
        return findings(["--data", server.data, "--public", f"https://{API}", *resolved, "--trust", folder / "trusted.pem",
                         "--apple-ads", apple, *more])

    for case in ("good", "accelerated"):
        found, wrong, seconds = outside(case)
        names = {"folder", "disk", "sync", "openFiles", "server", "durability", "store", "schema", "configuration", "keys", "api", "dns",
                 "tls", "association", "buffering", "apple", "appleCDN", "clock", "proxy", "backup", "retention", "pages"}
        check(f"An installation in order ({case}) is found in order", not (wrong - {"disk", "openFiles"}), str([found[one] for one in wrong]))
        check(f"Everything is looked at ({case})", set(found) == names, str(set(found) ^ names))
        check("It takes a few seconds", seconds < 8, f"{seconds:.1f} s")
    for case, (name, part) in WRONG.items():
        found, wrong, _ = outside(case)
        check(f"{case}: found, and nothing else", wrong - {"disk", "openFiles"} - BESIDES.get(case, set()) == {name}, str([found[one] for one in wrong]))
        check(f"{case}: says why", part in found.get(name, {}).get("message", ""), str(found.get(name)))

    found, wrong, _ = outside("good", apple=serve_apple(stack, -60))
    check("A clock that is wrong is found", "clock" in wrong and "ahead of" in found["clock"]["message"], str(found.get("clock")))
    found, wrong, _ = outside("good", apple="http://127.0.0.1:9")
    check("Apple that cannot be reached is found", wrong - {"disk", "openFiles"} == {"apple"}, str(found.get("apple")))
    found, wrong, seconds = findings(["--data", server.data, "--resolve", f"{BRAND}=127.0.0.1:9", "--apple-ads", apple])
    check("A host that nobody listens on is found", "tls" in wrong and "does not answer" in found["tls"]["message"], str(found.get("tls")))

    def served(placement):
        return server.ask(f"/v1/placements/{placement}/paywall?audience=default", fields={"Authorization": "Bearer pk_demo"}).json()

    onboarding, welcome = served("onboarding"), served("welcome")
    fallback = {"format": 1, "revision": onboarding["revision"], "paywalls": {
        "onboarding": {"audience": "everyone", "paywall": onboarding["paywall"], "locales": {}},
        "welcome": {"audience": "everyone", "paywall": welcome["paywall"], "locales": {}}}}
    file = folder / "fallback.json"
    file.write_text(json.dumps(fallback))
    found, _, _ = outside("good", "--fallback", file)
    check("A fallback file of what is served is in order", found["fallback"]["ok"], str(found["fallback"]))
    fallback["paywalls"]["onboarding"]["paywall"]["productIds"] = ["another"]
    fallback["paywalls"]["gone"] = fallback["paywalls"]["welcome"]
    file.write_text(json.dumps(fallback))
    found, _, _ = outside("good", "--fallback", file)
    check("A stale one is found", "'onboarding' differs" in found["fallback"]["message"] and "'gone'" in found["fallback"]["message"], str(found["fallback"]))

    soon = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 5 * 86_400))
    file = folder / "landfall.yaml"
    file.write_text(re.sub("    # expires: 2030-01-31 .*", f"    expires: {soon}", EXAMPLE))
    found, wrong, _ = findings(["--config", file, "--local"])
    check("A key that ends soon is found, from a file alone", wrong == {"keys"} and f"'pk_demo' ends on {soon}" in found["keys"]["message"], str(found))
    file.write_text("app: {}\n")
    found, wrong, _ = findings(["--config", file, "--local"])
    check("A file that cannot be served is found", wrong == {"file"}, str(found))

    server.stop()
    stack.enter_context(Server(folder / "server", EXAMPLE, *NO_APPLE, port=server.port))
    found, wrong, _ = outside("good")
    check("A server that does not know its proxy is found", "proxy" in wrong and "--trusted-proxies" in found["proxy"]["fix"], str(found.get("proxy")))

    text = subprocess.run([built(), "doctor", "--local", "--data", server.data], capture_output=True, text=True).stdout.splitlines()
    columns = {line.index(line[2:].split(" ")[0]) for line in text if line[:1] in "✔✘"}
    check("People get a table and a last line that counts", columns == {2} and re.fullmatch(r"\d+ checks, .*\.", text[-1]) is not None, str(text))

claims.end("landfall doctor finds what is wrong.")
