# SPDX-License-Identifier: Apache-2.0
"""Every page of the console in its layouts: axe in light and dark, three languages by three widths, what a phone shows, the keyboard, requests
and bytes."""
import re

from browser import wording
from browser.chromium import FITS, TAGS, expect, launched, sentences, watch
from browser.cut import cut, planted

PAGES = [
    "/console",
    "/console?days=7",
    "/console?who=everybody",
    "/console?source=link&who=everybody",
    "/console?days=90&by=country",
    "/console?from=2026-11-01&to=2026-11-01&campaign=nowhere",
    "/console/live",
    "/console/live?kind=tap",
    "/console/reports/campaigns",
    "/console/reports/campaigns?by=day&compare=before&sort=-firstOpens&source=&placement=onboarding",
    "/console/reports/links",
    "/console/reports/links?from=2026-11-01&to=2026-11-02",
    "/console/reports/paywalls?days=90",
    "/console/reports/paywalls?days=7&deadline=2",
    "/console/reports/funnel",
    "/console/reports/retention",
    "/console/reports/retention?days=90&by=source",
    "/console/reports/revenue",
    "/console/reports/revenue?view=booking&by=product&sort=-netMilliunits&campaign=nowhere",
    "/console/reports/revenue?view=subscriptions",
    "/console/reports/revenue?view=cohorts&days=90",
    "/console/experiments",
    "/console/experiments/spring-price",
    "/console/experiments/upsell-text",
    "/console/new/paywall",
    "/console/new/audience",
    "/console/new/placement",
    "/console/new/experiment",
    "/console/placements",
    "/console/placements/onboarding",
    "/console/placements/onboarding?device=team-phone",
    "/console/audiences",
    "/console/audiences/spring",
    "/console/audiences/spring?count=now",
    "/console/paywalls",
    "/console/paywalls/default",
    "/console/paywalls/default?locale=ja",
    "/console/paywalls/half",
    "/console/versions",
    "/console/versions/1",
    "/console/versions/2",
    "/console/versions/draft",
    "/console/links",
    "/console/links?q=nothing&state=expired",
    "/console/links/new",
    "/console/links/new?like=https%3A%2F%2Flinks.example.com%2Fbeach",
    "/console/links/import",
    "/console/links/show?url=https%3A%2F%2Flinks.example.com%2Fbeach",
    "/console/profiles",
    "/console/profiles?q=0198f0c2",
    "/console/profiles?q=nobody",
    "/console/profiles?test=only",
    "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001",
    "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001/why?placement=onboarding",
    "/console/account",
    "/console/find",
    "/console/find?q=spring",
    "/console/settings/members",
    "/console/settings/audit",
    "/console/settings/audit?member=nobody@example.com&action=joined",
    "/console/health",
    "/console/settings/keys",
    "/console/webhooks",
    "/console/api",
    "/console/help",
    "/console/help/first-day",
    "/console/help/numbers",
    "/console/help/glossary",
    "/console/confirm?next=/console",
]
OUTSIDE = ["/console/sign-in", "/console/setup?token=x", "/console/join?token=x"]
# Texts of other languages are up to 40 % longer than English ones.
STRETCH = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const text = node.data.trim();
    if (text && !node.parentElement.closest("code, pre, script, svg, textarea")) node.data += " " + "lengthy ".repeat(Math.ceil(text.length * 0.4 / 8)).slice(0, Math.ceil(text.length * 0.4));
  }
}"""
SIZES = """(() => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].filter(e => !e.name.includes("/stream"));
  return [all.reduce((n, e) => n + e.decodedBodySize, 0), all.length];
})()"""
# Steps through a page by keyboard: what has the focus shows it, and nothing covers it (WCAG 2.4.7, 2.4.11).
FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  const seen = document.elementFromPoint(box.x + Math.min(box.width / 2, 8), box.y + box.height / 2);
  const shows = style.outlineStyle !== "none" || style.boxShadow !== "none";
  const inside = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  return { name: element.outerHTML.slice(0, 80), shows, covered: inside && !!seen && !element.contains(seen) && !seen.contains(element), inside };
}"""


def is_looked_at(number, scheme, width, language):
    """Without --all: each page on phones and computers in three languages, and on tablets in one of them, the next page in the next one.
    In the dark each page has one of the two sizes that axe looks at, in turns."""
    if scheme == "dark":
        return width == (320, 1280)[number % 2]
    return width != 768 or language == ("en", "ja", "zh-Hans")[number % 3]


def has_axe(number, everything, scheme, width, language):
    """In light, without --all: the size that the page does not have in the dark."""
    return language == "en" and width != 768 and (everything or scheme == "dark" or width == (1280, 320)[number % 2])


def measure(pool, base, state, problems, counts, sizes, pictures, everything):
    """Every page in its layouts, in two browsers at once."""
    layouts = [(s, w, l) for s in ("light", "dark") for w in (320, 768, 1280) for l in ("en", "ja", "zh-Hans") if s == "light" or (l == "en" and w != 768)]
    # Those with axe take longest: they begin.
    layouts.sort(key=lambda layout: layout[2] != "en" or layout[1] == 768)
    for job in [pool.submit(measured, base, state, pictures, everything, *layout) for layout in layouts]:
        found, axe, looked, taken = job.result()
        problems.extend(found)
        sizes |= taken
        counts["axe"] += axe
        counts["layouts"] += looked


def measured(base, state, pictures, everything, scheme, width, language):
    """The pages of one layout: the problems, the looks of axe, the layouts, and bytes and requests of pages where they are measured."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    axe, problems, looks, layouts, sizes = Axe(), [], 0, 0, {}
    with sync_playwright() as playwright:
        browser = launched(playwright)
        if (scheme, width, language) == ("light", 320, "en"):
            problems.extend(planted(browser))
        for pages, storage in ((PAGES, state), (OUTSIDE, None)):
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, locale=language, storage_state=storage)
            page = context.new_page()
            watch(page, problems)
            for number, path in enumerate(pages):
                if not everything and not is_looked_at(number, scheme, width, language):
                    continue
                answer = page.goto(base + path)
                where = f"{path} {scheme} {width} {language}"
                layouts += 1
                expect(problems, answer.status == 200 or "/confirm" in path or "token=x" in path, f"status {answer.status}: {where}")
                expect(problems, page.url == base + path or "/confirm" in path, f"another page, {page.url}: {where}")
                problems.extend(cut(page, where) if width == 320 else [] if page.evaluate(FITS) else [f"overflow: {where}"])
                expect(problems, page.get_attribute("html", "lang") == language, f"another language: {where}")
                if has_axe(number, everything, scheme, width, language):
                    looks += 1
                    found = axe.run(page, options={"runOnly": {"type": "tag", "values": TAGS}}).response["violations"]
                    problems.extend(sentences(found, where))
                if language != "en" and width == 1280:
                    problems.extend(f"English: {where}: {word}" for word in wording.english(page))
                if pictures:
                    name = re.sub(r"\W+", "-", where).strip("-")
                    page.screenshot(path=f"{pictures}/{name}.png", full_page=True)
                if language == "en" and width == 1280 and scheme == "light":
                    size, requests = sizes[path] = page.evaluate(SIZES)
                    expect(problems, size <= 100_000 and requests <= 4, f"{path} takes {requests} requests and {size} bytes")
                    by_keyboard(page, problems, where)
                    page.evaluate("document.documentElement.style.fontSize = '200%'")
                    expect(problems, page.evaluate(FITS), f"overflow with text of 200 %: {where}")
                if language == "en" and width == 320 and scheme == "light":
                    page.evaluate(STRETCH)
                    problems.extend(cut(page, f"longer texts: {where}"))
            context.close()
        browser.close()
    return problems, looks, layouts, sizes


def by_keyboard(page, problems, where):
    page.evaluate("window.scrollTo(0, 0)")
    for _ in range(12):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if not focus:
            return
        expect(problems, focus["shows"], f"no visible focus: {where}: {focus['name']}")
        expect(problems, not focus["covered"], f"the focus is covered: {where}: {focus['name']}")
