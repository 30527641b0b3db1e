# SPDX-License-Identifier: Apache-2.0
"""Which campaign earned most, and what was published meanwhile."""
from browser.console_server import first_open
from browser.stories.telling import story

REVENUE = "/console/reports/revenue.json?by=campaign"


def sell(person, server, shop):
    """Three people of the campaign winter buy, and one of summer."""
    for number, path, price in ((7_001, person.link, 19_990), (7_002, person.link, 19_990), (7_003, person.link, 9_990), (7_004, "/beach", 29_990)):
        code = server.tap(path)
        server.call("/v1/first-open", first_open("onboarding", deferred={"token": code}, device={"platform": "ios"}), number)
        bought = {"key": f"bought-{number}", "reason": "purchase", "historyComplete": True, "transactions": [{"jws": shop.sold(price)}]}
        server.call("/v1/purchases", bought, number)


def earned(person):
    return {row["key"]["campaign"]: row["values"]["netMilliunits"] for row in person.file(REVENUE).json()["rows"]}


@story("The campaign that earned most, and what was published on its days", "/console", (3, 0, 3))
def campaign(person, server):
    person.comes(lambda: earned(person).get("winter"), "nothing is earned")
    person.go(".wide a[href^='/console/reports/revenue']")
    person.go("main .choices a[href*='by=campaign']")
    first = person.page.locator("main table tbody tr th").first.inner_text()
    person.expect(first == "winter", f"{first} is the first of {earned(person)}")
    person.go("svg .version .hit")
    person.expect("/console/versions/" in person.page.url, f"the mark of a version leads to {person.page.url}")
