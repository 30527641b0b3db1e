# SPDX-License-Identifier: Apache-2.0
"""The console's pages on a large store, beside phones at half of what the server can answer."""
import contextlib, http.client, json, math, pathlib, re, shutil, sqlite3, statistics, subprocess, sys, threading, time, urllib.parse

from items import compared, row
from measuring import BRAND, SAFARI, node, say, wrk

DAYS, LINKS, CLICKS = 400, 100_000, 1_000_000
LONGEST = 3_600
# Seconds of a round: each page is opened a dozen times, so that a p95 is not its slowest one.
LEAST, LEAST_QUICK = 90, 12
PASSWORD = "six grey herons at noon"
# Between two pages: five pages a second are some fifty people, each of whom opens one every ten seconds.
PAUSE = 0.2
# The pages that `script/check console` measures for size; here for time. A page that this release does not have is left out, and said.
PAGES = [
    "/console", "/console?days=90", "/console?source=apple_search_ads", "/console/live", "/console/links", "/console/links?q=l0000", "/console/reports/campaigns",
    "/console/reports/campaigns?from={first}&to={last}&by=source,campaign", "/console/reports/funnel", "/console/reports/retention",
    "/console/reports/links", "/console/reports/paywalls", "/console/profiles", "/console/profiles/{profile}", "/console/placements",
    "/console/audiences", "/console/paywalls", "/console/versions", "/console/experiments", "/console/health",
    "/console/settings/audit", "/console/settings/members", "/console/links/new", "/console/versions/1", "/console/placements/onboarding",
    "/console/audiences/apple-ads", "/console/paywalls/default", "/console/reports/campaigns?source=apple_search_ads&by=campaign",
    "/console/reports/campaigns?compare=before", "/console?from={first}&to={last}&campaign=542370539", "/console/reports/revenue",
    "/console/reports/revenue?view=booking&by=product", "/console/find?q=l0000", "/console/find", "/console/help",
    "/console/placements/onboarding?device=nobody", "/console/audiences/apple-ads?count=now", "/console/new/audience", "/console/new/experiment",
    "/console/webhooks", "/console/api",
]


def with_reports(yaml):
    """The benchmark's server key may read reports."""
    return yaml.replace("serverFrom: LANDFALL_SERVER_KEY", "serverFrom: LANDFALL_SERVER_KEY\n    may: [reports]", 1)


class Member:
    """The owner of a new server, signed in."""

    def __init__(self, port, data):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        link = (data / "console-setup").read_text().strip()
        token = urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["token"][0]
        form = urllib.parse.urlencode({"token": token, "name": "Benchmark", "email": "benchmark@example.com", "password": PASSWORD})
        self.connection.request("POST", "/console/setup", form, {
            "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
        answer = self.connection.getresponse()
        answer.read()
        cookie = re.match(r"__Host-landfall=[^;]+", answer.getheader("Set-Cookie") or "")
        if not cookie:
            sys.exit(f"The owner could not be made: {answer.status}.")
        self.fields = {"Cookie": cookie[0]}

    def get(self, path):
        """Status and milliseconds."""
        begun = time.perf_counter()
        self.connection.request("GET", path, headers=self.fields)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status, (time.perf_counter() - begun) * 1e3


def counted(port, folder):
    """Seconds until the server has counted every stored fact: its store says so."""
    from publishing import call
    begun, yesterday = time.monotonic(), int(time.time() - 1_200) // 86_400
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'landfall.sqlite'}?mode=ro", uri=True)) as store:
        while time.monotonic() - begun < LONGEST:
            days = store.execute("SELECT 1 FROM report_state WHERE generation IS NOT NULL AND building IS NULL").fetchone()
            clicks = store.execute("SELECT 1 FROM click_closed WHERE next_day >= ?", (yesterday,)).fetchone()
            if days and clicks:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
                return time.monotonic() - begun, json.loads(call(connection, "GET", "/v1/reports/campaigns?by="))
            time.sleep(1)
    sys.exit("The store was not counted within an hour.")


# Reports whose "complete to" is read beside the phones: they count events, first opens and clicks.
LAGGING = ["paywalls", "funnel", "campaigns", "links"]


def mixed(work, name, delay, installs):
    """Taps, first opens of new installs, events of stored ones and paywalls in turn, each after a pause of `delay` ms on average.
    Every fifth call has two events: a shown paywall and an own one."""
    path = work / f"{name}.lua"
    path.write_text(f"""
        local n, base = 0, os.time() % 1e6 * 1e6
        function delay() return math.random(0, {max(0, round(2 * delay))}) end
        function request()
          n = n + 1
          if n % 5 == 0 then return wrk.format("GET", "/beach", {{["Host"] = "{BRAND}", ["User-Agent"] = "{SAFARI}"}}) end
          if n % 5 == 2 then
            local shown = string.format("0198f0c3-7b1a-7c3d-8e50-%012x", base + n)
            local own = string.format("0198f0c3-7b1a-7c3d-8e51-%012x", base + n)
            return wrk.format("POST", "/v1/events", {{["Authorization"] = "Bearer pk_demo", ["Host"] = "api.example.com",
              ["Landfall-Profile"] = string.format("0198f0c2-7b1a-7c3d-8e4f-%012x.{'A' * 43}", math.random(1, {installs - 1}))}},
              '{{"events":[{{"id":"' .. shown .. '","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default",'
              .. '"elapsedMilliseconds":300}},{{"id":"' .. own .. '","type":"song_saved","ageMilliseconds":0}}]}}')
          end
          if n % 5 == 1 then
            local id = string.format("0198f0c2-7b1a-7c3d-8e50-%012x", os.time() % 1e6 * 1e5 + n)
            return wrk.format("POST", "/v1/first-open", {{["Authorization"] = "Bearer pk_demo", ["Host"] = "api.example.com",
              ["Landfall-Profile"] = id .. ".{'A' * 43}"}}, '{{"device":{{"platform":"ios"}},"adToken":{{"none":"noToken"}}}}')
          end
          return wrk.format("GET", "/v1/placements/onboarding/paywall?audience=default", {{["Authorization"] = "Bearer pk_demo",
            ["Host"] = "api.example.com"}})
        end""")
    return path


def visiting(member, pages, times, stop):
    """Pages in turn, all of them at least once, with a pause between two."""
    # The server has closed the connection if the phones alone took longer than its limit for idle ones: the next call opens another.
    member.connection.close()
    while not times or not stop.is_set():
        for path in pages:
            status, milliseconds = member.get(path)
            if status != 200:
                times.setdefault("failed", []).append((path, status))
            times.setdefault(path, []).append(milliseconds)
            stop.wait(PAUSE)


def lagging(port, lags, stop):
    """Once a second, each report in turn: how many milliseconds its "complete to" is behind."""
    from publishing import call
    connection, number = http.client.HTTPConnection("127.0.0.1", port, timeout=120), 0
    while not stop.wait(1):
        name = LAGGING[number % len(LAGGING)]
        try:
            found = json.loads(call(connection, "GET", f"/v1/reports/{name}"))["completeToMilliseconds"]
        except (SystemExit, OSError, http.client.HTTPException) as problem:
            # Here it would only end the thread.
            lags.setdefault("failed", []).append(f"{name}: {problem}")
            return
        lags.setdefault(name, []).append(max(0, time.time() * 1e3 - found))
        number += 1


def p95(values):
    return sorted(values)[max(0, math.ceil(0.95 * len(values)) - 1)]


class Console:
    """A server whose store is counted, with its owner signed in."""

    def __init__(self, port, folder, options):
        say("  counting the store, which takes minutes")
        self.port = port
        self.seconds, answer = counted(port, folder)
        say(f"  counted in {self.seconds:.0f} s: {answer['totals']['firstOpens']:,.0f} first opens in the default days")
        self.member = Member(port, folder)
        last = time.strftime("%Y-%m-%d", time.gmtime())
        first = time.strftime("%Y-%m-%d", time.gmtime(time.time() - (DAYS - 1) * 86_400))
        # The id of a profile: that of an install leads there by a redirect. The oldest ones may have lost their events.
        profile = f"i_0198f0c2-7b1a-7c3d-8e4f-{options.profiles // 2:012x}"
        found = {path: self.member.get(path)[0] for path in (path.format(first=first, last=last, profile=profile) for path in PAGES)}
        self.pages = [path for path, status in found.items() if status == 200]
        for path, status in found.items():
            if status == 404:
                say(f"  left out, no such page: {path}")
            elif status != 200:
                sys.exit(f"{path} answered {status}.")
        # Milliseconds of each page, for each round.
        self.times, self.lags = [], {}

    def visited(self, load):
        """The pages in turn beside a load of phones: the phones' p99."""
        times, stop = {}, threading.Event()
        visitor = threading.Thread(target=visiting, args=(self.member, self.pages, times, stop))
        reader = threading.Thread(target=lagging, args=(self.port, self.lags, stop))
        visitor.start()
        reader.start()
        p99 = load()["p99Ms"]
        stop.set()
        visitor.join()
        reader.join()
        if times.pop("failed", None):
            sys.exit("A page failed beside the phones.")
        if failed := self.lags.pop("failed", None):
            sys.exit(f"A report failed beside the phones: {failed[0]}")
        self.times.append(times)
        return p99

    def p95(self, path):
        """Of each round."""
        return [p95(times[path]) for times in self.times]


def reports(work, options):
    folder = work / "reports" / "data"
    folder.mkdir(parents=True)
    # In proportion to the profiles.
    links, clicks = (max(1_000, count * options.profiles // 1_000_000) for count in (LINKS, CLICKS))
    say(f"  storing {options.profiles:,} profiles, {options.events:,} events, {links:,} links, {clicks:,} clicks of {DAYS} days")
    # The earlier build reads no store that a newer one has made.
    maker = pathlib.Path(options.before).with_name("LandfallBenchmarks") if options.before else options.benchmarks
    subprocess.run([
        maker, "stored-reports", folder, "--installs", str(options.profiles), "--events", str(options.events), "--links", str(links),
        "--clicks", str(clicks), "--days", str(DAYS)], check=True, timeout=LONGEST)
    if options.before:
        shutil.copytree(folder, work / "before" / "data")
    with contextlib.ExitStack() as stack:
        def console(name, binary):
            port, _ = stack.enter_context(node(work / name, binary, [], with_reports))
            return Console(port, work / name / "data", options)
        now = console("reports", options.binary)
        before = console("before", options.before) if options.before else None
        limit = wrk(now.port, "/", options.seconds, script=mixed(work, "limit", 0, options.profiles))["perSecond"]
        half = mixed(work, "half", 64 / (limit / 2) * 1e3, options.profiles)
        alone, beside = [], []
        length = max(options.seconds, LEAST_QUICK if options.quick else LEAST)
        for number in range(options.rounds):
            alone.append(wrk(now.port, "/", length, script=half)["p99Ms"])
            beside.append(now.visited(lambda: wrk(now.port, "/", length, script=half)))
            say(f"  round {number + 1} of {options.rounds}: p99 of the phones {alone[-1]:.1f} ms alone, {beside[-1]:.1f} ms beside the pages")
            if before:
                p99 = before.visited(lambda: wrk(before.port, "/", length, script=half))
                say(f"  the build before: p99 of the phones {p99:.1f} ms beside the pages")
        items = [page(path, [time for times in now.times for time in times[path]], options.rounds) for path in now.pages] + [
            traffic(alone, beside, limit), behind(now.lags, options.rounds), rebuilt(now.seconds, options)]
        return items + ([beside_before(path, now, before) for path in now.pages if path in before.pages] if before else [])


def beside_before(path, now, before):
    return compared(f"reports: {path}, beside the build before", "ms", "lower", "the build before", now.p95(path), before.p95(path))


def page(path, times, rounds):
    return row(f"reports: {path}", "ms", "lower", p95(times), rounds, spread=[min(times), max(times)], p50Milliseconds=statistics.median(times),
               slowestMilliseconds=max(times))


def traffic(alone, beside, limit):
    """How much slower pages make phones that send half of what the server can answer."""
    return compared("reports: p99 of phones at half of the limit, beside the pages", "ms", "lower", f"the same phones alone, {limit / 2:,.0f} requests/s",
                    beside, alone)


def behind(lags, rounds):
    """How far "complete to" was behind while phones also sent events, at most."""
    every = [lag for found in lags.values() for lag in found]
    for name, found in sorted(lags.items()):
        say(f"  {name} were complete to {statistics.median(found) / 1e3:.1f} s before now, at most {max(found) / 1e3:.1f} s")
    if not every:
        sys.exit('No report said up to when it is complete.')
    medians = sorted(statistics.median(found) for found in lags.values())
    return row('reports: lag of "complete to", beside events', "ms", "lower", max(every), rounds, spread=[min(every), max(every)],
               p50Milliseconds=medians[len(medians) // 2])


def rebuilt(seconds, options):
    return row(f"reports: counting {options.profiles:,} profiles and {options.events:,} events anew", "ms", "lower", seconds * 1e3, 1,
               spread=[seconds * 1e3] * 2)
