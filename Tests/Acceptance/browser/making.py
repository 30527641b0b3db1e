# SPDX-License-Identifier: Apache-2.0
"""Makes links as people do, with and without a script, and counts what that takes."""
import sys, time

from browser.chromium import comes, enter, expect, follow, look

NEW = "a[href='/console/links/new']"
LIKE = "main a[href*='/console/links/new?like=']"


class Story:
    """Clicks, keystrokes and requests of one task; a paste is one keystroke. Pages and what scripts ask for are requests."""

    def __init__(self, page, name):
        self.page, self.name, self.begun = page, name, time.monotonic()
        self.clicks = self.keys = self.requests = 0
        page.on("request", self.count)

    def count(self, request):
        self.requests += request.resource_type in ("document", "fetch", "xhr")

    def click(self, selector):
        self.clicks += 1
        return follow(self.page, selector)

    def paste(self, text):
        self.keys += 1
        self.page.keyboard.insert_text(text)

    def enter(self):
        self.keys += 1
        return enter(self.page)

    def end(self, problems, clicks, keys, requests):
        """Problems if it took more than this."""
        self.page.remove_listener("request", self.count)
        took = f"{self.name}: {self.clicks} clicks, {self.keys} keystrokes, {self.requests} requests, {time.monotonic() - self.begun:.1f} s"
        print(took, file=sys.stderr)
        expect(problems, self.clicks <= clicks and self.keys <= keys and self.requests <= requests, took)


def making(page, server, problems):
    """From the list to a link that can be copied: one click, a paste, Enter. Then the next one, and everything that its form tells."""
    page.goto(server.base + "/console/links")
    story = Story(page, "a link is made")
    story.click(NEW)
    story.paste("https://example.com/story")
    page.wait_for_selector("#drafted h3:has-text('What happens at a tap')")
    address = page.input_value("#address")
    expect(problems, page.locator("#drafted svg.link-qr").count() == 1 and page.is_visible("#copy"), "a link has no QR code, or cannot be copied, while it is written")
    expect(problems, not page.is_visible("[name=show]"), "a button that only pages without a script need is shown")
    story.enter()
    page.wait_for_selector(".good")
    # The list leads to the form; the script asks once; the form is sent, and leads to the link's page.
    story.end(problems, clicks=1, keys=2, requests=4)
    expect(problems, page.input_value("#address") == address, f"the address that was shown, {address}, is not the one that was made")

    follow(page, LIKE)
    page.fill("#to", "https://example.com/next?a=1")
    for suffix, state in (("beach", ".problem"), ("next", "strong")):
        page.fill("#suffix", suffix)
        page.wait_for_selector(f"#suffix-state {state}")
    comes(page, problems, lambda: page.input_value("#address") == "https://links.example.com/next", "another address is shown than the suffix says")
    page.click("summary:has(#said-analytics)")
    page.fill("#utm_source", "news letter")
    comes(page, problems, lambda: page.input_value("#to") == "https://example.com/next?a=1&utm_source=news%20letter", "a UTM parameter is not written into the destination")
    comes(page, problems, lambda: page.inner_text("#said-analytics") == "news letter", "a fold does not say what is set inside")
    page.fill("#to", "https://example.com/next?utm_source=mail")
    comes(page, problems, lambda: page.input_value("#utm_source") == "mail", "a UTM parameter does not follow the destination")
    page.fill("#utm_source", "")
    comes(page, problems, lambda: page.input_value("#to") == "https://example.com/next", "a UTM parameter that is emptied stays in the destination")
    page.click("summary:has(#said-card)")
    page.fill("#title", "A card")
    page.wait_for_selector("#drafted .link-card strong:text-is('A card')")
    look(page, problems, "a link while it is written")
    page.focus("#to")
    enter(page)
    page.wait_for_selector(".good")
    expect(problems, page.input_value("#address") == "https://links.example.com/next", "the next link has another address")
    sharing(page, problems)


def sharing(page, problems):
    """Where the browser can share, the link's page does; a form whose server is away says so by its button."""
    other = page.context.new_page()
    other.add_init_script("Navigator.prototype.share = async ({ url }) => { window.shared = url; }")
    other.goto(page.url)
    other.click("[data-share]")
    expect(problems, other.evaluate("window.shared") == "https://links.example.com/next", "a link is not shared")
    follow(other, LIKE)
    other.route("**/console/links/draft", lambda route: route.abort())
    other.fill("#suffix", "away")
    comes(other, problems, other.locator("[name=show]").is_visible, "what is shown is old, and nothing asks for it again")
    other.close()


def making_without_script(page, server, problems):
    page.goto(server.base + "/console/links/new")
    page.fill("#to", "https://example.com/plain")
    page.fill("#suffix", "plain")
    page.click("summary:has(#said-analytics)")
    page.fill("#utm_source", "news")
    follow(page, "[name=show]")
    expect(problems, page.input_value("#to") == "https://example.com/plain?utm_source=news", "without a script a UTM parameter is not written into the destination")
    expect(problems, page.input_value("#address") == "https://links.example.com/plain" and page.locator("#drafted h3").count() == 2, "a link is not shown without a script")
    follow(page, "form[action$='/new'] .primary")
    expect(problems, page.locator(".good").count() == 1 and "utm_source=news" in page.inner_text(".link-facts"), "a link is not made without a script")
