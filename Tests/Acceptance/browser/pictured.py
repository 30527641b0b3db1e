# SPDX-License-Identifier: Apache-2.0
"""The demo as its pictures show it: the example's configuration with more links, a nested audience and an experiment, and the people of it."""
import os, pathlib, random, re, sys, time

from browser.chromium import become_member
from server import EXAMPLE, SAFARI, Demo, phone

HOST = "brandname.go.link"
LINKS = (("newsletter-july", "summer", "newsletter"), ("poster-station", "summer", "poster"), ("creator-lena", "creators", "video"),
         ("creator-kenji", "creators", "video"), ("friends", "referral", "share"))
MORE = {
    "audiences:": """
  spring-visitors:
    any:
      - language: { is: ja }
      - { country: { in: [DE, AT] }, app.version: { ">=": 2.1 } }
    not: { attribution.source: { is: apple_search_ads } }
""",
    "placements:": """
  offer:
    - audience: spring-visitors
      paywall: summer
    - audience: apple-ads
      paywall: apple-ads
    - audience: everyone
      experiment: half-price
""",
    "links:": "".join(
        f"\n  - {{ url: 'https://{HOST}/{path}', to: 'https://{HOST}/summer-clothes', campaign: {campaign}, channel: {channel} }}"
        for path, campaign, channel in LINKS) + "\n",
    "paywalls:": """
  half:
    products: [com.example.app.yearly.offer, com.example.app.monthly]
    defaultLocale: en
    remoteConfig:
      en: { title: Half price for your first year, button: Get the offer, trialDays: 14, showsReviews: true }
      ja: { title: 最初の1年は半額です, button: 特典を受け取る }
""",
}
EXPERIMENT = """
experiments:
  half-price:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: half } }
    primary: trial
    plannedUnits: 900
"""
DEVICES = (("en_US", "2.1.0"), ("en_GB", "2.1.0"), ("ja_JP", "2.1.0"), ("fr_FR", "2.0.0"), ("de_DE", "2.1.0"))
PEOPLE, DAY = 700, 86_400_000


def configuration():
    text = EXAMPLE + EXPERIMENT
    for section, more in MORE.items():
        text, count = re.subn(f"^{section}$", section + more.rstrip("\n").replace("\\", r"\\"), text, flags=re.MULTILINE)
        count == 1 or sys.exit(f"The example's configuration has no section '{section}'.")
    return text


class PicturedDemo(Demo):
    """`landfall demo` of eight weeks with that configuration, until `with` ends."""

    def __init__(self, folder, binary=None):
        if binary:
            os.environ["LANDFALL_BINARY"] = binary
        file = pathlib.Path(folder) / "landfall.yaml"
        file.write_text(configuration())
        super().__init__(pathlib.Path(folder) / "demo", "--days", "56", "--config", file, seconds=900)

    def __enter__(self):
        super().__enter__()
        for number, path in enumerate(("/beach?utm_source=poster", *(f"/{path}" for path, _, _ in LINKS)) * 3):
            if number % 4 != 3:
                self.called(path, host=HOST, fields={"User-Agent": f"{SAFARI} {number}", "Accept": "text/html"})
        # The days are counted from a minute after the start on.
        time.sleep(90)
        return self

    def called(self, *arguments, **more):
        answer = self.ask(*arguments, **more)
        if answer.status >= 400:
            sys.exit(f"{arguments[0]} is answered {answer}.")
        return answer

    def arrive(self):
        """Today's people of the placement with the experiment, which other pages should not show. B sells more."""
        draw = random.Random(11)
        for number in range(PEOPLE):
            who = phone(f"0198f0c2-7b1a-7c3d-8e4f-{number:012d}")
            locale, version = DEVICES[number % len(DEVICES)]
            question = {"device": {"platform": "ios", "locale": locale, "appVersion": version}, "adToken": {"none": "noToken"}, "placements": [{"id": "offer"}]}
            told = next(line for line in self.called("/v1/first-open", question, who).lines() if "paywall" in line)
            assignment, age, events = told.get("assignment"), draw.randrange(1, 27) * DAY + draw.randrange(DAY), []
            known = {"placement": "offer", "paywall": told["paywall"]["name"]} | ({"assignment": assignment} if assignment else {})
            audience = "everyone" if assignment else "spring-visitors"

            def add(kind, later, **fields):
                identity = f"0198f0c3-7b1a-7c3d-8e4f-{10 * number + len(events):012d}"
                events.append({"id": identity, "type": kind, "ageMilliseconds": age - later} | fields)

            if assignment:
                add("paywall_decided", 0, **known)
            add("paywall_shown", 1_000, **known, audience=audience, origin="matchingAudience", elapsedMilliseconds=draw.randrange(180, 1_400))
            if draw.random() < (0.31 if known["paywall"] == "half" else 0.17):
                add("trial_started", 60_000, value=9.99)
            self.called("/v1/events", {"events": events}, who)
        # An exposure is of a past day, which is counted again soon.
        time.sleep(20)


def owner(browser, demo):
    """What a browser keeps after the first owner has come in, and the profile of somebody whom Apple Ads brought."""
    page = browser.new_page()
    become_member(page, demo.links["console"])
    # A row leads to the install, and that to the profile.
    page.goto(demo.base + "/console/live?kind=attribution")
    person = page.locator("#live li", has_text="apple").first.locator("a[href*='/console/profiles/']").get_attribute("href")
    page.goto(demo.base + person)
    profile, state = page.url.split("/")[-1].split("?")[0], page.context.storage_state()
    page.context.close()
    return state, profile
