# SPDX-License-Identifier: Apache-2.0
"""The overview by clicks: names and days filter all of it, chips take that away, and versions on its chart lead to their pages."""
from browser.chromium import comes, enter, expect, follow, look


def clicking(page, server, problems):
    overview = server.base + "/console"
    page.goto(overview)
    days, stop = page.locator("svg .day"), page.locator("svg .day[tabindex='0']")
    comes(page, problems, lambda: days.count() == 28 and stop.count() == 1, "the days of the overview's chart are not one stop of the keyboard")
    stop.focus()
    page.keyboard.press("ArrowLeft")
    focused = "[...document.querySelectorAll('svg .day')].indexOf(document.activeElement)"
    expect(problems, page.evaluate(focused) == 26, "an arrow does not lead to the day before")
    page.keyboard.press("ArrowRight")
    enter(page)
    expect(problems, "?from=" in page.url and page.locator(".chips a").count() == 1, f"Enter on a day leads to {page.url}")
    look(page, problems, "the overview of one day")
    follow(page, ".chips a")
    expect(problems, page.url == overview, f"the chip of a day leads to {page.url}")
    page.click("figure.chart summary")
    follow(page, "figure.chart tbody tr:last-child th a")
    expect(problems, "?from=" in page.url, f"a day of the table leads to {page.url}")

    page.goto(overview)
    name = page.locator(".columns tbody th a").first.inner_text()
    follow(page, ".columns tbody th a")
    chip = page.locator(".chips a").inner_text()
    expect(problems, name in chip and page.locator("text=Not counted by these filters").count() == 1, f"a click on {name} has the chip {chip}")
    look(page, problems, "a filtered overview")
    follow(page, ".chips a")
    expect(problems, page.url == overview, f"the chip of a source leads to {page.url}")

    follow(page, "svg .version .hit")
    expect(problems, "/console/versions/" in page.url, f"the mark of a version leads to {page.url}")
