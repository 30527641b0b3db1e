# SPDX-License-Identifier: Apache-2.0
"""Links of campaigns."""
from browser.stories.telling import story


def copied(person):
    """The address that the person has copied from the link's page."""
    person.page.wait_for_selector(".good")
    if person.has_script:
        person.click("[data-copy]")
        person.comes(lambda: person.clipboard() == person.page.input_value("#address"), "the address is not copied")
    else:
        person.click("#address")
        person.press("Control+a", "Control+c")
    return person.clipboard()


def check(person, server, address, to):
    """The link is stored, with its campaign, and followed."""
    found = [link for link in person.file("/console/links.json?campaign=winter").json()["links"] if link["url"] == address]
    person.expect([link["to"] for link in found] == [to], f"{address} is stored as {found}")
    person.expect(server.visit(address.removeprefix("https://links.example.com")).status == 302, f"{address} is not followed")


@story("A link of a campaign is made and copied", "/console/links", (4, 8, 2), (4, 10, 2))
def link(person, server):
    person.go("a[href='/console/links/new']")
    person.paste("https://example.com/winter")
    if person.has_script:
        person.page.wait_for_selector("#drafted h3:has-text('What happens at a tap')")
    person.click("summary:has(#said-labels)")
    person.write("#campaign", "winter")
    person.enter()
    check(person, server, copied(person), "https://example.com/winter")


@story("The next one, with the same labels", None, (2, 2, 2))
def next_link(person, server):
    person.go("main a[href*='/console/links/new?like=']")
    person.paste("https://example.com/winter/sale")
    person.enter()
    check(person, server, copied(person), "https://example.com/winter/sale")
