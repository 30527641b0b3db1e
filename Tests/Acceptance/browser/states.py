# SPDX-License-Identifier: Apache-2.0
"""Pages that are not at rest: refused forms, conflicts, empty lists, too many rows, other roles, a file that owns the configuration, what
can be opened. Each state is a row of the table below. In English axe looks at it, in light and dark; in Japanese or Chinese no English
word may be left; a phone shows all of it.
"""
import tempfile

from browser import wording
from browser.chromium import PASSWORD, TAGS, become_member, enter, expect, follow, launched, sentences, watch
from browser.console_server import CONFIGURATION, ConsoleServer, event, first_open
from browser.cut import cut

LINK = "https%3A%2F%2Flinks.example.com%2F"
PERSON = "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001"
NOBODY = "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-999999999999"
DRAFT = "form[action$='/draft/check'] .primary"
PUBLISH = "form[action$='/draft/publish'] .primary"
SEVERAL = "".join(f"https://example.com/{number}\n" for number in range(5_001))


# What `landfall check` says about a text is English everywhere; these states show it beside a field.
CHECKED = {
    "a condition that cannot be", "an audience whose text cannot be read", "a paywall whose text cannot be read",
    "a placement whose text cannot be read",
}
ENGLISH = ".problem, [role=alert]"


def fill(field, value):
    return ("fill", f"main [name='{field}']", value)


def edit(old, new):
    """Changes a part of the text of the draft."""
    return ("edit", old, new)


def send(button):
    return ("send", button)


STATES = [  # name, whose session, page, steps to the state, status
    # What people type is refused, at its field and in the summary.
    ("a wrong password at sign-in", "nobody", "/console/sign-in", [fill("email", "eve@example.com"), fill("password", "not this one"), send(".primary")], 422),
    ("a used invitation", "nobody", "/console/join?token=used", [], None),
    ("a wrong password to confirm", "owner", "/console/confirm?next=/console", [fill("password", "not this one"), send("main .primary")], 422),
    ("a new password that is too short", "owner", "/console/account", [fill("current", "@password"), fill("password", "short"), send("form[action$='/password'] button")], 422),
    ("a new password without the old one", "owner", "/console/account", [fill("password", "seven black rooks at dawn"), send("form[action$='/password'] button")], 422),
    ("an address that is not an e-mail address", "owner", "/console/settings/members", [fill("email", "nobody"), send("form[action$='/invite'] .primary")], 422),
    ("a member who is there already", "owner", "/console/settings/members", [fill("email", "vera@example.com"), send("form[action$='/invite'] .primary")], 409),
    ("an invitation", "owner", "/console/settings/members", [fill("email", "omar@example.com"), send("form[action$='/invite'] .primary")], 200),
    ("a link with everything wrong", "owner", "/console/links/new", [
        fill("to", "javascript:1"), fill("suffix", "a b"), fill("campaign", "x" * 300), fill("expires", "2020-01-01"), fill("channels", "a\na"),
        fill("ios", "nowhere"), fill("image", "no address"), fill("tags", "x" * 65), fill("starts", "2020-01-01"), fill("when", "DE nowhere"), fill("pt", "x"), send("form[action$='/new'] .primary")], 422),
    ("a link that is taken", "owner", "/console/links/new", [fill("to", "https://example.com/x"), fill("suffix", "beach"), send("form[action$='/new'] .primary")], 409),
    ("links for channels", "owner", "/console/links/new", [fill("to", "https://example.com/x"), fill("channels", "poster\nmail"), send("form[action$='/new'] .primary")], 200),
    ("a link of the store, to be removed", "owner", f"/console/links/show?url={LINK}card&made=1", [], 200),
    ("a link of the store, to be changed", "owner", f"/console/links/edit?url={LINK}card", [], 200),
    ("a change of a link that is refused", "owner", f"/console/links/edit?url={LINK}card", [fill("to", "javascript:1"), send("form[action$='/edit'] .primary")], 422),
    ("a link of the file, to be changed", "owner", f"/console/links/edit?url={LINK}beach", [], 409),
    ("an import of nothing", "owner", "/console/links/import", [send("button[value=check]")], 422),
    ("an import that cannot be read", "owner", "/console/links/import", [fill("text", 'to\n"unclosed'), send("button[value=check]")], 422),
    ("an import with wrong rows", "owner", "/console/links/import", [fill("text", "to,url\njavascript:1,https://links.example.com/a\nhttps://example.com/x,https://links.example.com/beach\nhttps://example.com/x,https://links.example.com/fine\n"), send("button[value=check]")], 200),
    ("an import of too many rows", "owner", "/console/links/import", [fill("text", "to\n" + SEVERAL), send("button[value=check]")], 422),
    ("a change of no link", "owner", "/console/links", [send("button[value=archive]")], 422),
    ("a change of too many links", "owner", "/console/links", [("add", "form[action$='/change']", [f"link{n}" for n in range(120)]), send("button[value=archive]")], 422),
    ("a change of a link that is gone", "owner", "/console/links", [("add", "form[action$='/change']", ["link0"]), send("button[value=archive]")], 200),
    ("labels of two links", "owner", "/console/links", [("check", "[name=link1], [name=link2]"), send("button[value=relabel]")], 200),
    ("labels that are too long", "owner", "/console/links", [("check", "[name=link1], [name=link2]"), send("button[value=relabel]"), fill("campaign", "x" * 300), send("button[value=check]")], 422),
    ("two links before they are archived", "owner", "/console/links", [("check", "[name=link1], [name=link2]"), send("button[value=archive]")], 200),
    ("a condition that cannot be", "owner", "/console/audiences/spring", [fill("value.0", "Germany"), send("button[value=rows]")], 422),
    ("an audience whose text cannot be read", "owner", "/console/audiences/spring", [fill("yaml", "[oops"), send("button[value=yaml]")], 422),
    ("an audience that is in use", "owner", "/console/audiences/spring", [send("button[value=delete]")], None),
    ("a paywall that is in use", "owner", "/console/paywalls/default", [send("button[value=delete]")], None),
    ("a paywall whose text cannot be read", "owner", "/console/paywalls/default", [fill("yaml", "[oops"), send("button[value=yaml]")], 422),
    ("a preview, dark on a tablet", "owner", "/console/paywalls/default", [("check", "[name=preview-appearance][value=dark], [name=preview-width][value=tablet]")], 200),
    ("a preview, light on a small phone", "owner", "/console/paywalls/default", [("check", "[name=preview-appearance][value=light], [name=preview-width][value=small]")], 200),
    ("a paywall with a wrong colour", "owner", "/console/paywalls/half", [fill("value.1.0", "green"), send("button[value=values]")], 422),
    ("a paywall, changed", "owner", "/console/paywalls/half", [fill("value.0.1", "Half"), send("button[value=values]")], 200),
    ("a placement with an experiment in the place of a paywall", "owner", "/console/placements/onboarding", [fill("against", "half"), fill("experiment", "price"), send("button[value=try]")], 200),
    ("an experiment between a paywall and itself", "owner", "/console/placements/onboarding", [fill("against", "default"), send("button[value=try]")], 422),
    ("a placement, changed", "owner", "/console/placements/onboarding", [send("button[value=add]")], None),
    ("a placement that shows everyone something else", "owner", "/console/placements/onboarding", [fill("shows.1", "paywall:half"), send("button[value='show.1']")], 200),
    ("a placement whose text cannot be read", "owner", "/console/placements/onboarding", [fill("yaml", "[oops"), send("button[value=yaml]")], 422),
    ("a new experiment without a question", "owner", "/console/new/experiment", [fill("weight.0", "many"), send("button[value=create]")], 422),
    ("a new experiment with numbers that cannot be", "owner", "/console/new/experiment", [fill("rate", "200"), send("button[value=compute]")], 422),
    ("a new experiment, computed", "owner", "/console/new/experiment", [fill("rate", "5"), fill("perDay", "900"), send("button[value=compute]")], 200),
    ("a new experiment, to be reviewed", "owner", "/console/new/experiment", [fill("name", "summer"), send("button[value=create]")], 200),
    ("a draft of an experiment", "owner", "/console/experiments/next-price", [], 200),
    ("a draft of an experiment, to be started", "owner", "/console/experiments/next-price", [fill("plannedUnits", "900"), send("form[action$='/start'] button")], 200),
    ("a start with a wrong number", "owner", "/console/experiments/next-price", [fill("plannedUnits", "0"), send("form[action$='/start'] button")], 422),
    ("a text that cannot be read", "owner", "/console/versions/draft", [fill("text", "app: ["), send(DRAFT)], 422),
    ("a text with several mistakes", "owner", "/console/versions/draft", [edit("paywall: default", "paywall: defualt"), edit("platform: { is: ios }", "platfrom: { is: ios }"), send(DRAFT)], 422),
    ("a text without a change", "owner", "/console/versions/draft", [send(DRAFT)], 200),
    ("a message that is too long", "owner", "/console/versions/draft", [edit("Begin", "Open"), fill("message", "x" * 2_000), send(DRAFT)], 422),
    ("a review", "owner", "/console/versions/draft", [edit("audience: spring, paywall: default", "audience: spring, paywall: half"), fill("message", "Half"), send(DRAFT)], 200),
    ("a text that was changed after its review", "owner", "/console/versions/draft", [edit("Begin", "Open"), send(DRAFT), edit("Open", "Enter"), send(PUBLISH)], 422),
    ("a time that has passed", "owner", "/console/versions/draft", [edit("Begin", "Open"), send(DRAFT), fill("at", "2020-01-01T09:00"), send(PUBLISH)], 422),
    ("a version that waits", "owner", "/console/versions", [], 200),
    ("a conflict", "owner", "/console/versions/draft", [("base",), edit("Begin", "Go now"), send(DRAFT)], 409),
    ("a rollback to what is live", "owner", "/console/versions/2", [], 200),
    ("keys, with an old password", "stale", "/console/versions/draft", [edit("keys: [", "keys: [ { sdk: pk_new }, "), send(DRAFT), send(PUBLISH)], 403),
    ("a person who is not forgotten", "owner", PERSON, [fill("typed", "somebody else"), send("#forget button")], 422),
    ("a form of another session", "owner", "/console/account", [("forge",), send("form[action$='/shortcuts'] button")], 403),
    # What is not there, or not allowed.
    ("no such experiment", "owner", "/console/experiments/nowhere", [], 404),
    ("no such person", "owner", NOBODY, [], 404),
    ("no such link", "owner", f"/console/links/show?url={LINK}nowhere", [], 404),
    ("why, where no placement is named so", "owner", PERSON + "/why?placement=nowhere", [], None),
    ("a report with unknown filters", "owner", "/console/reports/campaigns?source=nowhere&campaign=none&placement=zzz&by=planet&sort=-weight&days=5", [], 200),
    ("a report from the end to the beginning", "owner", "/console/reports/campaigns?from=2026-11-20&to=2026-11-01", [], None),
    ("a report of years", "owner", "/console/reports/links?from=2010-01-01&to=2026-11-01", [], None),
    ("a report of small groups", "viewer", "/console/reports/campaigns?by=campaign", [], 200),
    ("revenue of small groups", "viewer", "/console/reports/revenue?by=product", [], 200),
    ("revenue from the end to the beginning", "owner", "/console/reports/revenue?from=2026-11-20&to=2026-11-01", [], None),
    ("a page for owners", "viewer", "/console/settings/members", [], 403),
    ("people, for a viewer", "viewer", "/console/profiles", [], 403),
    ("a placement, to read", "viewer", "/console/placements/onboarding", [], 200),
    ("a version, to read", "viewer", "/console/versions/1", [], 200),
    ("links, to read", "viewer", "/console/links", [], 200),
    ("live, without people", "viewer", "/console/live", [], 200),
    # Opened.
    ("the list of shortcuts", "owner", "/console/account", [("press", "?")], 200),
    ("the command bar", "owner", "/console/account", [("press", "/")], 200),
    ("what is found without script", "owner", "/console/find?q=many", [], 200),
    ("nothing is found", "viewer", "/console/find?q=nobody", [], 200),
    ("rows of live, open", "owner", "/console/live", [("click", "#pause")], 200),
    ("the second page of links", "owner", "/console/links", [("follow", "main a[href*='page=']")], 200),
    # A new server: every list is empty. Its file owns the configuration.
    *[(f"empty: {path}", "first", "/console" + path, [], 200) for path in (
        "", "/live", "/reports/campaigns", "/reports/links", "/reports/paywalls", "/reports/funnel", "/reports/retention", "/reports/revenue", "/experiments",
        "/experiments/spring-price", "/links", "/profiles", "/health", "/settings/audit", "/audiences/spring?count=now", "/versions",
    )],
    ("owned by a file: a placement", "first", "/console/placements/onboarding", [], 200),
    ("owned by a file: the draft", "first", "/console/versions/draft", [], 200),
    ("owned by a file: a review", "first", "/console/versions/draft", [edit("Unlock", "Open"), send(DRAFT)], None),
    ("owned by a file: an experiment, stopped", "first", "/console/experiments/spring-price", [("check", "[name=promote][value=A]"), send("form[action$='/stop'] button")], None),
    ("too many sign-ins", "locked", "/console/sign-in", [fill("email", "maya@example.com"), fill("password", "not this one"), send(".primary")], 422),
]


def step(page, kind, *parts):
    """One step to a state, also in what is closed. Browsers would refuse some fields themselves: the server's answer is looked at."""
    if kind == "fill":
        value = PASSWORD if parts[1] == "@password" else parts[1]
        page.eval_on_selector(parts[0], "(field, value) => { field.type === 'email' && (field.type = 'text'); field.value = value; }", value)
    elif kind == "edit":
        field = "main textarea[name=text]"
        text = page.input_value(field)
        if parts[0] not in text:
            raise ValueError(f"the text has no {parts[0]}")
        page.eval_on_selector(field, "(field, value) => { field.value = value; }", text.replace(parts[0], parts[1], 1))
    elif kind == "check":
        page.eval_on_selector_all(parts[0], "fields => fields.forEach(field => { field.checked = true; })")
    elif kind == "add":
        page.eval_on_selector(parts[0], """(form, names) => names.forEach((name, n) => {
            const field = document.createElement("input");
            field.type = "hidden"; field.name = name; field.value = "https://links.example.com/gone" + n; form.append(field);
        })""", parts[1])
    elif kind == "base":
        page.eval_on_selector("main [name=base]", "field => { field.value = '1'; }")
    elif kind == "forge":
        page.eval_on_selector_all("[name=csrf]", "fields => fields.forEach(field => { field.value = 'x'; })")
    elif kind == "press":
        page.keyboard.press(parts[0])
    elif kind == "click":
        page.click(parts[0])
    elif kind == "follow":
        return follow(page, parts[0]).status
    elif kind == "send":
        with page.expect_navigation() as answer:
            page.eval_on_selector(parts[0], "button => { button.form.noValidate = true; button.click(); }")
        return answer.value.status if answer.value else None


def sign_in(page, server):
    page.goto(server.base + "/console/sign-in")
    page.fill("[name=email]", "maya@example.com")
    page.fill("[name=password]", PASSWORD)
    enter(page)
    page.wait_for_url("**/console")


def sessions(browser, busy, first):
    """The sessions of the table, by their names."""
    found = {"nobody": (busy, None), "locked": (first, None)}

    def page():
        context = browser.new_context(locale="en")
        context.set_default_timeout(10_000)
        return context.new_page()

    def keep(name, server, page):
        found[name] = (server, page.context.storage_state())
        page.context.close()

    one = page()
    become_member(one, busy.link)
    busy.grow_old()
    keep("stale", busy, one)
    one = page()
    sign_in(one, busy)
    one.goto(busy.base + "/console/settings/members")
    one.fill("[name=email]", "vera@example.com")
    one.check("[name=role][value=viewer]")
    follow(one, "form[action$='/invite'] .primary")
    address = one.inner_text(".good code")
    viewer = page()
    become_member(viewer, address, "Vera", email=None)
    keep("viewer", busy, viewer)
    # A version that waits for its time, and a newest one that is not the first one.
    for old, new, at in (("title: Unlock", "title: Begin", None), ("title: Begin", "title: Later", "2027-01-01T09:00")):
        one.goto(busy.base + "/console/versions/draft")
        step(one, "edit", old, new)
        step(one, *send(DRAFT))
        if at:
            one.fill("[name=at]", at)
        step(one, *send(PUBLISH))
    keep("owner", busy, one)
    one = page()
    become_member(one, first.link)
    keep("first", first, one)
    return found


def fill_store(server, key):
    """People, taps, events and links."""
    server.make(key, [{"to": "https://example.com/x", "suffix": "card", "campaign": "cards"}])
    server.make(key, [{"to": f"https://example.com/{n}", "suffix": f"many{n}", "campaign": f"many{n % 7}"} for n in range(160)])
    for number in range(1, 9):
        server.call("/v1/first-open", first_open("onboarding", "offer", device={"platform": "ios", "appVersion": "2.1.0"}), number)
        shown = event(number, "paywall_shown", placement="onboarding", paywall="default")
        server.call("/v1/events", {"events": [shown]}, number)
    server.visit("/beach")


def run():
    """What it did, its problems, and the looks of axe."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    problems, looks, axe, key = [], 0, Axe(), "sk_" + "s" * 40
    text = CONFIGURATION.replace("{ sdk: pk_demo }", "{ sdk: pk_demo }, { serverFrom: LANDFALL_SERVER_KEY }").replace(
        "experiments:\n", "experiments:\n  next-price: { state: draft, variations: { A: { weight: 1, paywall: default }, B: { weight: 1, paywall: half } } }\n")
    with (tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other, sync_playwright() as playwright,
          ConsoleServer(folder, text, environment={"LANDFALL_SERVER_KEY": key}) as busy,
          ConsoleServer(other, CONFIGURATION, "--config-owner", "file") as first):
        browser = launched(playwright)
        fill_store(busy, key)
        known = sessions(browser, busy, first)
        for language in ("en", "ja", "zh-Hans"):
            contexts = {}
            for number, (name, who, path, steps, status) in enumerate(STATES):
                # A missing text is missing in both languages: each state is read in one of them.
                if language == ("ja", "zh-Hans")[number % 2]:
                    continue
                server, state = known[who]
                if who not in contexts:
                    context = browser.new_context(locale=language, storage_state=state, viewport={"width": 1280, "height": 900})
                    context.set_default_timeout(10_000)
                    contexts[who] = context.new_page()
                    watch(contexts[who], problems)
                page, where = contexts[who], f"{name} ({path.split('?')[0]}, {language})"
                if who == "locked":
                    for _ in range(12 if language == "en" else 0):
                        page.goto(server.base + path)
                        for part in steps:
                            step(page, *part)
                try:
                    answer = page.goto(server.base + path).status
                    for part in steps:
                        answer = step(page, *part) or answer
                except Exception as error:
                    problems.append(f"{where}: {str(error).splitlines()[0]}")
                    continue
                expect(problems, answer == status or (status is None and answer < 500), f"{where} answers {answer}, not {status}")
                refused = answer in (409, 422) and path != "/console/sign-in"
                expect(problems, not refused or page.locator("[role=alert]").count() > 0, f"{where} has no summary of its problems")
                page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
                if language == "en":
                    page.evaluate(axe.axe_script)
                    # At rest, `pages` has looked at the dark colours.
                    schemes = [("light", "tag", TAGS)] + ([("dark", "rule", ["color-contrast"])] if steps else [])
                    for scheme, kind, values in schemes:
                        looks += 1
                        page.emulate_media(color_scheme=scheme)
                        options = {"runOnly": {"type": kind, "values": values}, "resultTypes": ["violations"]}
                        found = page.evaluate("options => axe.run(document, options)", options)["violations"]
                        problems.extend(sentences(found, f"{where} {scheme}"))
                    page.emulate_media(color_scheme="light")
                else:
                    problems.extend(f"English: {where}: {word}" for word in wording.english(page, ENGLISH if name in CHECKED else ""))
                problems.extend(cut(page, where))
        browser.close()
    return f"states: {len(STATES)}, each in English and in one other language", [f"states: {problem}" for problem in problems], looks
