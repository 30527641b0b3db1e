# SPDX-License-Identifier: Apache-2.0
"""The cost of each path, compared with the framework's own empty handler in the same run. Also the tools for such loads, which other parts use."""
import contextlib, json, os, pathlib, re, shutil, statistics, subprocess, tempfile, urllib.error, urllib.request

from items import alone, compared
from measuring import API, BRAND, SAFARI, SECRET, call, cpu_seconds, documented_nginx, install, listening, nginx, node, say, wrk


def with_audiences(yaml):
    """A placement `many` with 20 audiences that do not match, above everyone."""
    audiences = "".join(
        f'  many-{n}:\n    attribution.campaign: {{ in: [{100 + n}, {200 + n}] }}\n    app.version: {{ ">=": 9.{n} }}\n' for n in range(20))
    entries = "".join(f"    - audience: many-{n}\n      paywall: summer\n" for n in range(20))
    yaml = yaml.replace("\naudiences:\n", "\naudiences:\n" + audiences, 1)
    return yaml.replace("\nplacements:\n", f"\nplacements:\n  many:\n{entries}    - audience: everyone\n      paywall: default\n", 1)


class Load:
    """One request that is sent again and again."""

    def __init__(self, name, port, path, pid=None, headers=(), script=None, through="direct", against="empty handler"):
        self.name, self.port, self.path, self.pid, self.headers, self.script = name, port, path, pid, headers, script
        self.through, self.against = through, against
        self.rounds = []

    def run(self, seconds):
        before, reads = self.used(), self.reads()
        result = wrk(self.port, self.path, seconds, self.headers, self.script)
        after = self.used()
        read = [now - then for now, then in zip(self.reads(), reads)]
        if sum(read):
            result["fromMemory"] = read[0] / sum(read)
        requests = max(1, result["perSecond"] * seconds)
        if before:
            result["cpuMicroseconds"] = (after[0] - before[0]) / requests * 1e6
            result["switches"] = (after[1] - before[1]) / requests
        self.rounds.append(result)

    def reads(self):
        """How many installs the process has found in memory so far, and how many it has read from its store."""
        if not self.pid:
            return 0, 0
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError:  # The empty handler has no figures.
            return 0, 0
        found = [re.search(rf'landfall_install_cache_reads_total{{outcome="{outcome}"}} (\d+)', text) for outcome in ("hit", "miss")]
        return tuple(int(match[1]) if match else 0 for match in found)

    def used(self):
        """CPU seconds and thread switches of the process so far."""
        if not self.pid:
            return None
        switches = 0
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                switches += sum(int(line.split()[1]) for line in (task / "status").read_text().splitlines() if "ctxt_switches" in line)
        return cpu_seconds(self.pid), switches


def lua(folder, name, body):
    path = folder / f"{name}.lua"
    path.write_text(body)
    return path


def asking(folder, name, method, path, number, body="", first=""):
    """A request of an install whose number is the Lua expression `number`, evaluated for each request. wrk shares the cores with what
    it measures, so the request is two texts around the number: `wrk.format` would write each field anew."""
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: {API}\r\n{length}Authorization: Bearer pk_demo\r\nLandfall-Profile: 0198f0c2-7b1a-7c3d-8e4f-"
    return lua(folder, name, f"""
        local n = 0
        local head = {json.dumps(head)}
        local tail = {json.dumps(f".{SECRET}" + chr(13) + chr(10) + chr(13) + chr(10))} .. '{body}'
        {first}
        function request()
          n = n + 1
          return head .. string.format("%012x", {number}) .. tail
        end""")


def drawn(folder, name, path, count):
    """One of `count` installs at random."""
    return asking(folder, name, "GET", path, f"math.random(0, {count - 1})", first="math.randomseed(os.time())")


def open_once(port, number):
    """Creates a profile by its first open, with a device as the SDK names it."""
    call(port, "POST", "/v1/first-open", '{"device":{"platform":"ios","deviceId":"d-1"},"adToken":{"none":"noToken"}}', number)


def stored(options):
    """A store with many installs. It is made once for each size and each program, and kept between runs."""
    stamp = f"{options.profiles}-{int(os.stat(options.benchmarks).st_mtime)}"
    folder = pathlib.Path(tempfile.gettempdir()) / "landfall-benchmarks" / f"installs-{stamp}"
    if not folder.exists():
        for old in folder.parent.glob(f"installs-{options.profiles}-*"):
            shutil.rmtree(old)
        making = folder.with_suffix(".making")
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        say(f"  storing {options.profiles:,} profiles")
        subprocess.run([options.benchmarks, "stored-installs", making, "--count", str(options.profiles)], check=True)
        making.rename(folder)
    return folder


def loads(work, ours, large, empty, proxy, proxied_empty, static, counts):
    """Every path, with the path that it is compared with."""
    port, pid = ours
    largePort, largePID = large
    me = ["Authorization: Bearer pk_demo", f"Landfall-Profile: {install(1)}.{SECRET}", f"Host: {API}"]
    link = [f"Host: {BRAND}", f"User-Agent: {SAFARI}"]
    many = "/v1/placements/many/paywall"
    # What a phone sends: it would wait for news, and names its device.
    asked = many + "?audience=matching&locale=en-us&after=-1&wait=5000"
    opened = '{"device":{"platform":"ios"},"adToken":{"none":"noToken"},"placements":[{"id":"onboarding"}]}'
    return [
        Load("empty handler", empty[0], "/answer", empty[1], against="nginx, a file"),
        # The same from a client that draws a number for each request: that costs the cores something too.
        Load("empty handler, drawn", empty[0], "/answer", empty[1], script=drawn(work, "answer", "/answer", counts), against=None),
        Load("nginx, a file", static, "/file", against=None),
        Load("nginx, return 302", static, "/", against=None),
        Load("healthz", port, "/healthz", pid),
        Load("default paywall", port, "/v1/placements/onboarding/paywall?audience=default", pid, me[:1] + me[2:]),
        Load("matching paywall, 20 audiences, seen lately", port, many, pid, me),
        Load("matching paywall, 20 audiences, as the SDK asks", port, asked, pid, [*me, "Landfall-Device: d-1"]),
        Load("matching paywall, 20 audiences, drawn", largePort, many, largePID, script=drawn(work, "drawn", many, counts),
             against="empty handler, drawn"),
        Load("matching paywall, 20 audiences, seen lately, large store", largePort, many, largePID, me),
        Load("profile, drawn", largePort, "/v1/profiles/me", largePID, script=drawn(work, "me", "/v1/profiles/me", counts),
             against="empty handler, drawn"),
        Load("profile, seen lately", port, "/v1/profiles/me", pid, me),
        Load("redirect with its click on disk", port, "/beach", pid, link),
        Load("redirect with its click on disk, large store", largePort, "/beach", largePID, link),
        Load("first open, new installs, not held", port, "/v1/first-open", pid,
             # New installs, which no earlier request or run has used.
             script=asking(work, "open", "POST", "/v1/first-open", "os.time() % 1e6 * 1e5 + n", opened)),
        Load("empty handler behind nginx", proxied_empty, "/answer", empty[1], against=None, through="nginx"),
        Load("redirect behind nginx", proxy, "/beach", pid, link, through="nginx", against="empty handler behind nginx"),
    ]


def paths(work, options):
    static = work / "static"
    static.mkdir(parents=True)
    (static / "file").write_bytes(b"x" * 471)
    site = f"location /file {{ root {static}; }} location / {{ return 302 https://apps.apple.com/app/id1234567890; }}"

    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(node(work / "node", options.binary, ["--trusted-proxies", "127.0.0.1"], with_audiences))
        empty = stack.enter_context(listening([options.benchmarks, "empty-handler"]))
        plain = stack.enter_context(nginx(work / "nginx", site))
        proxy = stack.enter_context(documented_nginx(work / "proxy", ours[0]))
        proxied_empty = stack.enter_context(documented_nginx(work / "proxied", empty[0]))
        large = (None, None)
        if not options.before:
            shutil.copytree(stored(options), work / "large" / "data")
            large = stack.enter_context(node(work / "large", options.binary, [], with_audiences))
        open_once(ours[0], 1)
        every = loads(work, ours, large, empty, proxy, proxied_empty, plain, options.profiles)
        if options.before:
            before = stack.enter_context(node(work / "before", options.before, ["--trusted-proxies", "127.0.0.1"], with_audiences))
            open_once(before[0], 1)
            every = beside_the_build_before(every, ours, before)
        for number in range(options.rounds + 1):
            for load in every if number % 2 else every[::-1]:  # Neither is always first: the machine changes while a round runs.
                load.run(options.seconds if number else 1)
                if not number:
                    load.rounds.clear()
            say(f"  round {number} of {options.rounds}" + ("" if number else " (to warm up)"))
    items = [item(load, every) for load in every]
    return items if options.before else items + growth(every, options) + opens(every)


def beside_the_build_before(every, ours, before):
    """The loads of the node `ours`, each directly after the same load of the node `before`, which it is compared with."""
    paired = []
    for load in every:
        if load.port != ours[0]:
            continue
        earlier = Load(f"{load.name}, the build before", before[0], load.path, before[1], load.headers, load.script, against=None)
        load.name, load.against = f"{load.name}, beside the build before", earlier.name
        paired += [earlier, load]
    return paired


def growth(every, options):
    """How many stored profiles change the slowest answers, compared with a store of one profile."""
    def beside(which, one):
        load, small = (next(load for load in every if load.name == name) for name in (which, one))
        return compared(f"paths: p99, {which}, {options.profiles:,} profiles", "ms", "lower", one, *(
            [result["p99Ms"] for result in side.rounds] for side in (load, small)))
    lately, click = "matching paywall, 20 audiences, seen lately", "redirect with its click on disk"
    return [
        beside(f"{lately}, large store", lately),
        # A drawn install is nearly never in memory.
        beside("matching paywall, 20 audiences, drawn", lately),
        beside(f"{click}, large store", click),
    ]


def opens(every):
    """What a first open with durable writes has to reach by itself: nothing that installs beside it stores one."""
    load = next(load for load in every if load.name.startswith("first open"))
    rates, slowest = ([result[key] for result in load.rounds] for key in ("perSecond", "p99Ms"))
    return [alone("paths: first opens a second", "requests/s", "higher", rates), alone("paths: p99 of first opens", "ms", "lower", slowest)]


def item(load, every):
    theirs = next((other for other in every if other.name == load.against), None)
    median = {key: statistics.median(result[key] for result in load.rounds if key in result) for key in load.rounds[0]}
    further = {"p50Milliseconds": median["p50Ms"], "p99Milliseconds": median["p99Ms"]} | {
        key: median[key] for key in ("cpuMicroseconds", "switches", "fromMemory") if key in median}
    rates = [result["perSecond"] for result in load.rounds]
    if theirs:
        return compared(f"paths: {load.name}", "requests/s", "higher", load.against, rates, [result["perSecond"] for result in theirs.rounds],
                        load.through, **further)
    return alone(f"paths: {load.name}", "requests/s", "higher", rates, load.through, **further)
