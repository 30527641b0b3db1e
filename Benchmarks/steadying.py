# SPDX-License-Identifier: Apache-2.0
"""What a request costs on a steady day: 4,700 mixed requests a second, half of them writes, beside the sum of what its paths cost when each is
asked for as fast as it is answered."""
import json, shutil

from items import alone, compared
from measuring import API, BRAND, SAFARI, SECRET, node, say
import paths

RATE, CALLERS = 4_700, 64
# Of eight requests: four read, four write.
SHARES = {"paywall": 4, "tap": 2, "first open": 1, "events": 1}


def requests(profiles):
    """Lua functions that make a request of each kind; `n` is one more each time."""
    def head(method, path, install, tail=""):
        text = f"{method} {path} HTTP/1.1\r\nHost: {API}\r\nAuthorization: Bearer pk_demo\r\nLandfall-Profile: "
        return f"{json.dumps(text)} .. {install} .. {json.dumps('.' + SECRET + chr(13) + chr(10) + tail)}"

    stored = f'string.format("0198f0c2-7b1a-7c3d-8e4f-%012x", math.random(0, {profiles - 1}))'
    fresh = 'string.format("0198f0c2-7b1a-7c3d-8e50-%012x", base + n)'
    opening = '{"device":{"platform":"ios"},"adToken":{"none":"noToken"},"placements":[{"id":"onboarding"}]}'
    event = '{"id":"%s","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default","elapsedMilliseconds":300}'
    batch = '{"events":[' + ",".join(event % f"0198f0c3-7b1a-7c3d-8e5{place}-000000000000" for place in range(2)) + "]}"
    first, second, last = batch.split("000000000000")
    number = 'string.format("%012x", base + n)'
    length = "Content-Length: {}\r\n\r\n".format
    tap = f"GET /beach HTTP/1.1\r\nHost: {BRAND}\r\nUser-Agent: {SAFARI}\r\n\r\n"
    return {
        "paywall": head("GET", "/v1/placements/many/paywall", stored, "\r\n"),
        "tap": json.dumps(tap),
        "first open": f"{head('POST', '/v1/first-open', fresh, length(len(opening)))} .. {json.dumps(opening)}",
        "events": f"{head('POST', '/v1/events', stored, length(len(batch)))} .. {json.dumps(first)} .. {number} .. {json.dumps(second)} .. "
                  f"{number} .. {json.dumps(last)}",
    }


def script(work, name, texts, delay=None):
    """Requests of wrk: each text in turn, after a pause of `delay` ms on average."""
    pause = f"function delay() return math.random(0, {max(1, round(2 * delay))}) end" if delay is not None else ""
    choices = ", ".join(f"function() return {text} end" for text in texts)
    return paths.lua(work, name, f"""
        math.randomseed(os.time())
        local n, base = 0, os.time() % 1e6 * 1e6
        local made = {{ {choices} }}
        {pause}
        function request() n = n + 1 return made[n % #made + 1]() end""")


def steady(work, options):
    shutil.copytree(paths.stored(options), work / "steady" / "data")
    made = requests(options.profiles)
    mixed = [made[kind] for kind, share in SHARES.items() for _ in range(share)]
    mixed = mixed[::2] + mixed[1::2]
    with node(work / "steady", options.binary, [], paths.with_audiences) as (port, pid):
        singles = {kind: paths.Load(kind, port, "/", pid, script=script(work, kind.replace(" ", "-"), [text])) for kind, text in made.items()}
        pause = CALLERS / RATE * 1e3
        day = paths.Load("steady", port, "/", pid, script=script(work, "steady", mixed, pause))
        day.run(2)
        # An answer takes time too: the pause is shorter by it.
        day.script = script(work, "steady", mixed, pause - (CALLERS / day.rounds[0]["perSecond"] * 1e3 - pause))
        day.rounds.clear()
        for number in range(options.rounds + 1):
            for load in [day, *singles.values()] if number % 2 else [*singles.values(), day]:
                load.run((options.seconds * 2 if load is day else options.seconds) if number else 1)
                if not number:
                    load.rounds.clear()
            say(f"  round {number} of {options.rounds}" + ("" if number else " (to warm up)"))
    sums = [sum(singles[kind].rounds[number]["cpuMicroseconds"] * share for kind, share in SHARES.items()) / sum(SHARES.values())
            for number in range(options.rounds)]
    return [
        compared(f"steady: CPU of one of {RATE:,} mixed requests a second", "µs", "lower", "the sum of its paths at full load",
                 [result["cpuMicroseconds"] for result in day.rounds], sums),
        alone("steady: requests a second", "requests/s", "higher", [result["perSecond"] for result in day.rounds]),
        alone("steady: p99 of answers", "ms", "lower", [result["p99Ms"] for result in day.rounds]),
    ]
