# SPDX-License-Identifier: Apache-2.0
"""Who sees what: an audience, and a paywall for it."""
from browser.console_server import first_open
from browser.stories.telling import story
from server import phone

TEAM_PHONE = "0190a5c0-7e1b-7c3a-9f00-000000000001"
GERMAN = {"platform": "ios", "locale": "de-DE", "storeCountry": "DE"}


def attribute(person, place, name):
    """Chooses what a condition looks at. With script the form has the operators of that attribute when it is renewed."""
    person.choose(f"[name='attribute.{place}']", name)
    if person.has_script:
        person.page.wait_for_selector(f"[name='operation.{place}'] option[value=within]", state="detached")


def adds(person, button, field):
    """A button that adds a line or a group, and the place of what it added: it has the focus."""
    if person.has_script:
        person.click(button)
    else:
        person.go(button)
    focus = "document.activeElement.id"
    person.comes(lambda: person.page.evaluate(focus).startswith(field), f"what {button} adds has no focus")
    return person.page.evaluate(focus).removeprefix(field)


def asked(server, install, locale="de-DE"):
    """The paywall that a phone gets: its title, and the lines of the answer."""
    body = first_open(device=GERMAN | {"locale": locale}) | {"placements": [{"id": "onboarding", "locale": locale}]}
    answer = server.ask("/v1/first-open", body, phone(install))
    return next(line["paywall"]["remoteConfig"]["value"]["title"] for line in answer.lines() if "paywall" in line)


@story("An audience of one campaign: by a keyword of Apple Ads, or by its links", "/console/audiences", (15, 26, 4), (15, 26, 6))
def audience(person, server):
    person.go("a[href='/console/new/audience']")
    person.has_focus("name")
    person.type("winter")
    attribute(person, "0", "country")
    person.write("[name='value.0']", "DE")
    group = adds(person, "button[value=nest]", "group.")
    attribute(person, f"{group}.0", "attribution.keyword")
    person.write(f"[name='value.{group}.0']", "87675")
    line = adds(person, f"button[value='add.{group}']", "attribute.")
    attribute(person, line, "link.campaign")
    person.write(f"[name='value.{line}']", "winter")
    if person.has_script:
        person.page.wait_for_selector("#rule-now .conditions .conditions:has-text('winter')")
    person.go("button[value=create]")
    text = person.publish("Winter")
    person.expect("  winter:" in text and "87675" in text and "any:" in text, f"the version has no such audience: {text[-400:]}")


@story("A paywall for it, above the others of a placement, and what a test device gets", "/console/placements", (10, 5, 6), (10, 5, 6))
def placement(person, server):
    tapped = server.ask("/v1/first-open", first_open(deferred={"token": server.tap("/winter-poster")}, device=GERMAN), phone(TEAM_PHONE))
    person.expect(tapped.status == 200, f"the test device's first open is answered {tapped}")
    person.go("main a[href='/console/placements/onboarding']")
    person.choose("#audience", "winter")
    person.choose("#shows", "paywall:half")
    person.go("button[value=add]")
    person.go("button[value='up.1']")
    person.go("button[value=device]")
    said = person.page.inner_text("[role=status] strong")
    person.expect("half" in said, f"the test device would see {said}")
    person.publish("Half")
    person.expect(asked(server, TEAM_PHONE) == "Half", f"the test device gets {asked(server, TEAM_PHONE)}")
    person.expect(server.shown() == "Unlock", f"another phone gets {server.shown()}")
