# SPDX-License-Identifier: Apache-2.0
"""Finds texts of a page that are English where the page is Japanese or Chinese.

Names, keys, addresses, numbers and codes are the same in every language. What has the form of one is left out: `code` and fields, and
words with a dot, a slash, a digit, an underscore or a capital inside. All other Latin words must be in one of the lists below.
"""

# Programs, systems, companies and short forms that Japanese and Chinese readers write in Latin letters, too.
ALLOWED = """
    A B API CSV SDK URL UTC QR ID JSON YAML HTTP HTTPS OK PNG SVG SQLite PostgreSQL TLS UA CPU IP QA
    Landfall Apple Ads Google Play App Store iOS Android Safari Chromium Chrome iPhone iPad Mac Linux Instagram Facebook TikTok LINE WeChat X
    English Tab Ctrl Esc Enter Universal Links AdServices
""".split()
# What the checks themselves plant: names of people, links, campaigns, paywalls and so on.
PLANTED = """
    Maya Omar Example Unlock Go Open Half price More onboarding offer upsell phones spring everyone default half country platform
    summer sommer autumn winter frost beach trial saved year example nobody source link organic
""".split()

ENGLISH = """(allowed) => {
  const known = new Set(allowed), found = [];
  const look = (text, where) => {
    // Japanese and Chinese have no spaces: their letters and signs end a word.
    for (const chunk of text.split(/[\\s\\u2000-\\u206f\\u2190-\\u2bff\\u3000-\\u9fff\\uff00-\\uffef()\\[\\]{}"“”,;!?·–—+×=<>|]+/)) {
      const word = chunk.replace(/^['’:.*#&-]+|['’:.*%-]+$/g, "");
      if (!/^[A-Za-z][A-Za-z'’-]+$/.test(word) || /[a-z][A-Z]/.test(word) || known.has(word)) continue;
      found.push(`${word} (${where}: ${text.trim().replace(/\\s+/g, " ").slice(0, 80)})`);
    }
  };
  const same = "code, pre, textarea, script, style, kbd, samp, noscript, [lang]:not(html), [translate=no], .mono";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (node.data.trim() && !parent.closest(same)) look(node.data, parent.tagName.toLowerCase());
  }
  for (const name of ["aria-label", "placeholder", "title", "alt", "aria-description", "label"])
    for (const element of document.querySelectorAll(`[${name}]`)) if (!element.closest(same)) look(element.getAttribute(name), name);
  look(document.title, "title");
  return [...new Set(found)];
}"""


def english(page, further=()):
    """The English words of a page, each with the text that has it."""
    return page.evaluate(ENGLISH, [*ALLOWED, *PLANTED, *further])
