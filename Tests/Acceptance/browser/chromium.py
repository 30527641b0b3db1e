# SPDX-License-Identifier: Apache-2.0
"""Chromium, and how its pages are looked at. Playwright and axe come from PyPI into .build/console-check; the browser is the system's."""
import os, sys, time

import packages
from browser.cut import cut

PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8"]
PASSWORD = "six grey herons at noon"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FITS = "document.documentElement.scrollWidth <= innerWidth"


def enter_environment():
    """Runs the program again where Playwright is installed."""
    packages.enter("console-check", PACKAGES) or sys.exit(f"pip cannot install {' and '.join(PACKAGES)}.")


def launched(playwright, *options):
    path = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if os.path.exists(path)), None)
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *options])


def watch(page, problems):
    page.on("console", lambda message: problems.append(f"console: {message.text}") if message.type == "error" and "status of 4" not in message.text else None)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))


def expect(problems, condition, what):
    if not condition:
        problems.append(what)


def comes(page, problems, condition, what):
    """What a script of the page or of its browser does is there when it has run: asked again for ten seconds."""
    until = time.monotonic() + 10
    while not condition() and time.monotonic() < until:
        page.wait_for_timeout(50)
    expect(problems, condition(), what)


def follow(page, selector):
    """A click that leads to a page, and its answer. A click alone does not wait: what is asked next would be asked of the page before."""
    with page.expect_navigation() as answer:
        page.click(selector)
    return answer.value


def enter(page):
    """Enter in a form, and the answer, as `follow`."""
    with page.expect_navigation() as answer:
        page.keyboard.press("Enter")
    return answer.value


def sentences(violations, where):
    """What axe has found, a line for each rule."""
    return [f"axe: {where}: {v['id']}: {v['nodes'][0]['html'][:120]}" for v in violations]


def look(page, problems, where):
    """What `measure` cannot open, because a form leads to it: axe in light and dark, and whether a phone shows all of it."""
    from axe_playwright_python.sync_playwright import Axe

    # The dark page has other colours and nothing else.
    for scheme, kind, values in (("dark", "rule", ["color-contrast"]), ("light", "tag", TAGS)):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"runOnly": {"type": kind, "values": values}}).response["violations"]
        problems.extend(sentences(found, f"{where} {scheme}"))
    problems.extend(cut(page, where))


def become_member(page, address, name="Maya", email="maya@example.com"):
    """Follows the link for the first owner; that of an invitation knows the e-mail address."""
    page.goto(address)
    page.fill("[name=name]", name)
    if email:
        page.fill("[name=email]", email)
    page.fill("[name=password]", PASSWORD)
    enter(page)
    page.wait_for_url("**/console")
