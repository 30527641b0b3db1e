# SPDX-License-Identifier: Apache-2.0
"""A steady day: taps, first opens, events and paywalls at a fixed rate that the server can easily answer, what a request costs there, and where
the rest goes: each kind alone at the same rate, the mix while nothing is counted, no request at all, and the same mix as fast as it goes."""
import collections, contextlib, itertools, json, pathlib, random, re, shutil, statistics, sys, time, urllib.request

import paths, reporting
from items import alone, compared
from measuring import API, BRAND, SAFARI, SECRET, TICKS, install, node, say, wrk
from changing import changing
from pacing import Kind, paced, quantile

# A fifth of the phones' requests is a tap, a first open and a call with two events; two fifths are paywalls.
SHARES = {"taps": 1, "first opens": 1, "events": 1, "paywalls": 2}
# A mix in which counting is on has to last longer than the pause between two counts.
COUNTED_SECONDS = 40
RATE = 4_700
NAMES = {
    "the mix": f"steady: CPU of one of {RATE:,} mixed requests a second",
    "the mix, nothing is counted": f"steady: CPU of one of {RATE:,} mixed requests a second, nothing is counted",
}
NEVER_MS = 1 << 52


def kinds(rate, installs):
    """The mix, with ids that no earlier run has used."""
    numbers, draw = itertools.count(int(time.time() * 1e3) << 4 & (1 << 47) - 1), random.Random(7)
    key = f"Host: {API}\r\nAuthorization: Bearer pk_demo\r\n"
    tap = f"GET /beach HTTP/1.1\r\nHost: {BRAND}\r\nUser-Agent: {SAFARI}\r\n\r\n".encode()
    paywall = f"GET /v1/placements/onboarding/paywall?audience=default HTTP/1.1\r\n{key}\r\n".encode()

    def post(path, profile, body):
        head = f"POST {path} HTTP/1.1\r\n{key}Landfall-Profile: {profile}.{SECRET}\r\nContent-Length: {len(body)}\r\n\r\n"
        return (head + body).encode()

    def opening(_):
        profile = f"0198f0c2-7b1a-7c3d-8e50-{next(numbers):012x}"
        return post("/v1/first-open", profile, '{"device":{"platform":"ios"},"adToken":{"none":"noToken"}}')

    def events(_):
        shown, own = (f"0198f0c3-7b1a-7c3d-{group}-{next(numbers):012x}" for group in ("8e50", "8e51"))
        return post("/v1/events", install(draw.randrange(1, installs)), json.dumps({"events": [
            {"id": shown, "type": "paywall_shown", "ageMilliseconds": 0, "placement": "onboarding", "paywall": "default", "elapsedMilliseconds": 300},
            {"id": own, "type": "song_saved", "ageMilliseconds": 0}]}, separators=(",", ":")))

    requests = {"taps": lambda _: tap, "first opens": opening, "events": events, "paywalls": lambda _: paywall}
    return [Kind(name, rate * share / sum(SHARES.values()), requests[name]) for name, share in SHARES.items()]


def threads(name):
    """What the threads of that name do."""
    return "loops" if name.startswith("NIO") else {"-qos.overcommit": "writer and readers", "oot.default-qos": "pool"}.get(name, "others")


class Used:
    """What a server has used so far: CPU by the names of its threads, thread switches, commits and the writes in them."""

    def __init__(self, port, pid):
        self.cpu, self.switches = collections.Counter(), 0
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):  # A thread may end meanwhile.
                # Nanoseconds: the ticks of "stat" are as long as a hundred answers.
                self.cpu[threads((task / "comm").read_text().strip())] += int((task / "schedstat").read_text().split()[0]) / 1e9
                self.switches += sum(int(line.split()[1]) for line in (task / "status").read_text().splitlines() if "ctxt_switches" in line)
        self.kernel = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[12]) / TICKS
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            figures = dict(re.findall(r"^(landfall_store_\w+) ([\d.e+-]+)$", answer.read().decode(), re.MULTILINE))
        self.commits, self.writes, self.committing = (
            float(figures.get(f"landfall_store_{name}_total", 0)) for name in ("commits", "writes", "commit_seconds"))


def measured(server, seconds, load):
    """One load beside what the server used for it. `load` returns the number of requests and their times by kind."""
    port, pid = server
    before, begun = Used(port, pid), time.monotonic()
    requests, times, late = load()
    passed, after = time.monotonic() - begun, Used(port, pid)
    cpu = after.cpu - before.cpu
    commits = after.commits - before.commits
    return {
        "requests": requests, "cores": cpu.total() / passed, "kernelCores": (after.kernel - before.kernel) / passed,
        "threads": {name: used / passed for name, used in cpu.items()},
        "switchesPerSecond": (after.switches - before.switches) / passed, "perSecond": requests / passed,
        "commitsPerSecond": commits / passed, "group": (after.writes - before.writes) / commits if commits else None,
        "commitMs": (after.committing - before.committing) / commits * 1e3 if commits else None,
        "p50Ms": {name: quantile(found, 0.5) * 1e3 for name, found in times.items() if found},
        "p99Ms": {name: quantile(found, 0.99) * 1e3 for name, found in times.items() if found},
        "clientLateMs": (quantile(late, 0.99) or 0) * 1e3,
    }


def at_rate(server, chosen, seconds, seed):
    def load():
        if not chosen:
            time.sleep(seconds)
            return 0, {}, []
        times, late = paced(server[0], chosen, seconds, seed)
        return sum(map(len, times.values())), times, late
    return measured(server, seconds, load)


def at_full_load(server, script, seconds):
    """The same mix from callers who ask again at once."""
    def load():
        found = wrk(server[0], "/", seconds, script=script)
        return round(found["perSecond"] * seconds), {}, []
    return measured(server, seconds, load)


def stop_counting(folder):
    """Postpones the job that counts, in the store of a server that is stopped. Facts are still marked in their own writes."""
    with changing(folder / "landfall.sqlite") as store:
        changed = store.execute("UPDATE job SET due_at_ms = ?, lease_until_ms = ? WHERE kind = 'rollups'", (NEVER_MS, NEVER_MS)).rowcount
    if not changed:
        sys.exit("The store has no job that counts: this is another release's, or it has never served.")


def counting(folder):
    with changing(folder / "landfall.sqlite") as store:
        store.execute("UPDATE job SET due_at_ms = 0, lease_until_ms = 0 WHERE kind = 'rollups'")


def round_of(work, folder, binary, options, installs, number):
    """Every load on one build: the ones that are not counted first, because counting goes on after its facts."""
    every = kinds(RATE, installs)
    found, data = {}, folder / "data"
    script = reporting.mixed(work, "full", 0, installs)
    stop_counting(data)
    with node(folder, binary, [], reporting.with_reports) as server:
        at_rate(server, every, 2, number)  # To warm up.
        found["no request"] = at_rate(server, [], options.seconds, number)
        for kind in every:
            found[f"only {kind.name}"] = at_rate(server, [kind], options.seconds, number)
        found["the mix, nothing is counted"] = at_rate(server, every, options.seconds, number)
        found["the mix at full load"] = at_full_load(server, script, options.seconds)
    counting(data)
    with node(folder, binary, [], reporting.with_reports) as server:
        at_rate(server, every, 2, number)
        found["the mix"] = at_rate(server, every, max(options.seconds, COUNTED_SECONDS), number)
    return found


def prepared(work, options, builds):
    """A counted store for each build. The earlier build counts it: it could not open the store of a newer one."""
    first = work / "steady" / next(reversed(builds))
    shutil.copytree(paths.stored(options), first / "data")
    with node(first, builds[first.name], [], reporting.with_reports) as (port, _):
        say(f"  counted in {reporting.counted(port, first / 'data')[0]:.0f} s")
    for name in builds:
        if name != first.name:
            shutil.copytree(first / "data", work / "steady" / name / "data")


def steady(work, options):
    builds = {"now": options.binary} | ({"before": options.before} if options.before else {})
    prepared(work, options, builds)
    rounds = {name: [] for name in builds}
    for number in range(options.rounds):
        for name in list(builds)[::1 if number % 2 else -1]:
            rounds[name].append(round_of(work, work / "steady" / name, builds[name], options, options.profiles, number))
        say(f"  round {number + 1} of {options.rounds}")
    items = [figure(load, name, rounds) for name in builds for load in rounds[name][0]]
    explained(items)
    mix = next(item["said"] for item in items if item["name"] == NAMES["the mix"])
    return items + [alone(f"steady: p99 of {name}", "ms", "lower", [slowest]) for name, slowest in mix["p99Ms"].items()]


def middle(values):
    """The median; of each name in dictionaries."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    if not isinstance(known[0], dict):
        return statistics.median(known)
    return {name: middle([value.get(name) for value in known]) for name in sorted(set().union(*known))}


def cost(found):
    return found["cores"] / found["perSecond"] * 1e6 if found["requests"] else 0


def figure(load, build, rounds):
    """CPU of a request, the mixes beside the same mix at full load; and what else was measured of the load, under its own name in `said`."""
    mine = [found[load] for found in rounds[build]]
    name = NAMES.get(load, f"steady: {load}") + ("" if build == "now" else ", the build before")
    costs, further = [cost(found) for found in mine], {"said": {key: middle([found[key] for found in mine]) for key in mine[0]}}
    if load in NAMES:
        made = compared(name, "µs", "lower", "the same mix at full load", costs, [cost(found["the mix at full load"]) for found in rounds[build]], **further)
    else:
        made = alone(name, "µs", "lower", costs, **further)
    if build == "now" and "before" in rounds:
        pairs = list(zip(mine, (found[load] for found in rounds["before"])))
        if mine[0]["requests"]:
            made["costBesideBefore"] = statistics.median(cost(now) / cost(then) for now, then in pairs)
        made["p99BesideBefore"] = {
            name: statistics.median(now["p99Ms"][name] / then["p99Ms"][name] for now, then in pairs) for name in made["said"]["p99Ms"] or {}}
    return made


def explained(items):
    """Says what was measured beside the CPU, and what the parts alone add up to."""
    width = max(len(item["name"]) for item in items)
    say(f"{'':{width}}  requests/s  CPU each  cores (kernel)  switches each  commits/s  writes in one   p50 and p99 in ms")
    for item in items:
        said = item["said"]
        each = f"{item['ours']:5.0f} µs" if said["requests"] else "-"
        switches = f"{said['switchesPerSecond'] / said['perSecond']:.2f}" if said["requests"] else f"{said['switchesPerSecond']:.0f}/s"
        group = "" if said["group"] is None else f"{said['group']:.2f}"
        waits = ", ".join(f"{name} {said['p50Ms'][name]:.1f}/{slowest:.1f}" for name, slowest in (said["p99Ms"] or {}).items())
        say(f"{item['name']:{width}}  {said['perSecond']:10,.0f}  {each:>8}  {said['cores']:5.2f} ({said['kernelCores']:.2f})    {switches:>13}  "
            f"{said['commitsPerSecond']:9,.0f}  {group:>13}   {waits}")
    for item in items:
        if "costBesideBefore" in item:
            waits = ", ".join(f"{name} {ratio:.2f}" for name, ratio in item["p99BesideBefore"].items())
            say(f"{item['name']}: {item['costBesideBefore']:.2f} of the CPU of the build before; p99: {waits or '-'}")
    explain({item["name"]: item["said"] | {"ours": item["ours"]} for item in items if not item["name"].endswith("the build before")})


def explain(items):
    """What the parts alone add up to, beside the mix."""
    alone = {name: item for name, item in items.items() if name.startswith("steady: only ")}
    idle, mix = items["steady: no request"]["cores"], items[NAMES["the mix"]]
    uncounted, full = items[NAMES["the mix, nothing is counted"]], items["steady: the mix at full load"]
    per = 1e6 / mix["perSecond"]
    say("\nOf a request of the mix, in µs of CPU:")
    for name, µs in [("the same mix at full load", full["ours"]), ("counting", (mix["cores"] - uncounted["cores"]) * per), ("no request", idle * per)] + [
            (f"{name[8:]} at their rate", (item["cores"] - idle) * per) for name, item in alone.items()]:
        say(f"  {name:32} {µs:6.0f}")
    say(f"  {'all kinds alone, added':32} {sum(item['cores'] - idle for item in alone.values()) * per:6.0f}")
    say(f"  {'the mix, nothing is counted':32} {uncounted['ours']:6.0f}")
    say(f"  {'the mix':32} {mix['ours']:6.0f}")
    say("Cores by thread: " + ", ".join(f"{name} {used:.2f}" for name, used in sorted(mix["threads"].items(), key=lambda one: -(one[1] or 0)) if used))
