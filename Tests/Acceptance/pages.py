#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at every kind of page of a link in Chromium, against the built server: languages, sizes, light and dark, and its buttons.

script/check pages [--binary PATH] [--pictures FOLDER]: in English, Japanese and Arabic, on the smallest and the largest phone and on a
computer, each page fits its window, passes axe, requests nothing from another host, and writes no error to the browser's console. Without
script and with it, each tap on a button is counted once. The server is on loopback, in a temporary folder.
"""
import base64, pathlib, re, sys, tempfile

from browser.chromium import FITS, TAGS, enter_environment, launched, sentences
from claims import Claims
from server import Arguments, Server

HOST = "go.example.com"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
AGENTS = {
    "in-app": IPHONE + " Instagram 345.0.0.25.98",
    "android": "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "computer": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
}
ARABIC = {
    "openApp": "افتح في {app}", "appStore": "احصل على {app} من App Store", "googlePlay": "احصل على {app} من Google Play", "web": "المتابعة على الويب",
    "home": "إلى {app}", "typeCode": "اكتب هذا الرمز في التطبيق:", "copyHint": "إذا ثبّتّ التطبيق أولاً، انسخ هذا ثم افتح التطبيق.", "copyLabel": "رابطك",
    "scan": "أو وجّه كاميرا هاتفك إلى هنا:", "expiredTitle": "انتهى هذا الرابط", "expiredText": "انتهى ما كان يقود إليه. {app} ما زال هنا:",
    "missingTitle": "هذا الرابط لا يقود إلى شيء", "missingText": "ربما كُتب خطأ. اطلبه مرة أخرى أو ابدأ هنا:", "refusedTitle": "لا يمكن فتح هذا الرابط",
}
CONFIGURATION = f"""
app: {{ id: sample, name: Example, bundleId: com.example.sample, teamId: ABCDE12345, scheme: sample, appStoreId: 1234567890, android: {{ package: com.example.sample }} }}
keys: [{{ sdk: pk_demo }}]
paywalls: {{ default: {{}} }}
placements: {{ onboarding: [{{ audience: everyone, paywall: default }}] }}
domains:
  brand: [{{ host: {HOST}, page: {{ icon: B, colour: "#0a5fd0", sentence: {{ en: Everything for the sea, ja: 海のすべて, ar: كل شيء للبحر }} }} }}]
  universal: [example.com]
linkPages: {{ texts: {{ ar: {{ {", ".join(f'{key}: "{text}"' for key, text in ARABIC.items())} }} }} }}
links:
  - {{ url: https://{HOST}/beach, to: https://example.com/beach, campaign: summer }}
  - {{ url: https://{HOST}/code, to: https://example.com/beach, code: true, pasteboard: true, preview: {{ title: Donaudampfschifffahrtsgesellschaftsstrandbad }} }}
  - {{ url: https://{HOST}/over, to: https://example.com/beach, expires: 2001-01-01 }}
"""
# A page's name: its path, its browser and its status.
PAGES = {
    "in-app": ("/beach", "in-app", 200), "in-app-android": ("/beach", "android", 200), "code": ("/code", "in-app", 200), "computer": ("/beach", "computer", 200),
    "expired": ("/over", "in-app", 410), "missing": ("/nothing", "android", 404), "refused": ("/a/%FF", "computer", 400),
}
LANGUAGES = {"en": "ltr", "ja": "ltr", "ar": "rtl"}
SIZES = {"smallest": (320, 568), "largest": (440, 956), "computer": (1280, 800)}


def looks(browser, server, claims, folder):
    """Every page in every language, size and scheme."""
    from axe_playwright_python.sync_playwright import Axe

    problems, count, axe = [], 0, Axe()
    for name, (path, agent, status) in PAGES.items():
        for language, direction in LANGUAGES.items():
            context = browser.new_context(user_agent=AGENTS[agent], locale=language, reduced_motion="reduce")
            page = context.new_page()
            page.on("request", lambda request: f"//{HOST}:" in request.url or problems.append(f"{name}: requests {request.url}"))
            page.on("console", lambda message: message.type == "error" and "status of 4" not in message.text and problems.append(f"{name}: {message.text}"))
            answer = page.goto(f"http://{HOST}:{server.port}{path}")
            if answer.status != status or page.evaluate("document.documentElement.dir") != direction:
                problems.append(f"{name} {language}: {answer.status}, {page.evaluate('document.documentElement.dir')}")
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)
                    where = f"{name}-{language}-{size}-{scheme}"
                    count += 1
                    if not page.evaluate(FITS):
                        problems.append(f"overflow: {where}")
                    # Colours are those of every size; what else axe knows is that of both schemes.
                    if (size, scheme) in (("smallest", "light"), ("computer", "dark")):
                        found = axe.run(page, options={"runOnly": {"type": "tag", "values": TAGS}}).response["violations"]
                        problems.extend(sentences(found, where))
                    if folder:
                        page.screenshot(path=str(folder / f"{where}.png"), full_page=True)
            context.close()
    for problem in problems:
        claims.deny(problem)
    claims.check(f"{count} looks at {len(PAGES)} pages: all fit, none requests anything from elsewhere, axe finds nothing", not problems)


def sheet(browser, folder):
    """One picture of all pages on the smallest phone: a row each, its languages in light and dark. The folder has the single ones."""
    def picture(name):
        return f'<img src="data:image/png;base64,{base64.b64encode((folder / name).read_bytes()).decode()}">'

    rows = "".join(
        f"<tr><th>{name}" + "".join(f"<td>{picture(f'{name}-{language}-smallest-{scheme}.png')}" for language in LANGUAGES for scheme in ("light", "dark"))
        for name in PAGES)
    page = browser.new_page(viewport={"width": 1120, "height": 600})
    page.set_content(f"<style>body{{margin:8px;font:13px system-ui}}td{{vertical-align:top;padding:4px}}th{{width:90px;text-align:left;vertical-align:top}}"
                     f"img{{width:150px;border:1px solid #bbb}}</style><table>{rows}</table>")
    page.screenshot(path=str(folder / "all.png"), full_page=True)


def counted(server):
    """Taps by button, as the metrics have them."""
    found = re.findall(r'^landfall_link_button_taps_total\{button="(\w+)"\} (\d+)', server.ask("/metrics").text, re.MULTILINE)
    return {button: int(count) for button, count in found}


def taps(browser, server, claims):
    """A page for each tap, with script and without; then the same button again."""
    wanted = {}
    for runs_scripts in (True, False):
        for index, button in enumerate(["app", "store", "web"]):
            context = browser.new_context(user_agent=AGENTS["in-app"], java_script_enabled=runs_scripts)
            page = context.new_page()
            # The stores and the web site are elsewhere, and nothing here has the app's scheme.
            page.route("**/*", lambda route: route.continue_() if f"//{HOST}:" in route.request.url else route.abort())
            address = f"http://{HOST}:{server.port}/beach"
            for _ in range(2):
                page.goto(address)
                target = page.locator("main a").nth(index).get_attribute("href")
                page.locator("main a").nth(index).click(no_wait_after=True)
                page.wait_for_timeout(500)
                wanted[button] = wanted.get(button, 0) + 1
                # Reloaded, shared at once, or asked again by the browser.
                for _ in range(2):
                    server.ask(target, host=HOST, fields={"User-Agent": AGENTS["in-app"]})
            context.close()
    claims.check(f"Every tap is counted once: {wanted}", counted(server) == wanted, f"{counted(server)}")
    forged = server.ask("/beach?lf_tap=store.01a2b3c4-d5e6-7f80-9a1b-2c3d4e5f6071", host=HOST, fields={"User-Agent": AGENTS["in-app"]})
    claims.check("A tap of nobody's click is not counted", forged.status in (200, 302) and counted(server) == wanted, f"{forged}")


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--pictures", help="a folder for pictures of every page, and one of all: all.png")
    options = parser.parse_args()
    enter_environment()
    from playwright.sync_api import sync_playwright

    folder = options.pictures and pathlib.Path(options.pictures)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    claims = Claims()
    with tempfile.TemporaryDirectory() as store, Server(store, CONFIGURATION) as server, sync_playwright() as playwright:
        browser = launched(playwright, f"--host-resolver-rules=MAP {HOST} 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1")
        looks(browser, server, claims, folder)
        if folder:
            sheet(browser, folder)
        taps(browser, server, claims)
        browser.close()
    claims.end("The pages of links look finished, and their buttons count.")


if __name__ == "__main__":
    main()
