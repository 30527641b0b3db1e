# SPDX-License-Identifier: Apache-2.0
"""What people do in the console: set it up, publish, roll back, invite, make links."""
import re, sys, time

from browser.chromium import PASSWORD, comes, enter, expect, follow, look, watch
from browser.clicking import clicking
from browser.console_server import event, first_open
from browser.experiments import experiments
from browser.making import making, making_without_script
from browser.tables import tables


def flows(browser, server, problems):
    """Set-up, live, invitation, another role, signing out and in. Returns the owner's cookies."""
    setup = server.data / "console-setup"
    expect(problems, setup.read_text().strip() == server.link and setup.stat().st_mode & 0o777 == 0o600, "console-setup is wrong")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en")
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch(page, problems)
    page.goto(server.link)
    page.fill("[name=name]", "Maya")
    page.fill("[name=email]", "maya@example.com")
    page.fill("[name=password]", "short")
    enter(page)
    page.wait_for_selector("[role=alert]")
    expect(problems, page.input_value("[name=email]") == "maya@example.com", "a refused form forgets what was typed")
    look(page, problems, "a refused set-up")
    page.fill("[name=password]", PASSWORD)
    enter(page)
    page.wait_for_url("**/console")
    expect(problems, not setup.exists(), "console-setup is still there")
    expect(problems, page.locator("[data-checklist] li.done").count() == 0, "a new server has done steps")
    page.wait_for_timeout(500)
    server.call("/v1/first-open", {}, 1)
    page.wait_for_selector("[data-step=firstOpen].done")
    comes(page, problems, lambda: page.locator("[data-step=keyUsed].done").count() == 1, "a first open came, and no key was used")
    state = page.locator("[data-step=firstOpen] .state")
    comes(page, problems, lambda: state.text_content() == state.get_attribute("data-done"), "a step that ticked itself still says that it is open")

    page.goto(server.base + "/console/live")
    page.wait_for_selector("#live-state[data-state=on]")
    begun = time.monotonic()
    install = server.call("/v1/first-open", {}, 2)
    page.wait_for_selector(f"#live li:has-text('{install}')")
    print(f"a first open was on the page after {(time.monotonic() - begun) * 1000:.0f} ms", file=sys.stderr)
    page.locator("#live summary").first.focus()
    page.keyboard.press("Enter")
    comes(page, problems, page.locator("#live li").first.locator("dl").is_visible, "a row does not open by keyboard")
    expect(problems, page.locator("#live li").first.locator("a").get_attribute("href") == f"/console/profiles/{install}", "a row does not lead to its person")
    page.click("#pause")
    shown = page.locator("#live li").count()
    server.call("/v1/events", {"events": [{"id": "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "type": "paywall_shown", "ageMilliseconds": 0, "placement": "<b>onboarding", "paywall": "default"}]}, 2)
    page.wait_for_timeout(700)
    expect(problems, page.locator("#live li").count() == shown, "rows move while they are paused")
    page.click("#pause")
    page.wait_for_selector("#live li:has-text('<b>onboarding')")

    new_link(page, server, problems)
    install = story(page, server, problems)
    people(page, server, install, problems)
    links(page, server, problems)
    making(page, server, problems)
    experiments(page, server, problems)
    clicking(page, server, problems)
    colors(page, server, problems)
    publishing(page, server, problems)
    roll_back(page, server, problems)
    two_editors(context, server, problems)
    roll_back(page, server, problems)
    password_asked(context, server, problems)

    page.goto(server.base + "/console/settings/members")
    page.fill("[name=email]", "omar@example.com")
    page.check("[name=role][value=viewer]")
    follow(page, "button.primary")
    link = page.inner_text(".good code")
    guest = browser.new_context(locale="ja").new_page()
    guest.goto(link)
    expect(problems, guest.get_attribute("html", "lang") == "ja", "the browser's language is not taken")
    guest.fill("[name=name]", "大森")
    guest.fill("[name=password]", PASSWORD)
    enter(guest)
    guest.wait_for_url("**/console")
    answer = guest.goto(server.base + "/console/settings/audit")
    expect(problems, answer.status == 403, "a viewer reads the audit log")
    expect(problems, install not in guest.goto(server.base + "/console/live").text(), "a viewer sees installs")
    tables(guest, server, problems)
    guest.context.close()

    follow(page, ".wide .plain")
    page.wait_for_url("**/sign-in")
    page.goto(server.base + "/console/settings/audit")
    page.fill("[name=email]", "maya@example.com")
    page.fill("[name=password]", "a wrong password")
    enter(page)
    page.wait_for_selector("[role=alert]")
    page.fill("[name=password]", PASSWORD)
    enter(page)
    page.wait_for_url("**/audit")
    text = page.inner_text("table")
    expect(problems, all(word in text for word in ["Signed in", "Sign-in failed", "Invited", "Joined", "Created the owner"]), "the audit log lacks lines")
    state = context.storage_state()
    context.close()
    return state


def new_link(page, server, problems):
    """A refused suffix, a link, and its page."""
    page.goto(server.base + "/console/links")
    follow(page, "a[href='/console/links/new']")
    page.fill("[name=to]", "https://example.com/autumn")
    page.fill("[name=suffix]", "beach")
    follow(page, "button.primary")
    page.wait_for_selector("#suffix-problem")
    look(page, problems, "a refused link")
    expect(problems, page.input_value("[name=to]") == "https://example.com/autumn", "a refused link forgets what was typed")
    page.fill("[name=suffix]", "autumn")
    for part in ("labels", "ways", "targets"):
        page.click(f"summary:has(#said-{part})")
    page.fill("[name=campaign]", "autumn")
    page.fill("[name=ios]", "page")
    page.fill("[name=tags]", "autumn, poster")
    page.fill("[name=when]", "DE, AT android https://example.com/de")
    page.check("[name=code]")
    page.focus("[name=suffix]")
    enter(page)
    page.wait_for_selector(".good")
    expect(problems, page.locator("svg.link-qr").count() == 1, "a link's page has no QR code")
    expect(problems, page.input_value("#address") == "https://links.example.com/autumn", "a link's page has another address")
    comes(page, problems, page.locator("[data-copy]").is_visible, "an address cannot be copied")
    follow(page, "a[href^='/console/links/edit']")
    look(page, problems, "a link that is changed")
    expect(problems, page.input_value("[name=ios]") == "page" and page.is_checked("[name=code]"), "a link's form does not begin with the link")
    page.fill("[name=label]", "leaves")
    enter(page)
    page.wait_for_selector(".good:has-text('The link is changed')")
    facts = page.inner_text(".link-facts")
    expect(problems, "leaves" in facts, "a changed link does not show its change")
    expect(problems, "autumn, poster" in facts and "DE, AT android https://example.com/de" in facts, "a change of a label changes tags or rules")
    page.goto(server.base + "/console/links?tag=poster")
    expect(problems, page.locator("tbody tr").count() == 1, "a link is not found by its tag")


def story(page, server, problems):
    """A tap of the new link, the first open that it leads to, and its paywall: rows, one more in each step, and why. The install's id."""
    before = funnel(page, server)
    page.goto(server.base + "/console/live")
    page.wait_for_selector("#live-state[data-state=on]")
    # A stream that is answered 503 at first comes back by itself; this page is not watched for errors.
    other = page.context.new_page()
    other.route("**/console/live/stream*", lambda route: route.fulfill(status=503), times=1)
    other.goto(server.base + "/console/live")
    other.wait_for_selector("#live-state[data-state=off]")
    code = server.tap("/autumn")
    other.wait_for_selector("#live-state[data-state=on]")
    other.wait_for_selector("#live [data-kind=tap]:has-text('links.example.com/autumn')")
    other.close()
    page.wait_for_selector("#live [data-kind=tap]:has-text('links.example.com/autumn')")
    install, lines = server.answer("/v1/first-open", first_open("onboarding", deferred={"token": code}), 3)
    led = next(line["deferred"] for line in lines if "deferred" in line)
    expect(problems, led.get("link", {}).get("resolved") == "https://example.com/autumn", f"the tap led to {led}")
    page.wait_for_selector("#live [data-kind=attribution]:has-text('link › autumn')")
    server.call("/v1/events", {"events": [event(1, "paywall_shown", placement="onboarding", paywall="default")]}, 3)
    page.wait_for_selector("#live [data-kind=exposure]:has-text('onboarding › default')")
    row = page.locator(f"#live [data-kind=firstOpen]:has-text('{install}')")
    row.locator("summary").click()
    with page.expect_navigation():
        row.locator("a").click()
    page.locator(".timeline [data-kind=exposure] summary").click()
    follow(page, ".timeline [data-kind=exposure] a[href*='/why']")
    expect(problems, page.locator(".why > li").count() >= 1 and "default" in page.inner_text("main"), "an exposure is not explained")
    after = funnel(page, server)
    more = {step: after[step] - before[step] for step in after if after[step] != before[step]}
    expect(problems, more == {"Clicks": 1, "First opens": 1, "Paywall shown": 1}, f"one person more in the funnel: {more}")
    return install


def funnel(page, server):
    """The steps of the funnel and their numbers."""
    page.goto(server.base + "/console/reports/funnel")
    return {name: int(number) for name, number in (step.inner_text().split("\n") for step in page.locator(".funnel .step").all())}


def people(page, server, install, problems):
    """Finds a person and forgets them."""
    page.goto(server.base + "/console/profiles")
    page.fill("[type=search]", install)
    enter(page)
    follow(page, f"tbody a:has-text('{install}')")
    page.fill("#typed", install)
    follow(page, "#forget button")
    page.wait_for_selector("[role=alert]")
    look(page, problems, "a person who is not forgotten")
    page.fill("#typed", "i_" + install)
    follow(page, "#forget button")
    page.wait_for_selector("[role=status]")
    expect(problems, page.goto(server.base + "/console/profiles/i_" + install).status == 404, "a forgotten person has a page")


def links(page, server, problems):
    """An import, and changes of many links at once."""
    page.goto(server.base + "/console/links/import")
    table = "url,to\nhttps://links.example.com/winter,https://example.com/winter\nhttps://links.example.com/beach,https://example.com/x\n"
    page.set_input_files("#file", {"name": "large.csv", "mimeType": "text/csv", "buffer": b"x" * (1024 * 1024 + 1)})
    page.wait_for_selector("#file-problem:has-text('larger than 1 MB')")
    comes(page, problems, lambda: page.input_value("#file") == "" and page.input_value("[name=text]") == "", "a file that is too large is taken")
    page.set_input_files("#file", {"name": "links.csv", "mimeType": "text/csv", "buffer": table.encode()})
    comes(page, problems, lambda: page.input_value("[name=text]") == table, "a file does not come into the field of an import")
    comes(page, problems, lambda: not page.is_visible("#file-problem"), "a file that fits is called too large")
    follow(page, "button[value=check]")
    look(page, problems, "an import before it is made")
    follow(page, "button[value=apply]")
    page.wait_for_selector("h2:has-text('The import is done')")
    expect(problems, page.locator("a[href='/console/links']").count() > 0, "an import does not lead to the links")
    page.goto(server.base + "/console/links")
    expect(problems, page.locator("[name^=link]").count() == 2, "a stored link cannot be chosen, or one of the file can")
    page.check("[data-all]")
    follow(page, "button[value=archive]")
    follow(page, "button[value=apply]")
    page.wait_for_selector("h2:has-text('The change is done')")
    follow(page, "main a[href='/console/links']")
    expect(problems, page.locator("tr:has-text('winter') .badge:has-text('Expired')").count() == 1, "an archived link is not shown as expired")
    page.check("[name=link1]")
    follow(page, "button[value=relabel]")
    page.fill("[name=campaign]", "frost")
    enter(page)
    follow(page, "button[value=apply]")
    page.goto(server.base + "/console/links?campaign=frost")
    expect(problems, page.locator("tbody tr").count() == 1, "a relabelled link is not found by its label")


def colors(page, server, problems):
    """The browser's picker writes into the field of a colour, and follows it."""
    page.goto(server.base + "/console/paywalls/half")
    picker, field = page.locator("[data-picks='value.1.0']"), page.locator("[name='value.1.0']")
    expect(problems, picker.is_visible() and picker.input_value() == "#0b6b5b", "the colour of a paywall has no picker")
    picker.fill("#ff8800")
    expect(problems, field.input_value() == "#ff8800", "a picked colour is not in its field")
    field.fill("#123456")
    expect(problems, picker.input_value() == "#123456", "the picker does not follow its field")


def publishing(page, server, problems):
    """Phones are to see another paywall: how many people that concerns is shown, it is published, and they see it."""
    page.goto(server.base + "/console/placements/onboarding")
    page.select_option("#audience", "phones")
    page.select_option("#shows", "paywall:half")
    follow(page, "button[value=add]")
    if page.locator("[data-move='1']").is_visible():
        page.locator("[data-move='1']").drag_to(page.locator("[data-move='0']"))
    else:
        follow(page, "button[value='up.1']")
    page.wait_for_selector(".ladder > li:first-child .who:has-text('phones')")
    page.fill("[name=message]", "Half price for phones")
    follow(page, "form[action$='/draft/check'] .primary")
    concerned = page.locator("tr:has(th:text-is('onboarding')) td").first.inner_text()
    expect(problems, int(concerned) >= 400, f"another paywall for phones concerns {concerned} people")
    follow(page, "form[action$='/draft/publish'] .primary")
    page.wait_for_url(re.compile(r"/console/versions/\d+$"))
    expect(problems, "Half price for phones" in page.inner_text(".facts"), "a version does not say why")
    expect(problems, server.shown() == "Half", f"phones get {server.shown()}, not what was published")


def roll_back(page, server, problems):
    """The first version again."""
    page.goto(server.base + "/console/versions/1")
    follow(page, "form[action$='/rollback'] .primary")
    page.wait_for_url(re.compile(r"/console/versions/(?!1$)\d+$"))
    expect(problems, server.shown() == "Unlock", f"phones get {server.shown()}, not what was rolled back to")


def two_editors(context, server, problems):
    """Both began from one version. The second one is told, sees both sides, and publishes a text with both."""
    one, other = context.new_page(), context.new_page()
    for page, old, new in ((one, "title: Unlock,", "title: Open,"), (other, "campaign: summer ", "campaign: sommer ")):
        watch(page, problems)
        page.goto(server.base + "/console/versions/draft")
        page.fill("#text", page.input_value("#text").replace(old, new))
    follow(one, "form[action$='/draft/check'] .primary")
    look(one, problems, "a review")
    follow(one, "form[action$='/draft/publish'] .primary")
    one.wait_for_url(re.compile(r"/console/versions/\d+$"))
    answer = follow(other, "form[action$='/draft/check'] .primary")
    expect(problems, answer.status == 409, f"the second of two editors gets {answer.status}")
    look(other, problems, "a conflict")
    together = other.input_value("#text")
    expect(problems, "title: Open," in together and "campaign: sommer " in together, "a conflict has no text with both changes")
    follow(other, "form[action$='/draft/check'] .primary")
    follow(other, "form[action$='/draft/publish'] .primary")
    other.wait_for_url(re.compile(r"/console/versions/\d+$"))
    text = other.request.get(other.url + ".yaml").text()
    expect(problems, "title: Open," in text and "campaign: sommer " in text, "the text of two editors is not published")
    expect(problems, server.shown() == "Open", f"phones get {server.shown()}, not the text of two editors")
    other.goto(server.base + "/console/versions/draft")
    other.fill("#text", "app: [")
    follow(other, "form[action$='/draft/check'] .primary")
    other.wait_for_selector("[role=alert]")
    look(other, problems, "a text that cannot be served")
    one.close()
    other.close()


def password_asked(context, server, problems):
    """A change of keys needs a password that was given lately: it is asked for in a new tab, and the form that was open is sent again.
    Then the same for a page that cannot be opened without: members."""
    server.grow_old()
    page = context.new_page()
    watch(page, problems)
    page.goto(server.base + "/console/versions/draft")
    page.fill("#text", page.input_value("#text").replace("keys: [", "keys: [ { sdk: pk_second },"))
    page.fill("[name=message]", "A second key")
    follow(page, "form[action$='/draft/check'] .primary")
    answer = follow(page, "form[action$='/draft/publish'] .primary")
    expect(problems, answer.status == 403, f"keys are published without a recent password: {answer.status}")
    with context.expect_page() as opened:
        page.click("[role=alert] a[href^='/console/confirm']")
    confirm = opened.value
    watch(confirm, problems)
    confirm.fill("[name=password]", "a wrong password")
    enter(confirm)
    confirm.wait_for_selector("[role=alert]")
    confirm.fill("[name=password]", PASSWORD)
    confirm.keyboard.press("Enter")
    confirm.wait_for_url(lambda address: "/console/confirm" not in address)
    confirm.close()
    expect(problems, page.input_value("[name=message]") == "A second key", "the form that was refused has lost its message")
    answer = follow(page, "form[action$='/draft/publish'] .primary")
    done = re.search(r"/console/versions/\d+$", page.url)
    expect(problems, done, f"after the password was confirmed, the open form is answered {answer.status}: {page.inner_text('h1')}")
    if done:
        expect(problems, "pk_second" in page.request.get(page.url + ".yaml").text(), "the second key is not in the new version")
        roll_back(page, server, problems)

    server.grow_old()
    page.goto(server.base + "/console/settings/members")
    expect(problems, "/console/confirm" in page.url, f"members are shown without a recent password: {page.url}")
    page.fill("[name=password]", PASSWORD)
    enter(page)
    page.wait_for_url("**/console/settings/members")
    page.fill("[name=email]", "later@example.com")
    page.check("[name=role][value=viewer]")
    follow(page, "form[action$='/invite'] .primary")
    expect(problems, page.locator(".good code").count() == 1, "after the password was confirmed, nobody can be invited")
    answer = follow(page, "form[action$='/invitations/cancel'] button")
    expect(problems, answer.status == 200 and "later@example.com" not in page.inner_text("main"), "an invitation is not cancelled")
    page.close()


def shortcuts(browser, server, state, problems):
    """`?`, `Esc`, `g` and a letter, the command bar; none of them in a field, and none where they are switched off."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en", storage_state=state)
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch(page, problems)
    page.goto(server.base + "/console/account")
    dialog = page.locator("#shortcuts")
    page.keyboard.press("?")
    comes(page, problems, lambda: dialog.is_visible() and "Live" in dialog.inner_text(), "? does not open the list of shortcuts")
    page.keyboard.press("Escape")
    comes(page, problems, lambda: not dialog.is_visible(), "Esc does not close the list of shortcuts")
    page.focus("[name=current]")
    page.keyboard.type("gl?/")
    expect(problems, page.input_value("[name=current]") == "gl?/" and not dialog.is_visible(), "a shortcut works in a field")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/console/live")
    command_bar(page, server, problems)
    # A browser shows dates as its own language writes them.
    page.goto(server.base + "/console/reports/links?from=2026-11-01&to=2026-11-02")
    said = page.locator(".dates output").all_text_contents()
    expect(problems, said == ["1 November 2026", "2 November 2026"], f"below the fields the dates are {said}")
    page.goto(server.base + "/console/account")
    follow(page, "form[action$='/shortcuts'] button")
    page.keyboard.press("?")
    page.keyboard.press("/")
    page.keyboard.press("Control+k")
    expect(problems, page.locator("#shortcuts").count() == 0, "shortcuts cannot be switched off")
    expect(problems, not page.locator("#find").is_visible(), "the command bar opens by keys that are switched off")
    follow(page, "form[action$='/shortcuts'] button")
    expect(problems, page.locator("#shortcuts").count() == 1, "shortcuts cannot be switched on again")
    context.close()


def command_bar(page, server, problems):
    """It is used by keyboard alone, keeps what was looked at and no person, and forgets it at the end of the session."""
    bar, field, options = page.locator("#find"), page.locator("#find-q"), page.locator("#find-list [role=option]")
    page.goto(server.base + "/console/audiences/spring")
    page.goto(server.base + "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001")
    page.keyboard.press("/")
    comes(page, problems, lambda: bar.is_visible() and options.count() > 1, "/ does not open the command bar")
    expect(problems, options.first.get_attribute("href") == "/console/audiences/spring", "the command bar does not know what was looked at last")
    kept = page.evaluate("JSON.stringify(localStorage)")
    expect(problems, "spring" in kept and "0198f0c2" not in kept, f"the browser keeps a person: {kept}")
    # Before there is an answer, Enter leads to the page with all that is found.
    field.fill("spring")
    enter(page)
    expect(problems, page.url.endswith("/console/find?q=spring") and "/console/audiences/spring" in page.content(), f"Enter leads to {page.url}")
    page.keyboard.press("Control+k")
    field.fill("onboarding")
    found = page.locator("#find-list a[href='/console/placements/onboarding']")
    comes(page, problems, lambda: found.count() == 1, "the command bar does not find a placement")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "find.json" in request.url else None)
    field.press_sequentially("-nothing", delay=20)
    state = bar.locator("[role=status]")
    comes(page, problems, lambda: state.inner_text() == state.get_attribute("data-none"), "the command bar does not say that it finds nothing")
    expect(problems, len(asked) <= 2, f"the command bar asks for each letter: {asked}")
    field.fill("onboarding")
    comes(page, problems, lambda: found.count() == 1, "the command bar does not find again what it has found")
    page.keyboard.press("ArrowUp")
    last = options.last.get_attribute("id")
    expect(problems, field.get_attribute("aria-activedescendant") == last and options.last.get_attribute("aria-selected") == "true", "ArrowUp does not choose the last thing")
    page.keyboard.press("ArrowDown")
    place = options.first.get_attribute("href")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(problems, page.url == server.base + place, f"Enter leads to {page.url}, not to {place}")
    page.keyboard.press("/")
    comes(page, problems, bar.is_visible, "/ does not open the command bar again")
    page.keyboard.press("Escape")
    comes(page, problems, lambda: not bar.is_visible(), "Esc does not close the command bar")
    page.evaluate("document.querySelector(\"form[action='/console/sign-out']\").addEventListener('submit', (event) => event.preventDefault())")
    page.evaluate("document.querySelector(\"form[action='/console/sign-out']\").requestSubmit()")
    expect(problems, "spring" not in page.evaluate("JSON.stringify(localStorage)"), "what was looked at is kept after signing out")


def without_script(browser, server, state, problems):
    context = browser.new_context(storage_state=state, java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(server.base + "/console/live")
    expect(problems, page.locator("#live li").count() > 1, "no rows without script")
    making_without_script(page, server, problems)
    publishing(page, server, problems)
    roll_back(page, server, problems)
    follow(page, ".finder")
    page.fill("main [name=q]", "spring")
    enter(page)
    expect(problems, page.locator(".found a[href='/console/audiences/spring']").count() == 1, "nothing is found without script")
    page.goto(server.base + "/console/audiences/spring")
    page.fill("[name='value.0']", "AT")
    follow(page, "button[value=rows]")
    added, removed = page.locator("pre.diff ins").all_inner_texts(), page.locator("pre.diff del").count()
    expect(problems, len(added) == removed == 1 and "country: { is: AT }" in added[0], f"a changed condition changes other lines: {added[:4]}")
    page.goto(server.base + "/console/account")
    page.fill("[name=current]", PASSWORD)
    page.fill("[name=password]", "seven black rooks at dawn")
    follow(page, ".narrow .primary")
    expect(problems, page.locator(".good").count() == 1, "the password does not change without script")
    context.close()
