#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports, backups, streams and restores through a bucket: a small store in this program, which computes each signature itself.

script/check buckets [--binary PATH]: the store refuses what is not signed as AWS Signature Version 4 says, fails some requests, and keeps the
objects in memory. Two minutes, on this machine only: a server begins its work in the background after a minute.
"""
import hashlib, hmac, http.server, json, os, pathlib, re, sqlite3, subprocess, tempfile, threading, time, urllib.parse
from xml.sax.saxutils import escape

from changing import changing
from claims import Claims
from ending import until
from server import EXAMPLE, ROOT, Arguments, Server, built, phone

KEY, SECRET, REGION = "AKIDOFTHISCHECK", "secret/of+this=check", "eu-central-1"
DAY = 86_400_000
ROWS = 60_000
PHONE = phone("0198f0c2-7b1a-7c3d-8e4f-000000000001")
claims = Claims()


def digest(data):
    return hashlib.sha256(data).hexdigest()


class Store:
    """What the bucket holds, and what was asked."""

    def __init__(self):
        self.objects, self.uploads, self.asked, self.faults, self.listed = {}, {}, [], [], []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | fields).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def fault(self, status, code):
        self.reply(status, f"<Error><Code>{code}</Code><Message>Of {self.headers.get('Authorization')}</Message></Error>".encode())

    def is_signed(self, body):
        found = re.fullmatch(
            r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})",
            self.headers.get("Authorization", ""))
        if not found or found[1] != KEY or found[3] != REGION or "host" not in found[4].split(";"):
            return False
        sent = self.headers["x-amz-content-sha256"]
        if sent != digest(body):
            return False
        path, _, query = self.path.partition("?")
        pairs = sorted(part if "=" in part else part + "=" for part in query.split("&") if part)
        lines = [self.command, path, "&".join(pairs), *(f"{name}:{self.headers[name].strip()}" for name in found[4].split(";")), "", found[4], sent]
        scope = "/".join([found[2], REGION, "s3", "aws4_request"])
        text = "\n".join(["AWS4-HMAC-SHA256", self.headers["x-amz-date"], scope, digest("\n".join(lines).encode())])
        key = b"AWS4" + SECRET.encode()
        for part in scope.split("/"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return hmac.compare_digest(hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), found[5])

    def answer(self):
        store, body = self.server.store, self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        key = urllib.parse.unquote(url.path).removeprefix("/files").removeprefix("/")
        store.asked.append((self.command, key, sorted(query), len(body)))
        if store.faults and store.faults[0][0] in (self.command, None):
            return self.fault(*store.faults.pop(0)[1:])
        if not self.is_signed(body):
            return self.fault(403, "SignatureDoesNotMatch")
        if self.command == "POST" and "uploads" in query:
            name = f"up/load+{len(store.asked)}="
            store.uploads[name] = (key, {})
            return self.reply(200, f"<R><UploadId>{name}</UploadId></R>".encode())
        if self.command == "POST":
            key, parts = store.uploads.pop(query["uploadId"], (None, {}))
            numbers = [int(number) for number in re.findall(rb"<PartNumber>(\d+)</PartNumber>", body)]
            if key is None or numbers != sorted(parts):
                return self.fault(400, "InvalidPart")
            store.objects[key] = b"".join(parts[number] for number in numbers)
            return self.reply(200, b"<R></R>")
        if self.command == "PUT" and "uploadId" in query:
            if query["uploadId"] not in store.uploads:
                return self.fault(404, "NoSuchUpload")
            store.uploads[query["uploadId"]][1][int(query["partNumber"])] = body
            return self.reply(200, ETag=f'"{digest(body)}"')
        if self.command == "PUT":
            store.objects[key] = body
            return self.reply(200, ETag=f'"{digest(body)}"')
        if self.command == "DELETE":
            (store.uploads if "uploadId" in query else store.objects).pop(query.get("uploadId", key), None)
            return self.reply(204)
        if "list-type" in query:
            store.listed.append(query.get("prefix"))
            keys = "".join(f"<Contents><Key>{escape(name)}</Key></Contents>" for name in sorted(store.objects) if name.startswith(query.get("prefix", "")))
            return self.reply(200, f"<R><IsTruncated>false</IsTruncated>{keys}</R>".encode())
        if key not in store.objects:
            return self.fault(404, "NoSuchKey")
        data = store.objects[key]
        if found := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")):
            return self.reply(206, data[int(found[1]):int(found[2]) + 1], ETag=f'"{digest(data)}"')
        return self.reply(200, data, ETag=f'"{digest(data)}"')

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer


def serve():
    """A store on a free port, and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.store = Store()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.store, f"http://127.0.0.1:{server.server_port}"


def keys(endpoint, secret=SECRET):
    return {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": REGION, "AWS_ENDPOINT_URL_S3": endpoint}


def run(endpoint, *arguments, secret=SECRET):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run([built(), *arguments], capture_output=True, text=True, timeout=120, env=environment | keys(endpoint, secret))


def fill(data):
    """Clicks of the day before yesterday: more than one part."""
    day = int(time.time() * 1000) // DAY - 2
    with changing(data / "landfall.sqlite") as connection:
        connection.executemany(
            "INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome) VALUES ('example', ?, ?, 'person', 'ios', 'links.example.com', '/a', 'store')",
            ((f"{at >> 16:08x}-{at & 65535:04x}-7000-8000-{number:012x}", at) for number in range(ROWS) for at in [day * DAY + number]))
    return time.strftime("%Y-%m-%d", time.gmtime(day * DAY / 1000))


def exports(store, endpoint, data, folder):
    day = fill(data)
    line = ["export-data", "--data", data, "--from", day, "--until", day]
    own = run(endpoint, *line, "--to", folder / "own")
    store.faults = [("POST", 503, "SlowDown"), ("PUT", 500, "InternalError")]
    sent = run(endpoint, *line, "--to", "s3://files/daily ü/+")
    files = {path.name: path.read_bytes() for path in (folder / "own").iterdir()}
    got = {name.removeprefix("daily ü/+/"): data for name, data in store.objects.items()}
    claims.check("An export into a bucket has the bytes of one into a folder.", own.returncode == sent.returncode == 0 and got == files, (own.stderr, sent.stderr, sorted(got)))
    parts = [size for method, _, query, size in store.asked if "partNumber" in query and size]
    claims.check("  A large file went in parts of 8 MiB, and requests that failed were sent again.", max(parts) == 8 << 20 and not store.faults and not store.uploads, parts)

    store.faults = [("POST", 403, "AccessDenied")]
    refused = run(endpoint, *line, "--table", "clicks", "--to", "s3://files/x")
    wrong = run(endpoint, *line, "--to", "s3://files/x", secret="another/secret")
    claims.check("A store that refuses ends the command with its reason, and without keys.",
                 refused.returncode == wrong.returncode == 1 and "AccessDenied" in refused.stderr and "SignatureDoesNotMatch" in wrong.stderr
                 and not any(word in refused.stderr + wrong.stderr for word in [SECRET, KEY, "another/secret"]), (refused.stderr, wrong.stderr))


def backups(store, endpoint, data, folder):
    store.objects.clear()
    store.objects["b/other.txt"] = b"of somebody else"
    first = run(endpoint, "backup", "--to", "s3://files/b", "--data", data)
    time.sleep(1.1)  # Names have whole seconds.
    second = run(endpoint, "backup", "--to", "s3://files/b/", "--keep", "1", "--data", data)
    names = sorted(store.objects)
    claims.check("Of two backups the newer one is kept, and other objects stay.",
                 first.returncode == second.returncode == 0 and len(names) == 2 and re.fullmatch(r"b/landfall-\d{8}T\d{6}Z\.sqlite", names[0]) is not None
                 and names[0] in second.stdout, (names, first.stderr, second.stderr))
    claims.check("  No copy is left on this machine.", not list(data.glob("backup-to-*")))
    restored = run(endpoint, "restore", "--from", "s3://files/b", "--data", folder / "restored")
    count = None
    if restored.returncode == 0:
        with sqlite3.connect(folder / "restored/landfall.sqlite") as connection:
            count = connection.execute("SELECT count(*) FROM click").fetchone()[0]
    claims.check("  Only names of backups are listed.", set(store.listed) == {"b/landfall-"}, store.listed)
    claims.check("The newest one is restored.", count == ROWS and not list(folder.glob("backup-to-*")), (count, restored.stderr))

    broken = bytearray(store.objects[names[0]])
    broken[len(broken) // 2] ^= 1
    store.objects[names[0]] = bytes(broken)
    changed = run(endpoint, "restore", "--from", f"s3://files/{names[0]}", "--data", folder / "changed")
    claims.check("One in which a bit has changed is refused.", changed.returncode == 1 and "checksum" in changed.stderr and not (folder / "changed/landfall.sqlite").exists(), changed.stderr)

    store.faults = [(None, 403, "AccessDenied")]
    failed = run(endpoint, "backup", "--to", "s3://files/b", "--data", data)
    left = list(data.glob("backup-to-upload.sqlite"))
    claims.check("A backup that cannot be uploaded stays on this machine, and the command says where.",
                 failed.returncode == 1 and len(left) == 1 and "backup-to-upload.sqlite" in failed.stderr, failed.stderr)
    later = run(endpoint, "backup", "--to", "s3://files/b", "--data", data)
    claims.check("  The next one is uploaded and deletes it.", later.returncode == 0 and not list(data.glob("backup-to-*")), later.stderr)


def change(server, number):
    """Whether the server has acknowledged a change of a profile."""
    return server.ask("/v1/profiles/me/attributes", {"key": f"change-{number}", "attributes": {"n": number}}, PHONE).status == 200


def restore(endpoint, place, folder, *options):
    return run(endpoint, "restore", "--from-stream", place, "--data", folder / "data", *options)


def stored(folder):
    """The last change that a restored store has."""
    with Server(folder) as server:
        found = re.search(r'"n": (\d+)', json.dumps(server.ask("/v1/profiles/me", fields=PHONE).json()))
    return int(found[1]) if found else 0


def reached(server):
    """What was committed before this time, in Unix seconds, can be restored."""
    behind = re.search(r"^landfall_stream_behind_seconds ([0-9.e+-]+)", server.ask("/metrics").text, re.MULTILINE)
    return time.time() - float(behind[1])


def streams(store, endpoint, folder):
    with Server(folder / "streaming", EXAMPLE, "--stream-to", "s3://files/stream", "--stream-every", "1", environment=keys(endpoint)) as server:
        until(lambda: any(name.endswith(".sqlite") for name in list(store.objects)), 60, "A server that streams has sent no whole copy")
        acknowledged = []
        for number in range(1, 301):
            if number % 100 == 50:
                store.faults = [("PUT", 500, "InternalError")]
            acknowledged += [number] if change(server, number) else []
            time.sleep(0.02)
        last = time.time()
        until(lambda: reached(server) >= last, 60, "The stream does not reach the last change")
        later = change(server, 301)
        server.process.kill()
        server.process.wait()
    claims.check("A server that streams acknowledges every change, also while its bucket fails.", acknowledged == list(range(1, 301)) and later, len(acknowledged))
    segments = sorted(name for name in store.objects if name.endswith(".segment"))
    restored = restore(endpoint, "s3://files/stream", folder / "streamed", "--json")
    upto = json.loads(restored.stdout)["streamedToMilliseconds"] / 1000 if restored.returncode == 0 else 0
    claims.check("After kill -9, a restore elsewhere says how long it took, and up to when the copy goes.",
                 "The copy goes up to" in restored.stderr and "Restored in" in restored.stderr and last - 5 < upto <= time.time(), (restored.stderr, upto, last))
    claims.check("  What was acknowledged before the last segment is there.", stored(folder / "streamed") in (300, 301))

    middle, good = segments[len(segments) // 2], dict(store.objects)
    number = int(re.search(r"(\d+)\.segment", middle)[1])
    broken = bytearray(good[middle])
    broken[len(broken) // 2] ^= 1
    store.objects[middle] = bytes(broken)
    flipped = restore(endpoint, "s3://files/stream", folder / "flipped")
    del store.objects[middle]
    missing = restore(endpoint, "s3://files/stream", folder / "gap")
    claims.check("A restore ends before a segment in which a bit has changed, and before one that is missing, and says which.",
                 flipped.returncode == missing.returncode == 0 and f"segment {number} cannot be used" in flipped.stderr and f"segment {number} is missing" in missing.stderr,
                 (flipped.stderr, missing.stderr))
    before = stored(folder / "flipped")
    claims.check("  Both have the changes before it.", 0 < before < 300 and stored(folder / "gap") == before, before)

    store.objects.clear()
    store.objects.update(good)
    with Server(folder / "streaming", EXAMPLE, "--stream-to", "s3://files/stream", "--stream-every", "600", environment=keys(endpoint)) as server:
        until(lambda: sum(name.endswith(".sqlite") for name in list(store.objects)) > 1, 60, "A start has sent no whole copy")
        change(server, 302)
    ended = restore(endpoint, "s3://files/stream", folder / "ended")
    claims.check("A server that is stopped sends its last changes.", ended.returncode == 0 and stored(folder / "ended") == 302, ended.stderr)

    place = folder / "place"
    place.mkdir()
    with Server(folder / "to-folder", EXAMPLE, "--stream-to", place, "--stream-every", "1") as server:
        until(lambda: any(place.glob("*/*.sqlite")), 60, "A server that streams to a folder has written no whole copy")
        change(server, 1)
        last = time.time()
        until(lambda: reached(server) >= last, 60, "The stream to a folder does not reach the last change")
        server.process.kill()
        server.process.wait()
    local = restore(endpoint, place, folder / "local")
    claims.check("A stream to a folder is restored.", local.returncode == 0 and stored(folder / "local") == 1, local.stderr)


def daily(store):
    """What a server with `exports` has written by itself."""
    # Days can be exported a quarter of an hour after their end.
    if time.time() % 86400 < 1000:
        print("It is the first quarter of an hour of a day in UTC: that a server writes each day's files by itself is not checked now.")
        return
    end = time.monotonic() + 150
    manifests = []
    while not manifests and time.monotonic() < end:
        time.sleep(0.5)
        manifests = [name for name in list(store.objects) if re.fullmatch(r"each day/manifest-\d{4}-\d\d-\d\d\.json", name)]
    if not manifests:
        return claims.deny("A server with 'exports' has written nothing within 150 s.")
    files = {file["name"]: file["sha256"] for file in json.loads(store.objects[manifests[0]])["files"]}
    written = {name.removeprefix("each day/"): digest(data) for name, data in store.objects.items() if name not in manifests}
    claims.check("A server with 'exports' writes the files of the last day by itself, and then their manifest with their checksums.", files == written and len(files) == 9, (files, written))


def main():
    Arguments(__doc__).parse_args()
    store, endpoint = serve()
    own, place = serve()
    streamed, address = serve()
    with tempfile.TemporaryDirectory(prefix="landfall-buckets-") as name:
        folder = pathlib.Path(name)
        data = folder / "data"
        applied = run(endpoint, "apply", ROOT / "Examples/SelfHost/landfall.yaml", "--data", data)
        claims.check("A store is made.", applied.returncode == 0, applied.stderr)
        text = EXAMPLE + "\nexports: { to: 's3://files/each day', hour: 0 }\n"
        with Server(folder / "server", text, environment=keys(place)):
            exports(store, endpoint, data, folder)
            backups(store, endpoint, data, folder)
            daily(own)
        streams(streamed, address, folder)
    claims.end("Exports, backups, streams and restores go through a bucket.")


if __name__ == "__main__":
    main()
