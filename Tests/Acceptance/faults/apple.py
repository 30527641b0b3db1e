# SPDX-License-Identifier: Apache-2.0
"""Apple's attribution service hangs, flaps, lies or answers byte by byte: phones are on time, and no lie is believed."""
import sys, time

from callers import Caller
from ending import until
from fault import fault
from server import ask

SECONDS = 10
LIE = "666000666"
# A lie has a status, a body and perhaps a campaign that has to be stored nowhere.
LIES = [
    (200, b""), (200, b"{}"), (200, b"[]"), (200, b'"yes"'), (200, b"<html>busy</html>"), (200, b'{"attribution":"yes","campaignId":%s}' % LIE.encode()),
    (200, b'{"attribution":true,"orgId":1,"campaignId":"%s"' % LIE.encode()), (200, b'{"attribution":true,"campaignId":{"id":%s}}' % LIE.encode()),
    (200, b'{"attribution":null,"campaignId":%s}' % LIE.encode()), (200, b"\xff\xfe\x00" * 50), (200, b"[" * 20000), (200, b"1" * 300_000),
    (204, b""), (302, b""), (418, b'{"campaignId":%s}' % LIE.encode()), (999, b"?"), (500, b"x" * 65536)]


def lies(dice):
    def lie(request):
        status, body = dice.choice(LIES)
        fields = f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\nLocation: http://127.0.0.1:9/\r\nConnection: close"
        return f"HTTP/1.1 {status} Lie\r\n{fields}\r\n\r\n".encode() + body
    return lie


class Patient(Caller):
    """Installs with a token of an Apple Ads campaign each, which has to be decided once Apple answers again."""

    def open(self, number):
        body = {
            "device": {"platform": "ios"}, "adToken": "coming", "placements": [{"id": "onboarding"}], "holdMilliseconds": 0}
        who = self.install()
        fields = {"X-Forwarded-For": self.address, **who}
        ask(self.port, "/v1/first-open", body, fields)
        token = f"sim.attribution=true&campaignId=542370539&id=patient{number}"
        ask(self.port, "/v1/profiles/me/ad-token", {"value": token}, fields)
        return who["Landfall-Profile"].split(".")[0]


def wrong(**fields):
    def body(stage):
        before = {name: getattr(stage.way, name) for name in fields}
        time.sleep(1)
        vars(stage.way).update(fields | ({"lie": lies(stage.dice)} if "lie" in fields else {}))
        stage.way.sever()
        patient = Patient(stage.port, stage.memory, None, f"{stage.seed} patient")
        installs = [patient.open(number) for number in range(5)]
        time.sleep(SECONDS)
        vars(stage.way).update(before)
        stage.way.sever()
        names = ", ".join(f"'{each}'" for each in installs)

        def decided():
            return len(stage.store.rows(f"SELECT 1 FROM apple_ads_exchange WHERE state = 'attributed' AND install_id IN ({names})"))
        try:
            until(lambda: decided() == len(installs), 60, "Every token is decided")
        except RuntimeError:
            stage.note(f"of {len(installs)} tokens from meanwhile {decided()} are decided a minute after Apple answers again")
        if believed := stage.store.rows(f"SELECT apple_ads FROM attribution_fact WHERE apple_ads LIKE '%{LIE}%'"):
            stage.note(f"a lie was believed: {believed[0]}")
        if "lie" in fields:
            print(f"   {stage.way.lies} answers were lies", file=sys.stderr)
    return body


for name, sentence, fields in (
    ("apple-hangs", "answers nothing", {"stalled": True}),
    ("apple-flaps", "refuses or breaks off half of all connections", {"flapping": 0.5}),
    ("apple-slow", "answers a byte each fifth of a second", {"bytewise": True, "pace": 0.2}),
    ("apple-lies", "answers what is no answer: other types, half a document, megabytes, other statuses", {"lie": None})):
    fault(name, f"Apple's attribution service {sentence}, for {SECONDS} s", "sqlite", way=True, unharmed=True)(wrong(**fields))
