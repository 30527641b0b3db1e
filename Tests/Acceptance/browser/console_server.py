# SPDX-License-Identifier: Apache-2.0
"""A server with a console, and the calls of its phones and of people's browsers."""
import base64, json, pathlib, re, time

from changing import changing
from server import SAFARI, Landfall, Server, phone

CONFIGURATION = """
app: { id: example, bundleId: com.example.app, name: Example, scheme: example, appStoreId: "6670001234" }
keys: [ { sdk: pk_demo } ]
domains: { brand: [links.example.com], universal: [example.com] }
paywalls:
  default: { products: [year], defaultLocale: en, remoteConfig: { en: { title: Unlock, button: Go }, ja: { title: "はじめる" } } }
  half: { products: [year], defaultLocale: en, remoteConfig: { en: { title: Half, tint: "#0B6B5B", image: "https://example.com/half.png", isNew: true, price: 9.5 }, ja: { tint: "#FFF" } } }
audiences:
  phones: { platform: { is: ios } }
  spring: { country: { is: DE }, any: [ { language: { is: ja } }, { app.version: { ">=": 2.1 } } ] }
placements:
  onboarding: [ { audience: spring, paywall: default }, { audience: everyone, paywall: default } ]
  offer: [ { audience: everyone, experiment: spring-price } ]
  upsell: [ { audience: everyone, experiment: upsell-text } ]
events: { trial_started: {}, song_saved: {} }
metrics: { trial: { event: trial_started }, saved: { event: song_saved } }
experiments:
  spring-price:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default, remoteConfig: { en: { title: Half price } } } }
    primary: trial
    guardrails: [ { metric: saved, harm: 50% } ]
  upsell-text:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default, remoteConfig: { en: { title: More } } } }
    primary: trial
testDevices: { team-phone: { install: 0190a5c0-7e1b-7c3a-9f00-000000000001 } }
links: [ { url: "https://links.example.com/beach", to: "https://example.com/beach", campaign: summer } ]
"""


# With posters whose codes people type, and the App Store's purchases in reports: see Shop.
POSTERS = [("winter", "winter-poster"), ("easter", "easter-poster")]
SELLING = CONFIGURATION.replace("campaign: summer } ]", "campaign: summer }, " + ", ".join(
    f'{{ url: "https://links.example.com/{suffix}", to: "https://example.com/{suffix}", campaign: {campaign}, ios: [page], code: true }}'
    for campaign, suffix in POSTERS) + " ]") + "purchases: { currency: USD }\n"


class Shop(Landfall):
    """The simulated App Store, for a server with its certificate `root`; it tells nobody of what it sells."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder) / "root.pem"
        super().__init__(folder, "app-store-simulator", "--port", "0", "--notify", "http://127.0.0.1:9/", "--root-out", self.root)

    def __enter__(self):
        if not self.listens(seconds=20):
            error = self.failure("The App Store does not listen")
            self.stop()
            raise error
        return self

    def sold(self, milliunits, after):
        """The transaction of a purchase that is paid once. It is dated up to three seconds back, as after the App Store's sheet: bought again
        until that is after this time, in Unix seconds."""
        wish = {"productId": "sim.type=nonconsumable", "storefront": "USA", "priceMilliunits": milliunits, "currency": "USD"}
        while True:
            signed = self.ask("/sim/purchases", wish).json()["jws"]
            payload = signed.split(".")[1]
            if json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["purchaseDate"] > after * 1_000:
                return signed
            time.sleep(0.1)


class ConsoleServer(Server):
    """The server, until `with` ends. `link` is what it wrote for the first owner."""

    def __init__(self, folder, configuration=CONFIGURATION, *options, **more):
        super().__init__(folder, configuration, *options, **more)

    def __enter__(self):
        super().__enter__()
        written = self.wait_for(r"^console: (\S+)", self.log, seconds=10)
        if not written:
            error = self.failure("There is no link for the first owner")
            self.stop()
            raise error
        self.link = written[1]
        return self

    def asked(self, path, body, number):
        """The phone's id, and the answer to its call."""
        install = f"0198f0c2-7b1a-7c3d-8e4f-{number:012d}"
        return install, self.ask(path, body, phone(install), seconds=10)

    def call(self, path, body, number):
        """A call of a phone that is not refused; its id."""
        return self.answer(path, body, number)[0]

    def answer(self, path, body, number):
        """The phone's id, and the lines of the answer."""
        install, answer = self.asked(path, body, number)
        if answer.status >= 300:
            raise RuntimeError(f"{path} answers {answer}")
        return install, answer.lines()

    def visit(self, path, fields={}):
        """A tap in a phone's browser."""
        answer = self.ask(path, fields={"User-Agent": SAFARI} | fields, host="links.example.com", seconds=10)
        if answer.status >= 300 and answer.status not in (302, 303, 307, 400, 404):
            raise RuntimeError(f"{path} answers {answer}")
        return answer

    def tap(self, path):
        """A tap in a phone's browser; the code that the link's page shows."""
        return re.search(r'class="code"[^>]*>([^<]+)<', self.visit(path).text)[1]

    def make(self, key, wishes):
        """What became of each link of a call of the backend."""
        return self.ask("/v1/links", {"links": wishes}, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}).json()["links"]

    def shown(self):
        """The title of the paywall that a phone gets."""
        _, lines = self.answer("/v1/first-open", first_open("onboarding", device={"platform": "ios"}), 4)
        return next(line["paywall"]["remoteConfig"]["value"]["title"] for line in lines if "paywall" in line)

    def grow_old(self):
        """All sessions so far gave their password an hour ago."""
        with changing(self.data / "landfall.sqlite", timeout=10) as store:
            store.execute("UPDATE console_session SET proven_at_ms = proven_at_ms - 3600000")


def first_open(*placements, **fields):
    """What a phone that no advertisement brought asks."""
    return {"adToken": {"none": "noToken"}, "placements": [{"id": name} for name in placements], **fields}


def event(number, kind, **fields):
    return {"id": f"0198f0c3-7b1a-7c3d-8e4f-{number:012d}", "type": kind, "ageMilliseconds": 0, **fields}
