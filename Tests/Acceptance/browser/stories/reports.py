# SPDX-License-Identifier: Apache-2.0
"""Which campaign earned most, and what was published meanwhile."""
import time

from browser.console_server import first_open
from browser.stories.telling import story

# Who buys, from which campaign's poster they come, and for how much (in thousandths).
BUYERS = [(7_001, "winter", 19_990), (7_002, "winter", 19_990), (7_003, "winter", 9_990), (7_004, "easter", 29_990)]
WINTER = "$49.97"


def come(server):
    """The first opens of those who will buy, and when the last one was: what is bought before a first open counts for no campaign."""
    for number, campaign, _ in BUYERS:
        code = server.tap(f"/{campaign}-poster")
        server.call("/v1/first-open", first_open("onboarding", deferred={"token": code}, device={"platform": "ios"}), number)
    return time.time()


def sell(server, shop, came):
    """What they buy then."""
    for number, _, price in BUYERS:
        bought = {"key": f"bought-{number}", "reason": "purchase", "historyComplete": True, "transactions": [{"jws": shop.sold(price, came)}]}
        server.call("/v1/purchases", bought, number)


@story("The campaign that earned most, and what was published on its days", "/console", (3, 0, 3))
def campaign(person, server):
    person.comes(lambda: WINTER in person.file("/console/reports/revenue?by=campaign").text(), "what was paid is not counted")
    person.go(".wide a[href^='/console/reports/revenue']")
    person.go("main .choices a[href*='by=campaign']")
    first = person.page.locator("main table:has(caption.hidden) tbody tr").first.inner_text()
    person.expect(first.startswith("winter") and WINTER in first, f"the first campaign is {first}")
    person.go("svg .version .hit")
    person.expect("/console/versions/" in person.page.url, f"the mark of a version leads to {person.page.url}")
