# SPDX-License-Identifier: Apache-2.0
"""Everybody at once after an outage, and phones of the last release."""
import asyncio, base64, collections, json, random, resource, sys, time, uuid

from alone import Alone
from fault import fault, row

PHONES, OUTAGE, DEADLINE = 10_000, 4, 10
BODY = json.dumps({"device": {"platform": "ios"}, "adToken": "none", "placements": [{"id": "onboarding"}], "holdMilliseconds": 3000})


class Crowd:
    """Phones that all find the server away, and try again after half a second to two seconds until it answers."""

    def __init__(self, port, count, dice):
        self.port, self.count, self.dice = port, count, dice
        self.outcomes, self.late, self.took, self.tries, self.installs = collections.Counter(), 0, [], 0, set()

    def request(self):
        dice = self.dice
        install, secret = uuid.UUID(int=dice.getrandbits(128), version=4), base64.urlsafe_b64encode(dice.randbytes(32)).decode().rstrip("=")
        address = f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        return str(install), (
            f"POST /v1/first-open HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer pk_demo\r\nLandfall-Profile: {install}.{secret}\r\n"
            f"X-Forwarded-For: {address}\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\nConnection: close\r\n\r\n{BODY}").encode()

    async def phone(self):
        install, data = self.request()
        for _ in range(30):
            self.tries += 1
            begun = time.monotonic()
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(data)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n"), 30)
                answer = await asyncio.wait_for(reader.read(), 30)
                writer.close()
                status = int(head.split()[1])
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, asyncio.LimitOverrunError, IndexError, ValueError):
                await asyncio.sleep(self.dice.uniform(0.5, 2))
                continue
            took = time.monotonic() - begun
            self.outcomes[f"{status} with a paywall" if b'"paywall"' in answer else f"{status} without a paywall"] += 1
            self.took.append(took)
            self.late += took > DEADLINE
            if status == 200:
                self.installs.add(install)
            return
        self.outcomes["never answered"] += 1

    async def run(self, comes_back):
        phones = [asyncio.ensure_future(self.phone()) for _ in range(self.count)]
        await asyncio.sleep(OUTAGE)
        await asyncio.to_thread(comes_back)
        await asyncio.gather(*phones)


@fault("outage", f"{PHONES:,} phones wait for a server that is away for {OUTAGE} s, and all come when it is back", "sqlite", own=True)
def outage(fault, options, seed, folder):
    count = 1_000 if options.quick else PHONES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 1000), hard))
    with Alone(folder / "run", seed, 0, held=0) as stage:
        crowd = Crowd(stage.port, count, random.Random(seed))
        stage.stop()
        begun = time.monotonic()
        asyncio.run(crowd.run(stage.start))
        took, causes = time.monotonic() - begun - OUTAGE, []
        good = "200 with a paywall"
        if set(crowd.outcomes) != {good}:
            causes.append(f"not every phone got its paywall: {dict(crowd.outcomes)}")
        there = {id for id, in stage.store.rows("SELECT install_id FROM install")}
        lost = crowd.installs - there
        causes += [f"lost: install {each}" for each in sorted(lost)[:5]] + [f"{crowd.late} phones waited more than {DEADLINE} s"] * bool(crowd.late)
    times = sorted(crowd.took)
    print(f"   {crowd.tries} tries; all were answered {took:.1f} s after the server's start began; an answer took "
          f"{times[len(times) // 2]:.2f} s in the median, the slowest {times[-1]:.2f} s", file=sys.stderr)
    return row(fault, seed, acknowledged=len(crowd.installs), lost=len(lost), phones=count, late=crowd.late, causes=causes)


def last_release(stage):
    """The phones are those of --old; without it, this release's."""
    if not stage.old:
        print("   --old names no other release: the phones are of this one", file=sys.stderr)
    stage.stop()
    if stage.old:
        # Its store is one that the last release wrote.
        stage.start(binary=stage.old)
        time.sleep(3)
        stage.stop()
    stage.start()
    time.sleep(3)


for engine in ("sqlite", "postgres"):
    def phones(stage):
        last_release(stage) if hasattr(stage, "server") else time.sleep(3)
    fault("last-release", "the phones are of the last release (--old)", engine, old_phones=True, held=0.3)(phones)
