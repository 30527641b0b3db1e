# SPDX-License-Identifier: Apache-2.0
"""Stored and reflected scripts: texts that would run if a page did not escape them, in every field that later pages show.

Phones, people in browsers, a backend, the configuration file and the console's own forms plant them. Then every page that a link of the
console leads to is opened in Chromium, also the live page while the texts arrive, and the pages of the links themselves. Nothing may run:
no dialog, no violation of the policy, no element, attribute or address that is not of the console. Each text has a mark of its own,
so that the check also knows that its texts were shown.
"""
import contextlib, json, re, tempfile, urllib.parse, uuid

from browser.chromium import become_member, launched
from browser.console_server import ConsoleServer, first_open
from browser.layouts import PAGES
from server import SAFARI

CORPUS = [
    '"><img src=x onerror=struck("@")>',
    "'><svg/onload=struck('@')>",
    '</script><script>struck("@")</script>',
    '</textarea></title></style><script>struck("@")</script>',
    '" autofocus onfocus=struck("@") x="',
    "' style='animation:x' onanimationstart=struck('@') '",
    "javascript:struck('@')//",
    'data:text/html,<script>parent.struck("@")</script>',
    '{{constructor.constructor("struck(1)")()}}${struck(1)}#{1}<%= 1 %>@',
    "&#60;img src=x onerror=struck(1)&#62;&lt;script&gt;struck(2)&lt;/script&gt;@",
    "\\u003cimg src=x onerror=struck('@')\\u003e%3Cscript%3Estruck(1)%3C/script%3E",
    '--><iframe srcdoc="<script>parent.struck(1)</script>">@',
    "]]><math><mi xlink:href=javascript:struck(1)>@<base href=//evil.example>",
    '\u202e\u2066\uff1cscript\uff1estruck("@")\uff1c/script\uff1e\u2028<script>struck(1)</script>',
    "<form action=//evil.example><button formaction=javascript:struck(1)>@<meta http-equiv=refresh content=0;//evil.example>",
]
TAGS = """html head title meta link script noscript body a abbr b br button caption code col colgroup datalist dd del details dialog div dl dt em
    fieldset figcaption figure footer form h1 h2 h3 h4 header hr input ins kbd label legend li main nav ol optgroup option output p pre section
    select small span strong summary sup table tbody td textarea tfoot th thead time tr ul
    svg g path rect line polyline polygon text desc circle defs pattern use tspan""".split()
# Before any script of a page. A dialog would be seen as well; these also tell which text it was.
PREPARE = """
window.struck = window.alert = window.confirm = window.prompt = mark => console.error("struck: " + mark);
document.addEventListener("securitypolicyviolation", event =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));
"""
FOREIGN = """(tags) => {
  const known = new Set(tags), found = [], own = location.origin + "/";
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    if (!known.has(name)) found.push("an element " + name);
    if (name === "script" && !(element.src.startsWith(own) && !element.textContent)) found.push("a script " + element.outerHTML.slice(0, 80));
    if (name === "meta" && element.httpEquiv && element.httpEquiv !== "refresh") found.push("a meta " + element.httpEquiv);
    for (const attribute of element.attributes) {
      const value = attribute.value.trim();
      if (/^on/i.test(attribute.name) || attribute.name === "srcdoc" || attribute.name === "style")
        found.push(`an attribute ${attribute.name} of ${name}`);
      if (/^(xlink:)?(href|src|action|formaction|data|ping|poster|background)$/i.test(attribute.name)) {
        const address = new URL(value, location.href);
        const leadsOut = name === "a" && /^https?:$/.test(address.protocol);
        if (!address.href.startsWith(own) && !leadsOut) found.push(`an address ${value.slice(0, 60)} in ${attribute.name} of ${name}`);
      }
    }
  }
  const fields = [...document.querySelectorAll("input, textarea")].map(field => field.value);
  const named = [...document.querySelectorAll("[aria-label], [title], [placeholder]")].map(e => e.outerHTML);
  return [found, [document.documentElement.textContent, ...fields, ...named].join(" ").match(/q\\d{3}z/g) || []];
}"""
SCHEMES = [
    "javascript:struck(1)", "data:text/html,<script>struck(1)</script>", "vbscript:struck(1)", " javascript:struck(1)", "java\nscript:struck(1)",
    "JavaScript://example.com/%0astruck(1)",
]
HANDLERS = "() => [...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name).filter(name => /^on/i.test(name)))"
# What no page shows: only kept, or told to phones alone.
UNSHOWN = {
    "a referrer", "a language of a browser", "a browser's name", "the browser of a member", "a property of an event",
    "a fact of a device: deviceId", "a fact of a device: timeZone", "a query of a tapped link",
}


class Planter:
    """Hands out the texts of the corpus, each with a mark, and knows where each one was planted."""

    def __init__(self):
        self.planted, self.count = {}, 0

    def text(self, place, most=200):
        """The next text that fits, in bytes."""
        for _ in CORPUS:
            self.count += 1
            mark = f"q{self.count:03d}z"
            text = CORPUS[self.count % len(CORPUS)].replace("@", mark)
            if mark in text and len(text.encode()) <= most:
                self.planted[mark] = place
                return text
        raise ValueError(place)

    def texts(self, place, most=200):
        """All that fit."""
        return [self.text(place, most) for template in CORPUS if len(template.encode()) + 4 <= most]

    def refused(self, text):
        for mark in re.findall(r"q\d{3}z", text):
            self.planted.pop(mark, None)


def configuration(plant):
    """landfall.yaml with texts wherever it has free texts. JSON strings are YAML."""
    q = json.dumps
    return f"""
app: {{ id: example, bundleId: com.example.app, name: {q(plant.text("the app's name"))}, scheme: example, appStoreId: "6670001234" }}
keys: [ {{ sdk: pk_demo }}, {{ serverFrom: LANDFALL_SERVER_KEY, may: [links, configuration, reports, profiles] }} ]
domains: {{ brand: [links.example.com], universal: [example.com] }}
paywalls:
  default:
    products: [{q(plant.text("a product"))}, year]
    defaultLocale: en
    remoteConfig:
      en:
        title: {q(plant.text("remote config"))}
        {q(plant.text("a key of remote config"))}: [{q(plant.text("a list in remote config"))}]
audiences:
  people:
    attribution.campaign: {{ is: {q(plant.text("a value of an audience"))} }}
    attributes.plan: {{ in: [{q(plant.text("a value of an attribute in an audience"))}, pro] }}
placements:
  onboarding: [ {{ audience: people, paywall: default }}, {{ audience: everyone, paywall: default }} ]
  offer: [ {{ audience: everyone, experiment: price }} ]
attributes: {{ plan: string }}
events: {{ bought: {{}} }}
metrics: {{ trial: {{ event: bought }} }}
experiments:
  price:
    state: live
    primary: trial
    variations:
      A: {{ weight: 50, paywall: default }}
      B: {{ weight: 50, paywall: default, remoteConfig: {{ en: {{ title: {q(plant.text("remote config of a variation"))} }} }} }}
links: [ {{ url: "https://links.example.com/beach", to: "https://example.com/beach", campaign: {q(plant.text("a campaign of the file"))} }} ]
"""


def phones(server, plant):
    """What phones say about themselves and their people."""
    names = ("appVersion", "osVersion", "platform", "model", "locale", "timeZone", "deviceId")
    facts = {name: plant.text(f"a fact of a device: {name}", 120) for name in names}
    for number, (name, text) in enumerate(facts.items(), 1):
        ask(server, plant, "/v1/first-open", first_open("onboarding", device={"platform": "ios", name: text}), number, text)
    values = plant.texts("a value of an attribute")
    for number, text in enumerate(values, 1):
        ask(server, plant, "/v1/profiles/me/attributes", {"key": str(uuid.uuid4()), "attributes": {f"custom.{number}": text}}, 1, text)
    for number in range(2, 6):
        text = plant.text("a customer's id")
        ask(server, plant, "/v1/identify", {"key": str(uuid.uuid4()), "customerId": text}, number, text)
    for field in ("channel", "campaign", "ad_group", "ad_set", "creative"):
        text = plant.text(f"a claim's {field}")
        number = 6 + ["channel", "campaign", "ad_group", "ad_set", "creative"].index(field)
        ask(server, plant, "/v1/first-open", first_open("onboarding"), number, None)
        ask(server, plant, "/v1/attribution", {"key": str(uuid.uuid4()), "source": "other", "status": "non_organic", field: text}, number, text)
    for number, field in enumerate(("placement", "paywall", "variationId", "audience", "origin"), 1):
        for place in range(3):
            text = plant.text(f"an event's {field}", 128)
            fields = {"placement": "onboarding", "paywall": "default", field: text}
            shown = {"id": f"0198f0c3-7b1a-7c3d-8e4f-{10 * number + place:012d}", "type": "paywall_shown", "ageMilliseconds": 0, **fields}
            ask(server, plant, "/v1/events", {"events": [shown]}, number, text)
    text = plant.text("a property of an event", 200)
    bought = {"id": "0198f0c3-7b1a-7c3d-8e4f-000000000900", "type": "bought", "ageMilliseconds": 0, "properties": {"text": text}}
    ask(server, plant, "/v1/events", {"events": [bought]}, 1, text)


def ask(server, plant, path, body, number, text):
    """A call of a phone. A text that the server refuses is not planted; it must be refused for its form, not by a failure."""
    _, answer = server.asked(path, body, number)
    if text is not None and answer.status in (400, 422):
        plant.refused(text)
    elif answer.status >= 300:
        raise RuntimeError(f"{path} answers {answer}")


def backend(server, key, plant, problems):
    """Links of the team's backend: each text as a campaign, and each other label once."""
    wishes = [{"to": "https://example.com/a", "suffix": f"c{n}", "campaign": text} for n, text in enumerate(plant.texts("a campaign of a link"))]
    for field in ("adGroup", "creative", "label", "channel"):
        wishes.append({"to": "https://example.com/a", "suffix": field, field: plant.text(f"a link's {field}")})
    path = plant.text("a link's path", 400)
    wishes.append({"to": "https://example.com/a", "suffix": path})
    preview = {"title": plant.text("a preview's title"), "description": plant.text("a preview's description")}
    to = "https://example.com/?" + urllib.parse.quote(plant.text("a destination"))
    wishes.append({"to": to, "suffix": "card", "ios": ["page"], "code": True, "preview": preview | {"image": "https://example.com/a.png"}})
    wishes += [{"to": "https://example.com/a", "ios": [scheme]} for scheme in SCHEMES] + [{"to": scheme} for scheme in SCHEMES]
    for wish, link in zip(wishes, server.make(key, wishes)):
        if link["status"] == "refused":
            plant.refused(urllib.parse.unquote(json.dumps(wish, ensure_ascii=False)))
        elif wish["to"] in SCHEMES or wish.get("ios", [""])[0] in SCHEMES:
            problems.append(f"a link may lead to {wish}")


def browsers(server, plant):
    """Taps: what a browser says about itself, and what the address says."""
    fields = {"a browser's name": "User-Agent", "a referrer": "Referer", "a language of a browser": "Accept-Language"}
    for place, field in fields.items():
        text = plant.text(place)
        if place != "a browser's name":
            server.visit("/beach", {field: text.encode("ascii", "replace").decode()})
        else:
            server.visit("/beach", {field: "Mozilla/5.0 (iPhone) " + text.encode("ascii", "replace").decode()})
    for name in ("utm_source", "utm_campaign", "campaign", "adgroup", "creative", "gclid", "q"):
        server.visit("/beach?" + urllib.parse.urlencode({name: plant.text("a query of a tapped link")}))


class Watch:
    """A page that notes what ran, what the policy refused, and what is not of the console."""

    def __init__(self, context, problems):
        self.page, self.problems, self.seen, self.opened = context.new_page(), problems, set(), 0
        self.page.add_init_script(PREPARE)
        self.page.on("dialog", lambda dialog: dialog.accept() if dialog.type == "beforeunload" else (problems.append(f"a dialog {dialog.message}: {self.page.url}"), dialog.dismiss()))
        self.page.on("pageerror", lambda error: problems.append(f"a script's error {error}: {self.page.url}"))
        self.page.on("console", self.note)
        self.page.on("popup", lambda popup: problems.append(f"a window {popup.url}: {self.page.url}"))

    def note(self, message):
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(f"{message.text[:160]}: {self.page.url}")

    def look(self):
        self.opened += 1
        self.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found, marks = self.page.evaluate(FOREIGN, TAGS)
        self.problems.extend(f"{what}: {self.page.url}" for what in set(found))
        self.seen.update(marks)

    def open(self, address):
        answer = self.page.goto(address)
        if answer and answer.status >= 500:
            self.problems.append(f"status {answer.status}: {address}")
        self.look()

    def send(self, button):
        with self.page.expect_navigation() as answer:
            self.page.eval_on_selector(button, "button => { button.form.noValidate = true; button.click(); }")
        if answer.value and answer.value.status >= 500:
            self.problems.append(f"status {answer.value.status}: {self.page.url}")
        self.look()


def forms(watch, server, plant):
    """What members type into the console's own forms, and search for."""
    page = watch.page
    page.goto(server.base + "/console/links/new")
    page.fill("[name=to]", "https://example.com/typed")
    page.fill("[name=suffix]", "typed")
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    for field in ("campaign", "adGroup", "creative", "label", "channel", "title", "description"):
        page.fill(f"[name={field}]", plant.text(f"a typed {field} of a link"))
    watch.send("form[action='/console/links/new'] .primary")
    page.goto(server.base + "/console/links/new")
    for field, text in (("to", "javascript:struck(1)"), ("suffix", CORPUS[2]), ("campaign", CORPUS[0] * 9), ("channels", "\n".join(CORPUS))):
        page.eval_on_selector(f"[name={field}]", "(field, text) => { field.value = text; }", text)
    watch.send("form[action='/console/links/new'] .primary")
    page.goto(server.base + "/console/links/import")
    rows = "".join('"{}","{}"\n'.format(text.replace('"', '""'), text.replace('"', '""')) for text in CORPUS)
    page.fill("[name=text]", "to,campaign\n" + rows + 'https://example.com/row,"' + plant.text("an imported campaign").replace('"', '""') + '"\n')
    watch.send("button[value=check]")
    watch.send("button[value=apply]")
    page.goto(server.base + "/console/versions/draft")
    text = page.input_value("[name=text]")
    page.fill("[name=text]", text.replace("year]", "year, month]") + f"# {CORPUS[2]} {CORPUS[3]}\n")
    page.fill("[name=message]", plant.text("a version's message"))
    watch.send("form[action$='/draft/check'] .primary")
    watch.send("form[action$='/draft/publish'] .primary")
    page.goto(server.base + "/console/versions/draft")
    page.fill("[name=text]", "app: [" + json.dumps("".join(CORPUS)) + "\n" + CORPUS[3])
    page.fill("[name=message]", "".join(CORPUS))
    watch.send("form[action$='/draft/check'] .primary")
    page.goto(server.base + "/console/audiences/people")
    page.fill("[name='value.0']", plant.text("a typed value of an audience", 100))
    watch.send("button[value=rows]")
    page.goto(server.base + "/console/paywalls/default")
    page.fill("[name='value.0.0']", plant.text("a typed title of a paywall"))
    watch.send("button[value=values]")
    page.goto(server.base + "/console/settings/members")
    for email in ('"<script>struck(1)</script>"@example.com', CORPUS[0]):
        page.fill("[name=email]", email)
        page.check("[name=role][value=viewer]")
        watch.send("form[action$='/invite'] .primary")
    for path in (
        "links?q=", "links?campaign=", "links?host=", "profiles?q=", "live?kind=", "placements?q=", "audiences?q=", "paywalls?q=",
        "reports/campaigns?source=", "reports/campaigns?by=", "reports/campaigns?sort=", "reports/links?from=", "reports/paywalls?placement=",
        "reports/revenue?view=", "reports/revenue?by=", "reports/revenue?sort=", "reports/revenue?from=",
        "versions/1?against=", "confirm?next=", "sign-in?next=", "links/show?url=", "language/", "profiles/", "paywalls/default?locale=",
        "find?q=", "settings/audit?before=", "settings/audit?member=", "settings/audit?action=", "experiments/",
    ):
        text = CORPUS[6] if path.startswith(("confirm", "sign-in")) else CORPUS[0] + CORPUS[3]
        watch.open(server.base + "/console/" + path + urllib.parse.quote(text, safe=""))


def crawl(watch, server, starts, most=110):
    """Every page of the console that a link leads to, a few of each kind. Files must not be pages."""
    waiting, known, kinds = list(starts), set(starts), {}
    while waiting and watch.opened < most:
        path = waiting.pop(0)
        watch.open(server.base + path)
        links = watch.page.eval_on_selector_all("a[href^='/console']", "all => all.map(each => each.getAttribute('href'))")
        for found in links:
            found = found.split("#")[0]
            place, _, query = found.partition("?")
            file = re.search(r"\.(csv|json|yaml|svg|png)$", place)
            kind = (re.sub(r"/[^/]{20,}|/(v|q)\d\w*", "/…", place), tuple(sorted(urllib.parse.parse_qs(query))))
            if found in known or "/language/" in place or kinds.get(kind, 0) >= (2 if query else 4):
                continue
            known.add(found)
            kinds[kind] = kinds.get(kind, 0) + 1
            if file:
                answer = watch.page.request.get(server.base + found)
                if "html" in answer.headers.get("content-type", "html") or answer.headers.get("x-content-type-options") != "nosniff":
                    watch.problems.append(f"a file that a browser could take for a page: {found}")
            else:
                waiting.append(found)


def can_find(browser, problems):
    """The checks themselves: they find what a page without escaping and without a policy would have."""
    from playwright.sync_api import TimeoutError

    found = []
    watch = Watch(browser.new_context(), found)
    texts = "<p>" + "".join(CORPUS[:2] + CORPUS[11:12] + ["<a href=javascript:1>"]).replace("@", "q999z")
    # Only the page itself is there. A picture that is missing fails at once, on a machine with or without a network.
    watch.page.route("**/*", lambda route: route.fulfill(status=404))
    watch.page.route("https://example.com/", lambda route: route.fulfill(content_type="text/html", body=texts))
    # Until a script has run, not for a fixed time: on a busy machine that may take longer.
    with contextlib.suppress(TimeoutError):
        with watch.page.expect_console_message(lambda message: "struck: q999z" in message.text, timeout=20_000):
            watch.page.goto("https://example.com/", wait_until="commit")
    watch.look()
    text = " ".join(found)
    for part in ("struck: q999z", "an element iframe", "an attribute onerror", "an address javascript:"):
        if part not in text:
            problems.append(f"this check does not find {part} where it is: {text[:300]}")


def run():
    """What it did, its problems, and no look of axe."""
    from playwright.sync_api import sync_playwright

    plant, problems = Planter(), []
    key = "sk_" + "h" * 40
    with (tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright,
          ConsoleServer(folder, configuration(plant), environment={"LANDFALL_SERVER_KEY": key}) as server):
        browser = launched(playwright, f"--host-resolver-rules=MAP links.example.com 127.0.0.1:{server.port}")
        agent = "Mozilla/5.0 " + plant.text("the browser of a member").encode("ascii", "replace").decode()
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en", user_agent=agent)
        context.set_default_timeout(10_000)
        watch = Watch(context, problems)
        become_member(watch.page, server.link, plant.text("a member's name", 90))

        live = Watch(context, problems)
        live.page.goto(server.base + "/console/live")
        live.page.wait_for_selector("#live-state[data-state=on]")
        phones(server, plant)
        backend(server, key, plant, problems)
        browsers(server, plant)
        forms(watch, server, plant)
        live.look()
        if not live.seen:
            problems.append("no planted text came to the live page while it was open")
        people = [f"/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-{number:012d}" for number in range(1, 11)]
        crawl(watch, server, people + [path for path in PAGES if not re.search("spring|upsell|locale=ja", path)])
        public = Watch(browser.new_context(user_agent=SAFARI), problems)
        public.page.goto("http://links.example.com/card")
        marks = re.findall(r"q\d{3}z", public.page.content())
        handlers = public.page.evaluate(HANDLERS)
        if handlers or not marks:
            problems.append(f"the page of a link has the attributes {handlers} and the texts {marks}")
        can_find(browser, problems)
        seen = watch.seen | live.seen | set(marks)
        shown = {plant.planted[mark] for mark in seen if mark in plant.planted}
        unseen = sorted(set(plant.planted.values()) - shown - UNSHOWN)
        if unseen:
            problems.append(f"planted and shown on no page, so that nothing is proven about them: {', '.join(unseen)}")
        browser.close()
    kinds = len(set(plant.planted.values()))
    sentence = f"hostile: {len(plant.planted)} texts in {kinds} kinds of fields, {watch.opened} pages"
    return sentence, [f"hostile: {problem}" for problem in dict.fromkeys(problems)], 0
