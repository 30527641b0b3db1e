# SPDX-License-Identifier: Apache-2.0
"""Makes links as people do, with and without a script."""
from browser.chromium import comes, enter, expect, follow, look

LIKE = "main a[href*='/console/links/new?like=']"


def making(page, server, problems):
    """What the form of a link tells, for one link and the next one."""
    page.goto(server.base + "/console/links/new")
    page.keyboard.insert_text("https://example.com/story")
    page.wait_for_selector("#drafted h3:has-text('What happens at a tap')")
    address = page.input_value("#address")
    expect(problems, page.locator("#drafted svg.link-qr").count() == 1 and page.is_visible("#copy"), "a link has no QR code, or cannot be copied, while it is written")
    expect(problems, not page.is_visible("[name=show]"), "a button that only pages without a script need is shown")
    enter(page)
    page.wait_for_selector(".good")
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
