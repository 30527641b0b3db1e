# SPDX-License-Identifier: Apache-2.0
"""What phones, visitors, members of the team and the App Store ask, at a fixed rate: a late answer does not delay the next call, and its
time counts from the instant at which it was to be sent."""
import json, re, time

from loop import Call
from server import SAFARI

API, BRAND, SECRET = "api.example.com", "brandname.go.link", "A" * 43
# Of a hundred calls. A first open is followed by the report of its token.
SHARES = {"firstOpen": 8, "tap": 12, "events": 30, "paywall": 50}
EVENTS = 3
# A second, beside them, at every rate.
NOTIFICATIONS, PAGES = 20, 2
# Installs that come back for a paywall or send events.
KNOWN = 200_000
# Of first opens: tokens that never come, so that their streams are held to the end.
WITHOUT_TOKEN, HOLD = 0.1, 10_000
# A call that has no answer then counts as an error.
LONGEST = 60
PAGES_READ = [
    "/console", "/console/live", "/console/links", "/console/reports/campaigns", "/console/reports/funnel", "/console/reports/retention",
    "/console/reports/links", "/console/reports/paywalls", "/console/profiles", "/console/placements", "/console/health",
]
OPENING = json.dumps({
    "device": {"appVersion": "2.1.0", "osVersion": "18.1", "platform": "ios", "locale": "en-US"}, "adToken": "coming",
    "placements": [{"id": "onboarding"}], "holdMilliseconds": HOLD})
REASON = re.compile(rb'"reason":"(\w+)"')


def post(path, fields, body):
    return f"POST {path} HTTP/1.1\r\nHost: {API}\r\n{fields}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


class Phone:
    """An install whose first open is under way."""
    __slots__ = ("id", "number", "told", "fields")

    def __init__(self, id, number):
        self.id, self.number, self.told, self.fields = id, number, None, fields(id, number)


def fields(id, number):
    """A phone's own fields, and its address: no two networks are the same for long."""
    return (f"Authorization: Bearer pk_demo\r\nLandfall-Profile: {id}.{SECRET}\r\n"
            f"X-Forwarded-For: 2001:db8:{number >> 16 & 0xffff:x}:{number & 0xffff:x}::1\r\n")


class Traffic:
    def __init__(self, loop, callers, ledger, dice, rate, bodies, cookie):
        self.loop, self.callers, self.ledger, self.dice, self.bodies, self.cookie = loop, callers, ledger, dice, bodies, cookie
        self.rate, self.next, self.running = rate, 0, False
        self.known, self.opened, self.number, self.opening = [], 0, 0, {}
        self.kinds, self.weights = [self.first_open, self.tap, self.events, self.paywall], list(SHARES.values())

    def begin(self):
        self.running, now = True, time.monotonic()
        self.next = now
        self.loop.at(now, self.arrive)
        self.loop.at(now, self.notify, now)
        self.loop.at(now, self.read_page, now, 0)
        self.loop.at(now + 1, self.sweep)

    def end(self):
        self.running = False

    def arrive(self):
        """Everything that is due by now."""
        if not self.running:
            return
        now = time.monotonic()
        while self.next <= now:
            self.dice.choices(self.kinds, self.weights)[0](self.next)
            self.next += 1 / self.rate
        self.loop.at(self.next, self.arrive)

    def send(self, kind, due, request, done, first=None):
        self.ledger.sent += 1
        self.ledger.late.add(time.monotonic() - due)
        self.callers.send(Call(kind, due, request, done, first))

    def expect(self, kind, due, status=200, then=None):
        """Notes the answer's time, or that it is not the one that belongs to the call."""
        def done(found, body):
            if found != status:
                return self.ledger.fail(kind, f"{found} {body[:160].decode(errors='replace')}")
            self.ledger.took(kind, time.monotonic() - due)
            if then:
                then(body)
        return done

    def id(self, variant):
        self.number += 1
        ms = int(time.time() * 1000)
        return f"{ms >> 16:08x}-{ms & 0xffff:04x}-7{variant:03x}-8{self.dice.getrandbits(12):03x}-{self.number:012x}"

    # MARK: Phones

    def first_open(self, due):
        id = self.id(1)
        phone = Phone(id, self.number)

        def first():
            self.ledger.took("firstOpen", time.monotonic() - due)
            self.remember(phone)
            if self.dice.random() >= WITHOUT_TOKEN:
                self.opening[id] = phone
                self.loop.at(time.monotonic() + self.dice.expovariate(1 / 0.6), self.report, phone)

        def done(status, body):
            self.opening.pop(id, None)
            found = REASON.findall(body)
            if status != 200 or not found or found[-1] not in (b"final", b"holdOver"):
                self.ledger.fail("firstOpen", f"{status}, its stream ended with {found[-1:]} {body[-120:] if not found else b''}")
            elif phone.told and found[-1] == b"final":
                self.ledger.took("appleAnswer", time.monotonic() - phone.told)
            if status == 200:
                self.ledger.acknowledged["install"] += 1
        self.send("firstOpen", due, post("/v1/first-open", phone.fields, OPENING), done, first)

    def report(self, phone):
        due = time.monotonic()
        self.send("adToken", due, post("/v1/profiles/me/ad-token", phone.fields, f'{{"value":"token-{phone.id}"}}'), self.expect("adToken", due))

    def told(self, token):
        """Apple answers now."""
        if phone := self.opening.get(token.removeprefix("token-")):
            phone.told = time.monotonic()

    def remember(self, phone):
        if len(self.known) < KNOWN:
            self.known.append((phone.id, phone.number))
        else:
            self.known[self.opened % KNOWN] = (phone.id, phone.number)
        self.opened += 1

    def drawn(self):
        return self.known[int(self.dice.random() * len(self.known))]

    def paywall(self, due):
        if not self.known:
            return self.first_open(due)
        request = f"GET /v1/placements/onboarding/paywall?locale=en-us HTTP/1.1\r\nHost: {API}\r\n{fields(*self.drawn())}\r\n".encode()
        self.send("paywall", due, request, self.expect("paywall", due))

    def events(self, due):
        if not self.known:
            return self.first_open(due)
        shown = f'"type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default","elapsedMilliseconds":300'
        own = '"type":"trial_started","ageMilliseconds":0,"value":9.99,"currency":"EUR","properties":{"plan":"year"}'
        body = ",".join(f'{{"id":"{self.id(2)}",{own if part == EVENTS - 1 else shown}}}' for part in range(EVENTS))

        def stored(body):
            taken = body.count(b'"accepted"')
            self.ledger.acknowledged["event"] += taken
            if taken != EVENTS:
                self.ledger.fail("events", f"not all were taken: {body[:200].decode()}")
        self.send("events", due, post("/v1/events", fields(*self.drawn()), f'{{"events":[{body}]}}'), self.expect("events", due, then=stored))

    # MARK: Others

    def tap(self, due):
        number = self.dice.getrandbits(32)
        request = (f"GET /beach?utm_content={number:x} HTTP/1.1\r\nHost: {BRAND}\r\nUser-Agent: {SAFARI}\r\n"
                   f"X-Forwarded-For: 2001:db8:{number >> 16:x}:{number & 0xffff:x}::1\r\n\r\n").encode()

        def stored(_):
            self.ledger.acknowledged["click"] += 1
        self.send("tap", due, request, self.expect("tap", due, 302, stored))

    def notify(self, due):
        if not self.running:
            return
        if body := next(self.bodies, None):
            def stored(_):
                self.ledger.acknowledged["app_store_notification"] += 1
            self.send("notification", due, post("/v1/app-store/notifications", "", body), self.expect("notification", due, then=stored))
        self.loop.at(due + 1 / NOTIFICATIONS, self.notify, due + 1 / NOTIFICATIONS)

    def read_page(self, due, number):
        if not self.running:
            return
        path = PAGES_READ[number % len(PAGES_READ)]
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.cookie}\r\n\r\n".encode()
        self.send("consolePage", due, request, self.expect("consolePage", due))
        self.loop.at(due + 1 / PAGES, self.read_page, due + 1 / PAGES, number + 1)

    def sweep(self):
        """Once a second: connections that were silent for long are closed, and calls without an answer are errors."""
        if not self.running:
            return
        self.callers.sweep()
        for connection in [each for each in self.callers.all if each.call and time.monotonic() - each.call.due > LONGEST]:
            connection.broken(f"no answer within {LONGEST} s")
        self.loop.at(time.monotonic() + 1, self.sweep)
