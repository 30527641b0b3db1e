# SPDX-License-Identifier: Apache-2.0
"""Nodes on one PostgreSQL: what the server adds to the engine's own time, how long a change takes from one node to another, and what a
further node costs.

pgbench runs the statements that the server sends: they are read from PostgreSQL's log of two calls that differ in their install. Values
that differ are drawn by the script too."""
import contextlib, http.client, http.server, json, os, re, statistics, subprocess, sys, threading, time

from databases import MeasuredPostgres
from items import compared, row
from measuring import API, BRAND, ROOT, SAFARI, SECRET, call, cpu_seconds, install, listening, say, wrk
import paths

OPENING = '{"device":{"platform":"ios"},"adToken":{"none":"noToken"},"placements":[{"id":"onboarding"}]}'
CLIENTS = 64
MOST_VARIABLES = 255  # In one statement of pgbench.
# The first half of an id, from the milliseconds in pgbench's variable: one more with each turn of a client.
GROWING = "'0' || left(to_hex(CAST(:c AS BIGINT)), 7) || '-' || right(to_hex(CAST(:c AS BIGINT)), 4)"


def events(first):
    """A body of 100 events whose ids begin with that number."""
    one = ('{"id":"0198f0c3-7b1a-7c3d-8e4f-%012x","type":"paywall_shown","ageMilliseconds":1200,"placement":"onboarding",'
           '"paywall":"default"}')
    return '{"events":[' + ",".join(one % (first + number) for number in range(100)) + "]}"


@contextlib.contextmanager
def node(binary, url, apple="http://127.0.0.1:9", change=lambda yaml: yaml, folder=None, options=()):
    yaml = ROOT / "Examples/SelfHost/landfall.yaml"
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "landfall.yaml").write_text(change(yaml.read_text()))
        yaml = folder / "landfall.yaml"
    environment = dict(os.environ, LANDFALL_LOG_LEVEL="error", LANDFALL_DRAIN="0") | ({"LANDFALL_DATABASE": url} if url else {})
    command = [binary, "serve", "--config", yaml, "--port", "0", "--apple-ads", apple, "--trusted-proxies", "127.0.0.1", *options]
    with listening(command, env=environment) as started:
        yield started


# MARK: - Statements

class Drawn:
    """The expressions of a script for values that differ from call to call."""

    def __init__(self):
        self.known = {}

    def expression(self, value, other, text):
        if value == other:
            return re.sub(r":(?=\w)", ":' || '", value)  # To pgbench it would be a variable.
        if value not in self.known:
            self.known[value] = self.make(value, text, len(self.known))
        return self.known[value]

    def make(self, value, text, number):
        if found := re.fullmatch(r"'(i_)?0198f0c2-7b1a-7c3d-8e4f-[0-9a-f]{12}'", value):
            return f"('{found[1] or ''}0198f0c2-7b1a-7c3d-8e4f-' || lpad(to_hex(CAST(:n AS BIGINT)), 12, '0'))"
        if re.fullmatch(r"'[0-9a-f]{8}-.*'", value):  # Ids of server and phones grow with time.
            return f"({GROWING} || '{value[14:20]}' || substr(md5(CAST(:r AS TEXT) || 'v{number}'), 1, 17))"
        if value.startswith("'\\x"):
            return f"decode(md5(CAST(:r AS TEXT) || '{number}') || md5(CAST(:r AS TEXT) || '-{number}'), 'hex')"
        if "advisory" in text:
            return f"(CAST(:r AS BIGINT) + {number})"
        return value  # A time, or a number without a key.


def script(transactions, others, count, only=None):
    """A script of pgbench that does what the transactions did, for a drawn install of `count`."""
    drawn, texts = Drawn(), []
    for transaction, other in zip(transactions, others, strict=True):
        for (text, values), (same, differing) in zip(transaction, other, strict=True):
            if "pg_current_xact_id_if_assigned" in text or text != same:
                if text != same:
                    sys.exit(f"Two equal calls sent different statements:\n{text}\n{same}")
                continue
            if only and not re.match(only, text):
                continue
            expressions = [drawn.expression(value, unlike, text) for value, unlike in zip(values, differing, strict=True)]
            texts.append(re.sub(r"\$(\d+)", lambda found: expressions[int(found[1]) - 1], " ".join(text.split())) + ";")
    if any(sum(text.count(f":{name} ") for name in "ncr") > MOST_VARIABLES for text in texts):
        values = {GROWING: "growing", "CAST(:n AS TEXT)": "n", "CAST(:r AS TEXT)": "r"}
        settings = ", ".join(f"set_config('drawn.{name}', {value}, FALSE)" for value, name in values.items())
        for value, name in {**values, ":n ": "n", ":r ": "r"}.items():
            texts = [text.replace(value, f"current_setting('drawn.{name}') ") for text in texts]
        texts = [f"SELECT {settings};", *texts]
    return f"\\set c :c + 1\n\\set n random({count[0]}, {count[1]})\n\\set r random(1, 4000000000000000000)\n" + "\n".join(texts) + "\n"


def sent(server, marker, calling):
    """The transactions of a call: those with a text or a value that contains the marker."""
    with server.statements() as found:
        calling()
        time.sleep(0.3)
    return [transaction for transaction in found if any(re.search(marker, text + "".join(values)) for text, values in transaction)
            and not any("UNION ALL SELECT kind, app" in " ".join(text.split()) for text, _ in transaction)]


# MARK: - Rows of figures

FILL = [
    """INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
      os_version, platform, locale, store_country, time_zone, token_none, is_reinstall, created_at_ms, installed_at_ms)
    SELECT 'example', $id, sha256(decode(repeat('00', 32), 'hex')), 'i_' || $id, $now, 2, 1, '2.1.0', '18.1', 'ios', 'en_US', 'US',
      'America/New_York', 'noToken', 0, $now, $now FROM $numbers""",
    "INSERT INTO install_seen (app_id, install_id, last_seen_at_ms) SELECT 'example', $id, $now FROM $numbers",
    """INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
    SELECT 'example', 'i_' || $id, 1, NULL, 0, '{"plan":"pro","sessions":7}', $now FROM $numbers""",
    """INSERT INTO attribution_fact (app_id, install_id, fact_id, source, status, is_verified, is_test, said_at_ms,
      recorded_at_ms, apple_ads)
    SELECT 'example', $id, 'apple:' || i, 'apple_search_ads', 'non_organic', 1, 0, $now, $now,
      '{"adGroupId":542317095,"attribution":true,"campaignId":542370539,"conversionType":"Download","countryOrRegion":"US"}'
    FROM $numbers WHERE i % 3 = 0""",
]


def fill(server, count):
    now = str(int(time.time() * 1000))
    for text in FILL:
        text = text.replace("$id", "('0198f0c2-7b1a-7c3d-8e4f-' || lpad(to_hex(i), 12, '0'))").replace("$now", now)
        server.psql(text.replace("$numbers", f"generate_series(0, {count - 1}) AS i"))
    server.psql("VACUUM ANALYZE")


def batches(work, count):
    """Requests of wrk: 100 new events of a drawn install each."""
    split = "0198f0c3-7b1a-7c3d-8e4f-0000000000"  # The last two digits of an id are its place in the request.
    parts = ", ".join(json.dumps(part) for part in events(0).split(split))
    head = (f"POST /v1/events HTTP/1.1\r\nHost: {API}\r\nContent-Length: {len(events(0))}\r\nAuthorization: Bearer pk_demo\r\n"
            "Landfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-")
    tail = f".{SECRET}\r\n\r\n"
    path = work / "events.lua"
    path.write_text(f"""
        math.randomseed(os.time())
        local parts, n = {{{parts}}}, os.time() % 1e6 * 1e4
        function request()
          n = n + 1
          return {json.dumps(head)} .. string.format("%012x", math.random(0, {count - 1})) .. {json.dumps(tail)}
            .. table.concat(parts, {json.dumps(split[:-10])} .. string.format("%010x", n))
        end""")
    return path


def beside_pgbench(server, port, work, options):
    """Each path, in turn with pgbench and as many clients."""
    count, new = options.profiles, 1 << 40

    def pair(marker, calling):
        return [sent(server, marker(number), lambda: calling(number)) for number in (new + 1, new + 2)]

    opening = pair(lambda n: install(n), lambda n: call(port, "POST", "/v1/first-open", OPENING, n))
    paywall = pair(lambda n: install(n), lambda n: call(port, "GET", "/v1/placements/many/paywall", None, n))
    call(port, "GET", "/beach", host=BRAND, headers={"User-Agent": SAFARI})
    click = pair(lambda n: r"INSERT INTO click\s", lambda n: call(port, "GET", "/beach", host=BRAND, headers={"User-Agent": SAFARI}))
    batch = pair(lambda n: r"INSERT INTO event\s", lambda n: call(port, "POST", "/v1/events", events(((1 << 43) + n - new) * 16), n))
    for name, found in {"first open": opening, "paywall": paywall, "redirect": click, "events": batch}.items():
        if not all(found):
            sys.exit(f"The statements of '{name}' are not in PostgreSQL's log.")
    stored, fresh = (0, count - 1), (1 << 42, 1 << 46)
    posting = batches(work, count)
    rows = [
        ("paywall drawn", "requests/s", "the install's text by pgbench", 1, "/v1/placements/many/paywall",
         paths.drawn(work, "many", "/v1/placements/many/paywall", count), (), script(*paywall, stored)),
        ("redirect with its click on disk", "requests/s", "single INSERTs by pgbench", 1, "/beach", None,
         [f"Host: {BRAND}", f"User-Agent: {SAFARI}"], script(*click, stored, only="INSERT INTO click")),
        ("events, 100 a request", "rows/s", "the same multi-row INSERTs by pgbench", 100, "/v1/events", posting, (),
         script(*batch, stored, only="BEGIN|COMMIT|INSERT INTO event")),
        ("first open, new installs, not held", "requests/s", "its statements by pgbench", 1, "/v1/first-open",
         paths.asking(work, "opens", "POST", "/v1/first-open", "math.random(2 ^ 47, 2 ^ 48 - 1)", OPENING, "math.randomseed(os.time())"), (),
         script(*opening, fresh)),
    ]
    measured = {row[0]: [] for row in rows}
    for number in range(options.rounds + 1):
        for name, _, _, factor, path, lua, headers, text in rows if number % 2 else rows[::-1]:
            # In less than two seconds pgbench may still open its connections.
            seconds = max(2, options.seconds) if number else 2
            both = [lambda: wrk(port, path, seconds, headers, lua), lambda: server.pgbench(text, seconds)]
            if number % 2:
                load, theirs = both[0](), both[1]()
            else:
                theirs, load = both[1](), both[0]()
            if number:
                measured[name].append((load["perSecond"] * factor, theirs * factor, load["p50Ms"], load["p99Ms"]))
        say(f"  round {number} of {options.rounds}" + ("" if number else " (to warm up)"))
    return [compared(f"nodes: {name}", unit, "higher", against, [one[0] for one in measured[name]], [one[1] for one in measured[name]],
                     p50Milliseconds=statistics.median(one[2] for one in measured[name]), p99Milliseconds=statistics.median(one[3] for one in measured[name]))
            for name, unit, against, *_ in rows]


class Apple(http.server.BaseHTTPRequestHandler):
    """Apple's attribution service: it answers each token a tenth of a second after it came, and notes when."""
    protocol_version = "HTTP/1.1"
    wbufsize = 65536  # An answer is one packet.
    answered = {}

    def do_POST(self):
        token = self.rfile.read(int(self.headers["Content-Length"])).decode()
        time.sleep(0.1)
        body = json.dumps({"attribution": True, "orgId": 1, "campaignId": 542370539, "conversionType": "Download", "claimType": "Click",
                           "adGroupId": 542317095, "countryOrRegion": "US", "keywordId": 87675432, "adId": 542317136}).encode()
        self.answered[token] = time.monotonic()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def waking(ports, tries):
    """Milliseconds from Apple's answer at the first node to the line of a stream: on the same node, and on the other one."""
    took = ([], [])
    for number in range(2 * tries):
        which = number % 2
        device = (1 << 44) + int(time.time()) * 10_000 + number
        connection = http.client.HTTPConnection("127.0.0.1", ports[which], timeout=30)
        connection.request("POST", "/v1/first-open", '{"adToken":"coming","placements":[{"id":"onboarding"}],"holdMilliseconds":10000}',
                           {"Authorization": "Bearer pk_demo", "Landfall-Profile": f"{install(device)}.{SECRET}", "Host": API})
        answer, token = connection.getresponse(), f"token-{device}"
        answer.readline()
        time.sleep(0.05)
        call(ports[0], "POST", "/v1/profiles/me/ad-token", json.dumps({"value": token}), device)
        while b"apple_search_ads" not in (line := answer.readline()):
            if not line:
                sys.exit("A stream ended without Apple's answer.")
        took[which].append((time.monotonic() - Apple.answered[token]) * 1000)
        answer.read()
    return took


def wakes(binary, url, tries):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Apple) as apple, contextlib.ExitStack() as stack:
        threading.Thread(target=apple.serve_forever, daemon=True).start()
        ports = [stack.enter_context(node(binary, url, f"http://127.0.0.1:{apple.server_port}"))[0] for _ in range(2)]
        waking(ports, 5)
        same, other = waking(ports, tries)
        apple.shutdown()
    items = []
    for share in (50, 99):
        ours, theirs = (statistics.quantiles(times, n=100, method="inclusive")[share - 1] for times in (other, same))
        items.append(row(f"nodes: p{share} from Apple's answer to the line of a stream on another node", "ms", "lower", ours, len(other),
                         against="a stream on the same node", theirs=theirs, ratios=[ours / theirs], added=ours - theirs))
    return items


def idle(server, binary, seconds):
    """What a node that does nothing costs the database, as a share of a core: on a store of its own, because the store of the loads still has
    to be counted. Alone, the database is measured before and after."""
    url = server.database("idle")
    with node(binary, url):
        pass
    def used():
        server.psql("CHECKPOINT")
        begin = server.cpu()
        time.sleep(seconds)
        return (server.cpu() - begin) / seconds
    before = used()
    with contextlib.ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(node(binary, url))
        time.sleep(3)
        shared = used()
    share = (shared - (before + used()) / 2) / 4
    return [row("nodes: an idle node", "share of a database core", "lower", share, 1)]


def work_of_nodes(server, binary, url, work, options):
    """Statements and CPU of a request, the database's and the nodes', on one, two and four nodes. Every load is the same number of requests a
    second, which leaves the cores idle for half of the time: on busy cores the figure would be that of their queues."""
    paywall = "/v1/placements/onboarding/paywall"
    loads = {
        "paywall drawn": (paywall, paths.asking(
            work, "each", "GET", paywall, f"math.random(0, {options.profiles - 1})",
            first="math.randomseed(os.time()) function delay() return 60 end")),
        "first open": ("/v1/first-open", paths.asking(
            work, "each-open", "POST", "/v1/first-open", "start + n", OPENING,
            first="local start = 2 ^ 42 + os.time() % 1e6 * 1e6 function init(args) start = start + args[1] * 1e5 end "
                  "function delay() return 150 end")),
    }
    found = {name: {} for name in loads}
    rounds = 1 if options.quick else options.rounds
    for number in range(rounds):
        for count in (1, 2, 4) if number % 2 else (4, 2, 1):
            with contextlib.ExitStack() as stack:
                nodes = [stack.enter_context(node(binary, url)) for _ in range(count)]
                time.sleep(1)
                for name, (path, lua) in loads.items():
                    server.psql("SELECT pg_stat_statements_reset()")
                    begin = (server.cpu(), sum(cpu_seconds(pid) for _, pid in nodes))
                    running = [subprocess.Popen(["wrk", "-t1", f"-c{CLIENTS // count}", f"-d{options.seconds}s", "-s", lua,
                                                 f"http://127.0.0.1:{port}{path}", "--", str(place)], stdout=subprocess.PIPE, text=True)
                               for place, (port, _) in enumerate(nodes)]
                    texts = [process.communicate()[0] for process in running]
                    if any("Non-2xx" in text or "Socket errors" in text for text in texts):
                        sys.exit(f"Some calls failed, so there is no figure:\n{texts}")
                    requests = sum(int(re.search(r"(\d+) requests in", text)[1]) for text in texts)
                    statements = int(server.psql("SELECT SUM(calls) FROM pg_stat_statements"))
                    end = (server.cpu(), sum(cpu_seconds(pid) for _, pid in nodes))
                    found[name].setdefault(count, []).append(
                        (statements / requests, *((after - before) / requests * 1e6 for after, before in zip(end, begin))))
        say(f"  work of nodes: round {number + 1} of {rounds}")
    items = []
    for name, by_count in found.items():
        for place, (what, unit) in enumerate((("statements", "statements"), ("CPU of the database", "µs"), ("CPU of the nodes", "µs"))):
            for count in (2, 4):
                ours, theirs = ([one[place] for one in by_count[nodes]] for nodes in (count, 1))
                items.append(compared(f"nodes: {what} of a request, {name}, {count} nodes", unit, "lower", "1 node", ours, theirs))
    return items


def nodes(work, options):
    with MeasuredPostgres(shared_preload_libraries="pg_stat_statements") as server:
        url = server.database("landfall")
        server.psql("CREATE EXTENSION pg_stat_statements")
        with node(options.binary, url, change=paths.with_audiences, folder=work / "nodes") as (port, _):
            say(f"  storing {options.profiles:,} profiles")
            fill(server, options.profiles)
            items = beside_pgbench(server, port, work, options)
        server.psql("VACUUM ANALYZE")
        items += wakes(options.binary, url, options.tries)
        items += idle(server, options.binary, 4 if options.quick else 20)
        return items + work_of_nodes(server, options.binary, url, work, options)

