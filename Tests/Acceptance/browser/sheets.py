# SPDX-License-Identifier: Apache-2.0
"""Contact sheets: the pictures of one page of the console beside each other, as one WebP file of a limited size."""
import base64, html

LARGE, PHONE = 1200, 390  # pixels of a page's width
LOOKS = {  # a picture's name: appearance, width, language
    "light": ("light", LARGE, "en"), "dark": ("dark", LARGE, "en"), "phone": ("light", PHONE, "en"),
    "日本語": ("light", LARGE, "ja"), "中文": ("light", LARGE, "zh-Hans"),
}
MOST_BYTES = 150_000
QUALITIES = (80, 70, 60, 50, 40, 30, 20)
SCALE, HIGH, GAP = 0.625, 620, 20
STYLE = f"""
  body {{ margin: 0; padding: {GAP}px; background: #d8dad5; font: 15px/22px "Noto Sans", "Noto Sans CJK JP", sans-serif; width: max-content }}
  section {{ display: grid; grid-template-columns: {LARGE * SCALE}px {LARGE * SCALE}px {PHONE * SCALE}px; gap: 8px {GAP}px }}
  section + section {{ margin-top: {GAP}px }}
  h1 {{ grid-column: 1 / -1; margin: 0; font-size: 20px; line-height: 28px }} h1:empty {{ display: none }}
  figure {{ margin: 0 }} figure.phone {{ grid-row: span 2 }}
  div {{ height: {HIGH}px; overflow: hidden; background: #fff; border-radius: 6px }} .phone div {{ height: {2 * HIGH + 8 + 22}px }}
  img {{ display: block; width: 100% }}
"""


def photographed(browser, base, state, paths, folder):
    """A picture of each whole page in each look: folder/PAGE-LOOK.png. Pages that this build does not have are left out."""
    found = {}

    def drafted(page):
        """What the link will be comes beside a form that names its destination."""
        page.fill("[name=to]", "https://brandname.go.link/summer-clothes")
        page.fill("[name=suffix]", "newsletter-august")
        page.wait_for_timeout(1_500)

    for look, (scheme, width, language) in LOOKS.items():
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, locale=language, reduced_motion="reduce", storage_state=state)
        page = context.new_page()
        for name, path in paths.items():
            if page.goto(base + path).status != 200:
                continue
            drafted(page) if name == "new-link" else page.wait_for_timeout(500)
            file = folder / f"{name}-{look}.png"
            page.screenshot(path=str(file), full_page=True)
            found.setdefault(name, {})[look] = file
        context.close()
    return found


def sheet(browser, bands, file):
    """Writes the sheet. `bands` are pairs of a title and pictures by their looks. The bytes of the file, and its quality."""

    def figure(look, picture):
        kind = "phone" if LOOKS[look][1] == PHONE else "large"
        data = base64.b64encode(picture.read_bytes()).decode()
        return f'<figure class={kind}><div><img src="data:image/png;base64,{data}"></div><figcaption>{look}</figcaption></figure>'

    text = "".join(
        f"<section><h1>{html.escape(title)}</h1>{''.join(figure(look, picture) for look, picture in pictures.items())}</section>" for title, pictures in bands)
    page = browser.new_page()
    page.set_content(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{text}")
    size = page.evaluate("({ x: 0, y: 0, scale: 1, width: document.body.offsetWidth, height: document.body.offsetHeight })")
    session = page.context.new_cdp_session(page)
    for quality in QUALITIES:
        asked = {"format": "webp", "quality": quality, "clip": size, "captureBeyondViewport": True}
        data = base64.b64decode(session.send("Page.captureScreenshot", asked)["data"])
        if len(data) <= MOST_BYTES:
            break
    page.context.close()
    file.write_bytes(data)
    return len(data), quality
