# SPDX-License-Identifier: Apache-2.0
"""A person, by the keyboard alone."""
from browser.console_server import event, first_open
from browser.stories.telling import story

CUSTOMER = "4711"


def shows(server):
    """A customer who saw a paywall."""
    number = 7_100
    server.call("/v1/first-open", first_open("onboarding", device={"platform": "ios"}), number)
    server.call("/v1/identify", {"key": "customer-4711", "customerId": CUSTOMER}, number)
    server.call("/v1/events", {"events": [event(71_000, "paywall_shown", placement="onboarding", paywall="default")]}, number)


def tab_to(person, selector, most=60):
    """Tab until this has the focus."""
    for _ in range(most):
        person.press("Tab")
        if person.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    person.expect(False, f"{selector} has no focus after {most} tabs")


@story("A customer by the command bar, and why they saw a paywall, without the mouse", "/console", (0, 15, 2))
def why(person, server):
    shows(server)
    person.press("/")
    person.type(CUSTOMER)
    person.page.wait_for_selector("#find-list a[href^='/console/profiles/']")
    person.enter()
    tab_to(person, ".skip")
    person.press("Enter")
    tab_to(person, ".timeline [data-kind=exposure] summary")
    person.press("Enter")
    tab_to(person, ".timeline [data-kind=exposure] a[href*='/why']")
    person.enter()
    main = person.page.inner_text("main")
    person.expect(person.page.locator(".why > li").count() >= 1 and "default" in main, "the paywall is not explained")
