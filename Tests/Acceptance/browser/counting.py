# SPDX-License-Identifier: Apache-2.0
"""A person at one page: acts by pointer and keyboard, and the browser counts what it took.

Clicks are presses of the pointer, keystrokes are keys that went down (Ctrl-V is one, Shift alone none); a choice from a list is two clicks.
The browser's own events are counted, not the calls of this file. Where a page's scripts are off a browser tells nobody of events: there the
calls are counted, which `heard` otherwise has to agree with. Pages are documents, calls what a script of the page asked for."""
import dataclasses, re, time

from browser.chromium import comes, expect, watch

HEARD = """() => {
  const hear = (name, kind, isCounted) => addEventListener(name, (event) => { if (isCounted(event)) heard(kind); }, true);
  hear("pointerdown", "clicks", (event) => event.isTrusted);
  hear("keydown", "keys", (event) => event.isTrusted && !["Control", "Shift", "Meta", "Alt"].includes(event.key));
  hear("change", "choices", (event) => !event.isTrusted && event.target.matches("select"));
}"""


@dataclasses.dataclass
class Count:
    """What a story took."""
    clicks: int = 0
    keys: int = 0
    pages: int = 0
    calls: int = 0
    seconds: float = 0

    def __str__(self):
        return f"{self.clicks} clicks, {self.keys} keystrokes, {self.pages} pages, {self.calls} calls, {self.seconds:.1f} s"


class Person:
    def __init__(self, context, problems, base, has_script=True):
        self.problems, self.base, self.has_script = problems, base, has_script
        self.story, self.sent, self.heard = "", Count(), Count()
        # The clipboard is where people have addresses and translations from.
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=base)
        self.page = context.new_page()
        self.page.expose_binding("heard", lambda _, kind: self.hear(kind))
        self.page.add_init_script(f"({HEARD})()")
        self.page.on("request", self.count)
        watch(self.page, problems)

    def hear(self, kind):
        if kind == "choices":
            self.heard.clicks += 2
        else:
            setattr(self.heard, kind, getattr(self.heard, kind) + 1)

    def count(self, request):
        if request.resource_type == "document":
            # A form leads to the page that its answer names: that is one.
            self.heard.pages += not request.redirected_from
        elif request.resource_type in ("fetch", "xhr"):
            self.heard.calls += 1

    def begin(self, story, place):
        """Opens the page at which a story begins, which is not counted."""
        self.story = story
        if place:
            self.page.goto(self.base + place)
        self.sent, self.heard, self.begun = Count(), Count(), time.monotonic()

    def end(self):
        """What it took. The browser tells of events in their order: an answer to the last question comes after all of them."""
        seconds = time.monotonic() - self.begun
        self.page.evaluate("0")
        sent, heard = (self.sent.clicks, self.sent.keys), (self.heard.clicks, self.heard.keys)
        self.expect(not self.has_script or heard == sent, f"{sent} clicks and keys were sent, and the browser heard {heard}")
        count = dataclasses.replace(self.heard, seconds=seconds)
        return count if self.has_script else dataclasses.replace(count, clicks=self.sent.clicks, keys=self.sent.keys)

    def expect(self, condition, what):
        expect(self.problems, condition, f"{self.story}: {what}")

    def comes(self, condition, what):
        comes(self.page, self.problems, condition, f"{self.story}: {what}")

    def click(self, selector):
        self.sent.clicks += 1
        self.page.click(selector)

    def go(self, selector):
        """A click that leads to a page, and its answer."""
        with self.page.expect_navigation() as answer:
            self.click(selector)
        return answer.value

    def press(self, *keys):
        for key in keys:
            self.sent.keys += 1
            self.page.keyboard.press(key)

    def enter(self):
        with self.page.expect_navigation() as answer:
            self.press("Enter")
        return answer.value

    def type(self, text):
        """Letters of a plain keyboard, each a keystroke."""
        self.sent.keys += len(text)
        self.page.keyboard.type(text)

    def has_focus(self, field):
        """The page has put the cursor there: nobody has to click."""
        self.comes(lambda: self.page.evaluate("document.activeElement.id") == field, f"{field} has no focus")

    def write(self, selector, text):
        self.click(selector)
        self.type(text)

    def paste(self, text):
        """What the person has copied elsewhere."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.press("Control+v")

    def choose(self, selector, value):
        self.sent.clicks += 2
        self.page.select_option(selector, value)

    def clipboard(self):
        return self.page.evaluate("navigator.clipboard.readText()")

    def file(self, place):
        """A file of the console, as the member gets it."""
        return self.page.request.get(self.base + place)

    def publish(self, reason):
        """From a page with a draft to the version that has it: the reason, its review, the last button. The text of the version."""
        self.write("form[action$='/draft/check'] [name=message]:not([type=hidden])", reason)
        self.enter()
        self.go("form[action$='/draft/publish'] .primary")
        return self.version()

    def version(self):
        """The text of the version whose page is open."""
        number = re.search(r"/console/versions/(\d+)$", self.page.url)
        self.expect(number, f"no version is published: {self.page.url}")
        return self.file(f"/console/versions/{number[1]}.yaml").text() if number else ""
