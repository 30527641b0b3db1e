# SPDX-License-Identifier: Apache-2.0
"""Finds texts of a page that are English where the page is Japanese or Chinese.

Names, keys, addresses, numbers and codes are the same in every language. What has the form of one is left out: `code` and fields, and
words with a dot, a slash, a digit, an underscore or a capital inside. All other Latin words must be in one of the lists below.
"""

# Programs, systems, companies and short forms that Japanese and Chinese readers write in Latin letters, too.
ALLOWED = """
    API CSV SDK URL UTC QR ID OS JSON YAML HTTP HTTPS https OK SVG PNG DNS TLS UA Web HEAD SQLite PostgreSQL kB MB
    Landfall Apple Ads Google Play App Store iOS Android Safari Chrome Linux iPhone iPad Mac Instagram Facebook English
    Connect Xcode Sandbox MRR ARR ROAS Webhook UTM
"""
# Words of landfall.yaml, of columns of files and of facts, which are codes: people write them so, whatever their language is.
CODES = """
    platform country language ios android desktop ppid pt ja en title button tint image price locale page store link other unavailable false production ct
    zh-Hans
"""
# What the checks plant: names of people, links, experiments, campaigns and paywalls.
PLANTED = """
    Maya Omar Vera Japanese Winter easter Example Unlock Begin Later Open Go Half onboarding offer upsell phones spring everyone default half beach summer sommer autumn
    winter frost trial saved year example source spring-price upsell-text next-price leaves DE AT poster mail cards nowhere none team-phone planet zzz weight
"""
# Where codes are in a sentence: they may not be anywhere else.
PHRASES = [
    "'webhooks'", "“webhooks”", "“keys”", "“may”", "app、store、page、web", "Firebase Dynamic Links", "'keys'", "'may'", "landfall serve", "landfall import", "primary: を追加", "添加 primary:",
    "purchases に rates", "purchases.currency と rates", "purchases 下添加 rates", "purchases.currency 和 rates",
    "Half price for phones", "Does half price bring trials?", "Too much", "A second key", "landfall link import", "--config-owner file", "landfall reload", "应用自有的 scheme", "to のほか、url、campaign、adGroup、creative、label、channel", "to，以及可选的 url、campaign、adGroup、creative、label、channel",
]

ENGLISH = """([allowed, phrases, without]) => {
  const known = new Set(allowed), found = [];
  const look = (whole, where) => {
    const text = phrases.reduce((text, phrase) => text.replaceAll(phrase, " "), whole);
    // Japanese and Chinese have no spaces: their letters and signs end a word.
    for (const chunk of text.split(/[\\s\\u2000-\\u206f\\u2190-\\u2bff\\u3000-\\u9fff\\uff00-\\uffef()\\[\\]{}"“”,;!?·–—+×=<>|]+/)) {
      const word = chunk.replace(/^['’:.*#&-]+|['’:.*%-]+$/g, "");
      if (!/^[A-Za-z][A-Za-z'’-]+$/.test(word) || /[a-z][A-Z]/.test(word) || known.has(word)) continue;
      found.push(`${word} (${where}: ${text.trim().replace(/\\s+/g, " ").slice(0, 80)})`);
    }
  };
  const same = "code, pre, textarea, script, style, kbd, samp, noscript, [lang]:not(html), [translate=no], .mono" + (without && ", " + without);
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


def english(page, without=""):
    """The English words of a page, each with the text that has it. `without` is a selector of what is not read."""
    return page.evaluate(ENGLISH, [f"{ALLOWED} {CODES} {PLANTED}".split(), PHRASES, without])
