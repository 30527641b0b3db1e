# SPDX-License-Identifier: Apache-2.0
"""Whether all of a page can be read on a phone: nothing is wider than the page, no box hides a part of what is in it, and no text lies on
another one. A box that scrolls hides nothing, and what is there for screen readers only is not seen."""
WIDTHS = (320, 390)
CUT = """() => {
  const found = [], name = element => element.outerHTML.replace(/\\s+/g, " ").slice(0, 90);
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) {
    const widest = [...document.querySelectorAll("body *")].find(element => element.getBoundingClientRect().right > innerWidth + 1);
    found.push(`wider than the page: ${name(widest ?? root)}`);
  }
  const hides = style => [style.overflowX, style.overflowY].some(value => value === "hidden" || value === "clip");
  const scrolls = style => [style.overflowX, style.overflowY].some(value => value === "auto" || value === "scroll");
  const unseen = element => {
    const box = element.getBoundingClientRect();
    return box.width <= 1 || box.height <= 1 || getComputedStyle(element).clipPath !== "none";
  };
  // Boxes that say themselves that more is in them than they show.
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg, input, textarea, select") || !element.getClientRects().length || !hides(getComputedStyle(element)) || unseen(element)) continue;
    if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) found.push(`clipped: ${name(element)}`);
  }
  // Each line of each text, as far as it is seen.
  const lines = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest("svg, option, textarea, script, noscript") || !parent.checkVisibility({ visibilityProperty: true })) continue;
    const around = [], windows = [];
    let isSeen = true, layer = document.body;
    for (let element = parent; element && element !== document.body; element = element.parentElement) {
      const style = getComputedStyle(element);
      if (style.display !== "inline" && unseen(element)) isSeen = false;
      if (style.display !== "inline" && (hides(style) || scrolls(style))) (scrolls(style) ? windows : around).push(element.getBoundingClientRect());
      // What lies above the page, or moves over it, may cover it.
      if (layer === document.body && ["fixed", "absolute", "sticky"].includes(style.position)) layer = element;
    }
    if (!isSeen) continue;
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      // What is scrolled away is not there.
      const line = windows.reduce((line, box) => {
        const [left, right, top, bottom] = [Math.max(line.left, box.left), Math.min(line.right, box.right), Math.max(line.top, box.top), Math.min(line.bottom, box.bottom)];
        return { left, right, top, bottom, width: right - left, height: bottom - top };
      }, whole);
      if (line.width < 2 || line.height < 2) continue;
      const isCut = around.some(box => line.left < box.left - 2 || line.right > box.right + 2 || line.top > box.bottom || line.bottom < box.top);
      isCut ? found.push(`text is cut: ${name(parent)}`) : lines.push({ line, node, parent, layer });
    }
  }
  // From the top down: a line is compared with those that begin before it ends.
  lines.sort((one, other) => one.line.top - other.line.top);
  lines.forEach((one, index) => {
    for (let next = index + 1; next < lines.length && lines[next].line.top < one.line.bottom; next++) {
      const other = lines[next];
      if (other.node === one.node || other.layer !== one.layer) continue;
      const wide = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left);
      const high = Math.min(one.line.bottom, other.line.bottom) - Math.max(one.line.top, other.line.top);
      if (wide > 2 && high > Math.min(one.line.height, other.line.height) / 2) found.push(`one on another: ${name(one.parent)} and ${name(other.parent)}`);
    }
  });
  return [...new Set(found)];
}"""
# A page with one of each, and of each a neighbour that is as it should be.
PLANTED = """<!doctype html><style>
  body { font: 16px/1.5 sans-serif } p, div { margin: 0 } .half { width: 50px } .hidden { overflow: hidden; width: 60px; height: 24px; white-space: nowrap }
  .low { overflow: hidden; height: 20px } .row { display: grid; grid-template-columns: 60px 60px; white-space: nowrap } .far { position: absolute; left: 80px }
  .small { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) } .scroll { overflow: auto; width: 60px; white-space: nowrap } .tall { overflow: auto; height: 24px }
</style><p class=hidden id=a>A name that is too long for its box</p><div class=low id=b>Two<br>lines</div>
<div class=row><span id=c>Installations</span><b>1,234,567</b></div><p class=small>For those who do not see it</p><p class=scroll>This one can be scrolled</p>
<p class=tall>This one too:<br>its second line<br>and its third</p><p>do not lie on this one</p><p>nor on this</p>
<div class=row><span>Net</span><b>12</b></div><p class=hidden>Short</p>"""
FOUND = ("clipped: <p class=\"hidden\" id=\"a\"", "clipped: <div class=\"low\" id=\"b\"", "one on another: <span id=\"c\"")
WIDE = "<!doctype html><p style='width: 500px'>A line of 500 pixels</p>"


def cut(page, where):
    """What cannot be read at the widths of phones, a sentence each. The page has its own width again afterwards."""
    size, found = page.viewport_size, []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": size["height"]})
        found += [f"{what} ({where}, {width} px)" for what in page.evaluate(CUT)]
    page.set_viewport_size(size)
    return found


def planted(browser):
    """The check's own faults: what it does not find on a page that is wrong, or finds where nothing is."""
    page = browser.new_page(viewport={"width": 320, "height": 600})
    page.set_content(PLANTED)
    found = page.evaluate(CUT)
    problems = [f"the check of phones does not find: {what}" for what in FOUND if not any(one.startswith(what) for one in found)]
    problems += [f"the check of phones finds what is not there: {one}" for one in found if not one.startswith(FOUND + ("text is cut: <p class=\"hidden\" id=\"a\"", "text is cut: <div class=\"low\" id=\"b\""))]
    page.set_content(WIDE)
    if not page.evaluate(CUT):
        problems.append("the check of phones does not find a page that is too wide")
    page.close()
    return problems
