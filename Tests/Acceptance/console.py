#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the console in Chromium, against the built server: script/check console [--binary PATH] [--only PART …] [--pictures FOLDER].

A person sets the server up, makes a link, sees its tap become a first open and a shown paywall, asks why, judges experiments of four
hundred people, publishes, rolls back, meets another editor, invites a viewer, and signs out and in. Every page is then measured: axe
(tags up to wcag22aa) in light and dark, three languages by three widths without overflow, no English word in the other two, its
requests and bytes, and its forms without script. Other parts, each with a server of its own, are in script/console: texts that would
run as scripts, and states that are not at rest. Playwright and axe come from PyPI into .build/console-check once; the browser is the
system's Chromium. The servers are on loopback, in temporary folders. A few minutes; ends by itself.
"""
import argparse, concurrent.futures, contextlib, csv, importlib, io, json, multiprocessing, os, pathlib, random, re, sqlite3, subprocess, sys, tempfile, threading, time, urllib.request, venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["playwright==1.65.2", "axe-playwright-python==0.1.8"]
CONFIGURATION = """
app: { id: example, bundleId: com.example.app, name: Example, scheme: example, appStoreId: "6670001234" }
keys: [ { sdk: pk_demo } ]
domains: { brand: [links.example.com], universal: [example.com] }
paywalls:
  default: { products: [year], defaultLocale: en, remoteConfig: { en: { title: Unlock, button: Go }, ja: { title: "はじめる" } } }
  half: { products: [year], defaultLocale: en, remoteConfig: { en: { title: Half } } }
audiences:
  phones: { platform: { is: ios } }
  spring: { country: { is: DE }, any: [ { language: { is: ja } }, { app.version: { ">=": 2.1 } } ] }
placements:
  onboarding: [ { audience: spring, paywall: default }, { audience: everyone, paywall: default } ]
  offer: [ { audience: everyone, experiment: spring-price } ]
  upsell: [ { audience: everyone, experiment: upsell-text } ]
events: { trial_started: {}, song_saved: {} }
metrics: { trial: { event: trial_started }, saved: { event: song_saved } }
experiments:
  spring-price:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default, remoteConfig: { en: { title: Half price } } } }
    primary: trial
    guardrails: [ { metric: saved, harm: 50% } ]
  upsell-text:
    state: live
    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default, remoteConfig: { en: { title: More } } } }
    primary: trial
links: [ { url: "https://links.example.com/beach", to: "https://example.com/beach", campaign: summer } ]
"""
PASSWORD = "six grey herons at noon"
PAGES = [
    "/console",
    "/console?days=7",
    "/console?who=everybody",
    "/console/live",
    "/console/live?kind=tap",
    "/console/reports/campaigns",
    "/console/reports/campaigns?by=day&compare=before&sort=-firstOpens&source=&placement=onboarding",
    "/console/reports/links",
    "/console/reports/links?from=2026-11-01&to=2026-11-02",
    "/console/reports/paywalls?days=90",
    "/console/reports/funnel",
    "/console/reports/retention",
    "/console/reports/retention?days=90&by=source",
    "/console/experiments",
    "/console/experiments/spring-price",
    "/console/experiments/upsell-text",
    "/console/new/paywall",
    "/console/new/audience",
    "/console/new/placement",
    "/console/new/experiment",
    "/console/placements",
    "/console/placements/onboarding",
    "/console/audiences",
    "/console/audiences/spring",
    "/console/audiences/spring?count=now",
    "/console/paywalls",
    "/console/paywalls/default",
    "/console/paywalls/default?locale=ja",
    "/console/versions",
    "/console/versions/1",
    "/console/versions/2",
    "/console/versions/draft",
    "/console/links",
    "/console/links?q=nothing&state=expired",
    "/console/links/new",
    "/console/links/import",
    "/console/links/show?url=https%3A%2F%2Flinks.example.com%2Fbeach",
    "/console/profiles",
    "/console/profiles?q=0198f0c2",
    "/console/profiles?q=nobody",
    "/console/profiles?test=only",
    "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001",
    "/console/profiles/i_0198f0c2-7b1a-7c3d-8e4f-000000000001/why?placement=onboarding",
    "/console/account",
    "/console/settings/members",
    "/console/settings/audit",
    "/console/settings/audit?member=nobody@example.com&action=joined",
    "/console/health",
    "/console/settings/keys",
    "/console/confirm?next=/console",
]
OUTSIDE = ["/console/sign-in", "/console/setup?token=x", "/console/join?token=x"]
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)
# What --only can choose.
PARTS = {"pages": "flows of people, and every page in every layout", "hostile": "texts that would run as scripts if a page did not escape them",
         "states": "refused forms, conflicts, empty lists, other roles, in three languages"}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def environment(script=__file__):
    """Runs the script again where Playwright is installed."""
    folder = ROOT / ".build" / "console-check"
    python, mark = folder / "bin" / "python", folder / "installed"
    if not mark.exists() or mark.read_text() != " ".join(PACKAGES):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
        mark.write_text(" ".join(PACKAGES))
    os.execv(python, [str(python), script, "--installed", *sys.argv[1:]])


class Server:
    """The server, until `with` ends. `link` is what it wrote for the first owner."""

    def __init__(self, binary, folder, configuration=CONFIGURATION, options=(), environment={}):
        self.folder = folder
        config = pathlib.Path(folder, "landfall.yaml")
        config.write_text(configuration)
        command = [binary, "serve", "--config", str(config), "--data", folder + "/data", "--port", "0", "--drain", "0", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, env=os.environ | environment)
        self.errors = []
        threading.Thread(target=lambda: [self.errors.append(line) for line in self.process.stderr], daemon=True).start()
        line = self.process.stdout.readline()
        assert "listening on" in line, line + "".join(self.errors)
        self.base = line.split()[-1]
        end = time.monotonic() + 10
        while not any(line.startswith("console: ") for line in self.errors):
            assert time.monotonic() < end, "no link for the first owner: " + "".join(self.errors)
            time.sleep(0.05)
        self.link = next(line for line in self.errors if line.startswith("console: ")).split()[1]

    def call(self, path, body, number):
        """A call of a phone; its id."""
        return self.answer(path, body, number)[0]

    def answer(self, path, body, number):
        """The phone's id, and the lines of the answer."""
        install = f"0198f0c2-7b1a-7c3d-8e4f-{number:012d}"
        fields = {"Authorization": "Bearer pk_demo", "Landfall-Profile": f"{install}.{'A' * 43}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), fields, method="POST")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return install, [json.loads(line) for line in answer.read().splitlines() if line.strip()]

    def tap(self, path):
        """A tap in a phone's browser; the code that the link's page shows."""
        request = urllib.request.Request(self.base + path, headers={"Host": "links.example.com", "User-Agent": SAFARI})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return re.search(r'class="code"[^>]*>([^<]+)<', answer.read().decode())[1]

    def shown(self):
        """The title of the paywall that a phone gets."""
        _, lines = self.answer("/v1/first-open", first_open("onboarding", device={"platform": "ios"}), 4)
        return next(line["paywall"]["remoteConfig"]["value"]["title"] for line in lines if "paywall" in line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=str(ROOT / "Server/.build/release/landfall"))
    parser.add_argument("--only", nargs="+", metavar="PART", choices=PARTS, help="look at these alone; " + "; ".join(": ".join(part) for part in PARTS.items()))
    parser.add_argument("--json", action="store_true", help="one document on standard output: bytes, requests, looks of axe and its findings")
    parser.add_argument("--pictures", help="a folder for pictures of every page")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.installed:
        environment()
    started, problems, counts, sizes = time.monotonic(), [], {"axe": 0, "layouts": 0}, {}
    chromium = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if os.path.exists(path)), None)
    parts = options.only or list(PARTS)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        # They begin beside the flows, which use one core.
        jobs = [pool.submit(part, name, options.binary, chromium) for name in parts if name != "pages"]
        if "pages" in parts:
            pages(pool, options, chromium, problems, counts, sizes)
        for job in jobs:
            sentence, found, looks = job.result()
            print(sentence, file=sys.stderr)
            problems.extend(found)
            counts["axe"] += looks
    if options.json:
        print(json.dumps(figures(parts, sizes, counts, problems), indent=2))
    print(f"{', '.join(parts)}: {counts['axe']} looks of axe, {counts['layouts']} layouts, {len(problems)} problems, {time.monotonic() - started:.0f} s", file=sys.stderr)
    for problem in problems:
        print("✘", problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


def figures(parts, sizes, counts, problems):
    """What Benchmarks/figures keeps: the pages' bytes and requests with an empty cache, and what axe found."""
    kilobytes, requests = sorted(size / 1_000 for size, _ in sizes.values()), [number for _, number in sizes.values()]
    found = {"looks": counts["axe"], "layouts": counts["layouts"], "findings": sum("axe: " in problem for problem in problems)}
    if sizes:
        found |= {"pages": len(sizes), "kilobytesMost": round(kilobytes[-1], 1), "kilobytesMedian": round(kilobytes[len(kilobytes) // 2], 1)}
        found["requestsMost"] = max(requests)
    return {"parts": parts} | found


def pages(pool, options, chromium, problems, counts, sizes):
    """Flows of people, then every page in every layout."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, Server(options.binary, folder) as server:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            state = flows(browser, server, problems)
            shortcuts(browser, server, state, problems)
            browser.close()
        measure(pool, server.base, state, problems, counts, sizes, options.pictures, chromium)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            without_script(browser, server, state, problems)
            browser.close()


def part(name, binary, chromium):
    """Another part, a module of script/console: what it did, its problems, and its looks of axe."""
    return module(name).run(sys.modules[__name__], binary, chromium)


def module(name):
    """A module of script/console, also in a process of the pool."""
    sys.dont_write_bytecode = True
    if (folder := str(ROOT / "Tests/Acceptance/browser")) not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def watch(page, problems):
    page.on("console", lambda message: problems.append(f"console: {message.text}") if message.type == "error" and "status of 4" not in message.text else None)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))


def expect(problems, condition, what):
    if not condition:
        problems.append(what)


def look(page, problems, where):
    """What `measure` cannot open, because a form leads to it: axe in light and dark, and no overflow."""
    from axe_playwright_python.sync_playwright import Axe

    # The dark page has other colours and nothing else.
    for scheme, kind, values in (("dark", "rule", ["color-contrast"]), ("light", "tag", TAGS)):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"runOnly": {"type": kind, "values": values}}).response["violations"]
        problems.extend(f"axe: {where} {scheme}: {v['id']}: {v['nodes'][0]['html'][:120]}" for v in found)
    page.set_viewport_size({"width": 320, "height": 900})
    expect(problems, page.evaluate(FITS), f"overflow: {where} 320")
    page.set_viewport_size({"width": 1280, "height": 900})


def first_open(*placements, **fields):
    """What a phone that no advertisement brought asks."""
    return {"adToken": {"none": "noToken"}, "placements": [{"id": name} for name in placements], **fields}


def event(number, kind, **fields):
    return {"id": f"0198f0c3-7b1a-7c3d-8e4f-{number:012d}", "type": kind, "ageMilliseconds": 0, **fields}


def funnel(page, server):
    """The steps of the funnel and their numbers."""
    page.goto(server.base + "/console/reports/funnel")
    return {name: int(number) for name, number in (step.inner_text().split("\n") for step in page.locator(".funnel .step").all())}


def story(page, server, problems):
    """A tap of the new link, the first open that it leads to, and its paywall: rows, one more in each step, and why. The install's id."""
    before = funnel(page, server)
    page.goto(server.base + "/console/live")
    page.wait_for_selector("#live-state[data-state=on]")
    # A stream that is answered 503 at first comes back by itself; this page is not watched for errors.
    other = page.context.new_page()
    other.route("**/console/live/stream*", lambda route: route.fulfill(status=503), times=1)
    other.goto(server.base + "/console/live")
    other.wait_for_selector("#live-state[data-state=off]")
    code = server.tap("/autumn")
    other.wait_for_selector("#live-state[data-state=on]")
    other.wait_for_selector("#live [data-kind=tap]:has-text('links.example.com/autumn')")
    other.close()
    page.wait_for_selector("#live [data-kind=tap]:has-text('links.example.com/autumn')")
    install, lines = server.answer("/v1/first-open", first_open("onboarding", deferred={"token": code}), 3)
    led = next(line["deferred"] for line in lines if "deferred" in line)
    expect(problems, led.get("link", {}).get("resolved") == "https://example.com/autumn", f"the tap led to {led}")
    page.wait_for_selector("#live [data-kind=attribution]:has-text('link › autumn')")
    server.call("/v1/events", {"events": [event(1, "paywall_shown", placement="onboarding", paywall="default")]}, 3)
    page.wait_for_selector("#live [data-kind=exposure]:has-text('onboarding › default')")
    row = page.locator(f"#live [data-kind=firstOpen]:has-text('{install}')")
    row.locator("summary").click()
    row.locator("a").click()
    page.locator(".timeline [data-kind=exposure] summary").click()
    page.click(".timeline [data-kind=exposure] a[href*='/why']")
    expect(problems, page.locator(".why > li").count() >= 1 and "default" in page.inner_text("main"), "an exposure is not explained")
    after = funnel(page, server)
    more = {step: after[step] - before[step] for step in after if after[step] != before[step]}
    expect(problems, more == {"Clicks": 1, "First opens": 1, "Paywall shown": 1}, f"one person more in the funnel: {more}")
    return install


def people(page, server, install, problems):
    """Finds a person and forgets them."""
    page.goto(server.base + "/console/profiles")
    page.fill("[type=search]", install)
    page.keyboard.press("Enter")
    page.click(f"tbody a:has-text('{install}')")
    page.fill("#typed", install)
    page.click("#forget button")
    page.wait_for_selector("[role=alert]")
    look(page, problems, "a person who is not forgotten")
    page.fill("#typed", "i_" + install)
    page.click("#forget button")
    page.wait_for_selector("[role=status]")
    expect(problems, page.goto(server.base + "/console/profiles/i_" + install).status == 404, "a forgotten person has a page")


def arrive(server):
    """Four hundred people in two experiments. In the first, B does more of what counts; in the second, phones lost most exposures of A.
    What each variation has: people and conversions of the first, people of the second."""
    draw, day = random.Random(7), 86_400_000
    first, second = {"A": [0, 0], "B": [0, 0]}, {"A": 0, "B": 0}
    question = first_open("offer", "upsell", device={"platform": "ios"})
    for number in range(1_000, 1_400):
        _, lines = server.answer("/v1/first-open", question, number)
        told = {line["placement"]: line["assignment"] for line in lines if "assignment" in line}
        # The windows of the metrics are over, and the days are among the usual ones of the reports.
        offer, upsell, age, events = told["offer"], told["upsell"], draw.randrange(15, 27) * day, []

        def add(kind, later, **fields):
            events.append({**event(10 * number + len(events), kind, **fields), "ageMilliseconds": age - later})

        first[offer["variation"]][0] += 1
        add("paywall_decided", 0, placement="offer", paywall="default", assignment=offer)
        add("paywall_shown", 1_000, placement="offer", paywall="default", assignment=offer)
        if upsell["variation"] == "B" or draw.random() < 0.3:
            second[upsell["variation"]] += 1
            add("paywall_decided", 2_000, placement="upsell", paywall="default", assignment=upsell)
            add("paywall_shown", 3_000, placement="upsell", paywall="default", assignment=upsell)
        if draw.random() < {"A": 0.2, "B": 0.6}[offer["variation"]]:
            first[offer["variation"]][1] += 1
            add("trial_started", 5_000)
        if draw.random() < 0.5:
            add("song_saved", 6_000)
        server.call("/v1/events", {"events": events}, number)
    return first, second


def experiments(page, server, problems):
    """One experiment has a verdict, a picture with its table, and everybody who came. The other one has lost people: no verdict."""
    first, second = arrive(server)

    def cells(name):
        return [row.locator("td").all_inner_texts() for row in page.locator(f"section:has(> h2:text-is('{name}')) tbody tr").all()]

    page.goto(server.base + "/console/experiments/spring-price")
    rows = [(int(row[0]), int(row[1])) for row in cells("trial by variation")]
    expect(problems, rows == [tuple(first[arm]) for arm in "AB"], f"an experiment of {first} shows {rows}")
    expect(problems, cells("trial by variation")[1][-1] == "higher", "a variation with an effect is not higher")
    verdict = page.inner_text("section:has(> h2:text-is('Verdict'))")
    expect(problems, "B is higher on trial" in verdict, f"an experiment with an effect has the verdict {verdict}")
    health = cells("Health")
    expect(problems, health[0][0] == "OK" and f"{first['A'][0]} : {first['B'][0]}" in health[0][1], f"health is {health}")
    expect(problems, cells("Guardrails")[0][-1] in ("safe", "not decided"), f"a guardrail is {cells('Guardrails')}")
    picture = page.locator("main svg[role=img]")
    expect(problems, picture.count() == 1 and picture.locator(".band").count() == 1, "an experiment with people has no band")
    texts = [picture.locator(f"#{name}").text_content() for name in picture.get_attribute("aria-labelledby").split()]
    expect(problems, texts[0] == "B against A, day by day" and "the estimate is" in texts[1], f"the picture is called {texts}")
    page.locator("figure.chart summary").click()
    days = page.locator("figure.chart tbody tr td:first-of-type").all_inner_texts()
    all_units = str(sum(units for units, _ in first.values()))
    grows = days == sorted(days, key=int) and len(days) > 5
    expect(problems, grows and days[-1] == all_units, f"the table of the picture has {days}")
    file = list(csv.DictReader(io.StringIO(page.request.get(server.base + "/console/experiments/spring-price.csv").text())))
    filed = [(int(line["units"]), int(line["conversions"])) for line in file]
    expect(problems, filed == rows and file[1]["verdict"] == "higher", f"the file of an experiment has {filed}")

    page.goto(server.base + "/console/experiments/upsell-text")
    rows = [int(row[0]) for row in cells("trial by variation")]
    expect(problems, rows == [second[arm] for arm in "AB"], f"an experiment of {second} shows {rows}")
    expect(problems, cells("Health")[0][0] == "Failed", "half of a variation is lost, and health does not say so")
    words = {row[-1] for name in ("trial by variation", "Secondary metrics") for row in cells(name)} - {"–"}
    verdict = page.inner_text("section:has(> h2:text-is('Verdict'))")
    expect(problems, "No verdict" in verdict and words == {"suppressed"}, f"an experiment without its people has a verdict: {words}")


    # On a busy machine the days of four hundred people are not counted yet.
    for _ in range(90):
        counted = {row["key"]["placement"]: row["values"]["shown"] for row in json.loads(
            page.request.get(server.base + "/console/reports/paywalls.json?by=placement").text())["rows"]}
        if counted.get("offer") == int(all_units):
            break
        time.sleep(1)
    expect(problems, counted.get("offer") == int(all_units), f"the experiment has {all_units} people, the report of paywalls {counted}")


def publishing(page, server, problems):
    """Phones are to see another paywall: how many people that concerns is shown, it is published, and they see it."""
    page.goto(server.base + "/console/placements/onboarding")
    page.select_option("#audience", "phones")
    page.select_option("#shows", "paywall:half")
    page.click("button[value=add]")
    if page.locator("[data-move='1']").is_visible():
        page.locator("[data-move='1']").drag_to(page.locator("[data-move='0']"))
    else:
        page.click("button[value='up.1']")
    page.wait_for_selector("form tbody tr:first-child th:has-text('phones')")
    page.fill("[name=message]", "Half price for phones")
    page.click("form[action$='/draft/check'] .primary")
    concerned = page.locator("tr:has(th:text-is('onboarding')) td").first.inner_text()
    expect(problems, int(concerned) >= 400, f"another paywall for phones concerns {concerned} people")
    page.click("form[action$='/draft/publish'] .primary")
    page.wait_for_url(re.compile(r"/console/versions/\d+$"))
    expect(problems, "Half price for phones" in page.inner_text(".facts"), "a version does not say why")
    expect(problems, server.shown() == "Half", f"phones get {server.shown()}, not what was published")


def roll_back(page, server, problems):
    """The first version again."""
    page.goto(server.base + "/console/versions/1")
    page.click("form[action$='/rollback'] .primary")
    page.wait_for_url(re.compile(r"/console/versions/(?!1$)\d+$"))
    expect(problems, server.shown() == "Unlock", f"phones get {server.shown()}, not what was rolled back to")


def two_editors(context, server, problems):
    """Both began from one version. The second one is told, sees both sides, and publishes a text with both."""
    one, other = context.new_page(), context.new_page()
    for page, old, new in ((one, "title: Unlock,", "title: Open,"), (other, "campaign: summer ", "campaign: sommer ")):
        watch(page, problems)
        page.goto(server.base + "/console/versions/draft")
        page.fill("#text", page.input_value("#text").replace(old, new))
    one.click("form[action$='/draft/check'] .primary")
    look(one, problems, "a review")
    one.click("form[action$='/draft/publish'] .primary")
    one.wait_for_url(re.compile(r"/console/versions/\d+$"))
    with other.expect_navigation() as answer:
        other.click("form[action$='/draft/check'] .primary")
    expect(problems, answer.value.status == 409, f"the second of two editors gets {answer.value.status}")
    look(other, problems, "a conflict")
    together = other.input_value("#text")
    expect(problems, "title: Open," in together and "campaign: sommer " in together, "a conflict has no text with both changes")
    other.click("form[action$='/draft/check'] .primary")
    other.click("form[action$='/draft/publish'] .primary")
    other.wait_for_url(re.compile(r"/console/versions/\d+$"))
    text = other.request.get(other.url + ".yaml").text()
    expect(problems, "title: Open," in text and "campaign: sommer " in text, "the text of two editors is not published")
    expect(problems, server.shown() == "Open", f"phones get {server.shown()}, not the text of two editors")
    other.goto(server.base + "/console/versions/draft")
    other.fill("#text", "app: [")
    other.click("form[action$='/draft/check'] .primary")
    other.wait_for_selector("[role=alert]")
    look(other, problems, "a text that cannot be served")
    one.close()
    other.close()


def is_same(cell, value):
    """Whether a cell of a page shows the value of a file; shares and times are rounded. What is not known has no digits."""
    digits = re.sub(r"[^0-9.]", "", cell)
    if not digits or not value:
        return not digits and not value
    if "%" in cell:
        percent = float(value) * 100
        return abs(float(digits) - percent) <= (0.5 if percent >= 9.95 else 0.05) + 1e-6
    if cell.endswith(("s", "秒")):
        return abs(float(digits) - float(value) / 1_000) <= 0.005 + float(value) / 100_000
    return float(digits) == float(value)


def tables(page, server, problems):
    """The file of every report has the rows of its page, as a viewer sees them: in both, small groups are one row."""
    for report in ("campaigns", "links", "paywalls", "funnel", "retention", "campaigns?by=day&days=7", "paywalls?by=variation&sort=shown"):
        # A first open may be counted between the page and its file: then both are read again. What really differs does so each time.
        for _ in range(3):
            found = differences(page, server, report)
            if not found:
                break
            page.wait_for_timeout(2_000)
        problems += found


def differences(page, server, report):
    found = []
    page.goto(f"{server.base}/console/reports/{report}")
    table = page.locator("table:has(thead a[href*='sort='])")
    names = [re.search(r"[?&]sort=-?([^&]+)", link.get_attribute("href"))[1] for link in table.locator("thead a").all()]
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    file = page.locator(f"a[href*='/console/reports/{report.split('?')[0]}.csv']").get_attribute("href")
    lines = list(csv.DictReader(io.StringIO(page.request.get(server.base + file).text())))
    counts = [name for name in names if "." in name or name in NUMBERS]
    expect(found, 0 < len(rows) == len(lines), f"{report}: {len(rows)} rows on the page, {len(lines)} in its file")
    expect(found, any(int(line[counts[0]] or 0) > 0 for line in lines), f"{report} counts nothing: {lines[:2]}")
    for row, line in zip(rows, lines):
        wrong = [(name, cell, line[name]) for name, cell in zip(names, row) if name in counts and not is_same(cell, line[name])]
        expect(found, not wrong, f"{report}: the page and its file differ: {wrong[:3]}")
    return found


def flows(browser, server, problems):
    """Set-up, live, invitation, another role, signing out and in. Returns the owner's cookies."""
    setup = pathlib.Path(server.folder, "data", "console-setup")
    expect(problems, setup.read_text().strip() == server.link and setup.stat().st_mode & 0o777 == 0o600, "console-setup is wrong")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en")
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch(page, problems)
    page.goto(server.link)
    page.fill("[name=name]", "Maya")
    page.fill("[name=email]", "maya@example.com")
    page.fill("[name=password]", "short")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    expect(problems, page.input_value("[name=email]") == "maya@example.com", "a refused form forgets what was typed")
    look(page, problems, "a refused set-up")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console")
    expect(problems, not setup.exists(), "console-setup is still there")
    expect(problems, page.locator("[data-checklist] li.done").count() == 0, "a new server has done steps")
    page.wait_for_timeout(500)
    server.call("/v1/first-open", {}, 1)
    page.wait_for_selector("[data-step=firstOpen].done")
    expect(problems, page.locator("[data-step=keyUsed].done").count() == 1, "a first open came, and no key was used")
    state = page.locator("[data-step=firstOpen] .state")
    expect(problems, state.text_content() == state.get_attribute("data-done"), "a step that ticked itself still says that it is open")

    page.goto(server.base + "/console/live")
    page.wait_for_selector("#live-state[data-state=on]")
    begun = time.monotonic()
    install = server.call("/v1/first-open", {}, 2)
    page.wait_for_selector(f"#live li:has-text('{install}')")
    print(f"a first open was on the page after {(time.monotonic() - begun) * 1000:.0f} ms", file=sys.stderr)
    page.locator("#live summary").first.focus()
    page.keyboard.press("Enter")
    expect(problems, page.locator("#live li").first.locator("dl").is_visible(), "a row does not open by keyboard")
    expect(problems, page.locator("#live li").first.locator("a").get_attribute("href") == f"/console/profiles/{install}", "a row does not lead to its person")
    page.click("#pause")
    shown = page.locator("#live li").count()
    server.call("/v1/events", {"events": [{"id": "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "type": "paywall_shown", "ageMilliseconds": 0, "placement": "<b>onboarding", "paywall": "default"}]}, 2)
    page.wait_for_timeout(700)
    expect(problems, page.locator("#live li").count() == shown, "rows move while they are paused")
    page.click("#pause")
    page.wait_for_selector("#live li:has-text('<b>onboarding')")

    new_link(page, server, problems)
    install = story(page, server, problems)
    people(page, server, install, problems)
    links(page, server, problems)
    experiments(page, server, problems)
    publishing(page, server, problems)
    roll_back(page, server, problems)
    two_editors(context, server, problems)
    roll_back(page, server, problems)
    password_asked(context, server, problems)

    page.goto(server.base + "/console/settings/members")
    page.fill("[name=email]", "omar@example.com")
    page.check("[name=role][value=viewer]")
    page.click("button.primary")
    link = page.inner_text(".good code")
    guest = browser.new_context(locale="ja").new_page()
    guest.goto(link)
    expect(problems, guest.get_attribute("html", "lang") == "ja", "the browser's language is not taken")
    guest.fill("[name=name]", "大森")
    guest.fill("[name=password]", PASSWORD)
    guest.keyboard.press("Enter")
    guest.wait_for_url("**/console")
    answer = guest.goto(server.base + "/console/settings/audit")
    expect(problems, answer.status == 403, "a viewer reads the audit log")
    expect(problems, install not in guest.goto(server.base + "/console/live").text(), "a viewer sees installs")
    tables(guest, server, problems)
    guest.context.close()

    page.click(".wide .plain")
    page.wait_for_url("**/sign-in")
    page.goto(server.base + "/console/settings/audit")
    page.fill("[name=email]", "maya@example.com")
    page.fill("[name=password]", "a wrong password")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/audit")
    text = page.inner_text("table")
    expect(problems, all(word in text for word in ["Signed in", "Sign-in failed", "Invited", "Joined", "Created the owner"]), "the audit log lacks lines")
    state = context.storage_state()
    context.close()
    return state


def grow_old(server):
    """All sessions so far gave their password an hour ago."""
    with contextlib.closing(sqlite3.connect(pathlib.Path(server.folder, "data", "landfall.sqlite"), timeout=10)) as store, store:
        store.execute("UPDATE console_session SET proven_at_ms = proven_at_ms - 3600000")


def password_asked(context, server, problems):
    """A change of keys needs a password that was given lately: it is asked for in a new tab, and the form that was open is sent again.
    Then the same for a page that cannot be opened without: members."""
    grow_old(server)
    page = context.new_page()
    watch(page, problems)
    page.goto(server.base + "/console/versions/draft")
    page.fill("#text", page.input_value("#text").replace("keys: [", "keys: [ { sdk: pk_second },"))
    page.fill("[name=message]", "A second key")
    page.click("form[action$='/draft/check'] .primary")
    with page.expect_navigation() as answer:
        page.click("form[action$='/draft/publish'] .primary")
    expect(problems, answer.value.status == 403, f"keys are published without a recent password: {answer.value.status}")
    with context.expect_page() as opened:
        page.click("[role=alert] a[href^='/console/confirm']")
    confirm = opened.value
    watch(confirm, problems)
    confirm.fill("[name=password]", "a wrong password")
    confirm.keyboard.press("Enter")
    confirm.wait_for_selector("[role=alert]")
    confirm.fill("[name=password]", PASSWORD)
    confirm.keyboard.press("Enter")
    confirm.wait_for_url(lambda address: "/console/confirm" not in address)
    confirm.close()
    expect(problems, page.input_value("[name=message]") == "A second key", "the form that was refused has lost its message")
    with page.expect_navigation() as answer:
        page.click("form[action$='/draft/publish'] .primary")
    done = re.search(r"/console/versions/\d+$", page.url)
    expect(problems, done, f"after the password was confirmed, the open form is answered {answer.value.status}: {page.inner_text('h1')}")
    if done:
        expect(problems, "pk_second" in page.request.get(page.url + ".yaml").text(), "the second key is not in the new version")
        roll_back(page, server, problems)

    grow_old(server)
    page.goto(server.base + "/console/settings/members")
    expect(problems, "/console/confirm" in page.url, f"members are shown without a recent password: {page.url}")
    page.fill("[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/console/settings/members")
    page.fill("[name=email]", "later@example.com")
    page.check("[name=role][value=viewer]")
    page.click("form[action$='/invite'] .primary")
    expect(problems, page.locator(".good code").count() == 1, "after the password was confirmed, nobody can be invited")
    with page.expect_navigation() as answer:
        page.click("form[action$='/invitations/cancel'] button")
    expect(problems, answer.value.status == 200 and "later@example.com" not in page.inner_text("main"), "an invitation is not cancelled")
    page.close()


# Columns of reports that count something; those with a dot in the name do so too.
NUMBERS = {"firstOpens", "attributed", "unverified", "organic", "unknown", "reinstalls", "late", "shown", "exposures", "clicks", "uniqueClicks", "sentToStore", "size"}
# Texts of other languages are up to 40 % longer than English ones.
STRETCH = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const text = node.data.trim();
    if (text && !node.parentElement.closest("code, pre, script, svg, textarea")) node.data += " " + "lengthy ".repeat(Math.ceil(text.length * 0.4 / 8)).slice(0, Math.ceil(text.length * 0.4));
  }
}"""
FITS = "document.documentElement.scrollWidth <= innerWidth"
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


def new_link(page, server, problems):
    """A refused suffix, a link, and its page."""
    page.goto(server.base + "/console/links")
    page.click("a[href='/console/links/new']")
    page.fill("[name=to]", "https://example.com/autumn")
    page.fill("[name=suffix]", "beach")
    page.click("button.primary")
    page.wait_for_selector("#suffix-problem")
    look(page, problems, "a refused link")
    expect(problems, page.input_value("[name=to]") == "https://example.com/autumn", "a refused link forgets what was typed")
    page.fill("[name=suffix]", "autumn")
    page.fill("[name=campaign]", "autumn")
    page.click("details:has([name=ios]) > summary")
    page.fill("[name=ios]", "page")
    page.check("[name=code]")
    page.focus("[name=suffix]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".good")
    expect(problems, page.locator("svg.link-qr").count() == 1, "a link's page has no QR code")
    expect(problems, page.input_value("#address") == "https://links.example.com/autumn", "a link's page has another address")
    expect(problems, page.locator("[data-copy]").is_visible(), "an address cannot be copied")
    page.click("a[href^='/console/links/edit']")
    look(page, problems, "a link that is changed")
    expect(problems, page.input_value("[name=ios]") == "page" and page.is_checked("[name=code]"), "a link's form does not begin with the link")
    page.fill("[name=label]", "leaves")
    page.keyboard.press("Enter")
    page.wait_for_selector(".good:has-text('The link is changed')")
    expect(problems, "leaves" in page.inner_text(".link-facts"), "a changed link does not show its change")


def links(page, server, problems):
    """An import, and changes of many links at once."""
    page.goto(server.base + "/console/links/import")
    table = "url,to\nhttps://links.example.com/winter,https://example.com/winter\nhttps://links.example.com/beach,https://example.com/x\n"
    page.set_input_files("#file", {"name": "large.csv", "mimeType": "text/csv", "buffer": b"x" * (1024 * 1024 + 1)})
    page.wait_for_selector("#file-problem:has-text('larger than 1 MB')")
    expect(problems, page.input_value("#file") == "" and page.input_value("[name=text]") == "", "a file that is too large is taken")
    page.set_input_files("#file", {"name": "links.csv", "mimeType": "text/csv", "buffer": table.encode()})
    # Not by a function in the page: the policy of the console lets nothing evaluate text, also no test that asks twice.
    until = time.monotonic() + 10
    while "winter" not in page.input_value("#text") and time.monotonic() < until:
        page.wait_for_timeout(50)
    expect(problems, page.input_value("[name=text]") == table, "a file does not come into the field of an import")
    expect(problems, not page.is_visible("#file-problem"), "a file that fits is called too large")
    page.click("button[value=check]")
    look(page, problems, "an import before it is made")
    page.click("button[value=apply]")
    page.wait_for_selector("h2:has-text('The import is done')")
    expect(problems, page.locator("a[href='/console/links']").count() > 0, "an import does not lead to the links")
    page.goto(server.base + "/console/links")
    expect(problems, page.locator("[name^=link]").count() == 2, "a stored link cannot be chosen, or one of the file can")
    page.check("[data-all]")
    page.click("button[value=archive]")
    page.click("button[value=apply]")
    page.wait_for_selector("h2:has-text('The change is done')")
    page.click("main a[href='/console/links']")
    expect(problems, page.locator("tr:has-text('winter') .badge:has-text('Expired')").count() == 1, "an archived link is not shown as expired")
    page.check("[name=link1]")
    page.click("button[value=relabel]")
    page.fill("[name=campaign]", "frost")
    page.keyboard.press("Enter")
    page.click("button[value=apply]")
    page.goto(server.base + "/console/links?campaign=frost")
    expect(problems, page.locator("tbody tr").count() == 1, "a relabelled link is not found by its label")


def measure(pool, base, state, problems, counts, sizes, pictures, chromium):
    """Every page in every layout, in two browsers at once."""
    layouts = [(s, w, l) for s in ("light", "dark") for w in (320, 768, 1280) for l in ("en", "ja", "zh-Hans") if s == "light" or (l == "en" and w != 768)]
    # Those with axe take longest: they begin.
    layouts.sort(key=lambda layout: layout[2] != "en" or layout[1] == 768)
    for job in [pool.submit(measured, base, state, pictures, chromium, *layout) for layout in layouts]:
        found, axe, looked, taken = job.result()
        problems.extend(found)
        sizes |= taken
        counts["axe"] += axe
        counts["layouts"] += looked


def measured(base, state, pictures, chromium, scheme, width, language):
    """Every page in one layout: the problems, the looks of axe, the layouts, and bytes and requests of pages where they are measured."""
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    wording = module("wording")
    axe, problems, looks, layouts, sizes = Axe(), [], 0, 0, {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for pages, storage in ((PAGES, state), (OUTSIDE, None)):
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, locale=language, storage_state=storage)
            page = context.new_page()
            watch(page, problems)
            for path in pages:
                answer = page.goto(base + path)
                where = f"{path} {scheme} {width} {language}"
                layouts += 1
                expect(problems, answer.status == 200 or "/confirm" in path or "token=x" in path, f"status {answer.status}: {where}")
                expect(problems, page.url == base + path or "/confirm" in path, f"another page, {page.url}: {where}")
                expect(problems, page.evaluate(FITS), f"overflow: {where}")
                expect(problems, page.get_attribute("html", "lang") == language, f"another language: {where}")
                if language == "en" and width != 768:
                    looks += 1
                    found = axe.run(page, options={"runOnly": {"type": "tag", "values": TAGS}}).response["violations"]
                    problems.extend(f"axe: {where}: {v['id']}: {v['nodes'][0]['html'][:120]}" for v in found)
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
                    expect(problems, page.evaluate(FITS), f"overflow with longer texts: {where}")
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


def shortcuts(browser, server, state, problems):
    """`?`, `Esc`, `g` and a letter; none of them in a field, and none where they are switched off."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en", storage_state=state)
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch(page, problems)
    page.goto(server.base + "/console/account")
    dialog = page.locator("#shortcuts")
    page.keyboard.press("?")
    expect(problems, dialog.is_visible() and "Live" in dialog.inner_text(), "? does not open the list of shortcuts")
    page.keyboard.press("Escape")
    expect(problems, not dialog.is_visible(), "Esc does not close the list of shortcuts")
    page.focus("[name=current]")
    page.keyboard.type("gl?/")
    expect(problems, page.input_value("[name=current]") == "gl?/" and not dialog.is_visible(), "a shortcut works in a field")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/console/live")
    page.keyboard.press("/")
    page.wait_for_url("**/console/profiles")
    page.goto(server.base + "/console/account")
    with page.expect_navigation():
        page.click("form[action$='/shortcuts'] button")
    page.keyboard.press("?")
    expect(problems, page.locator("#shortcuts").count() == 0, "shortcuts cannot be switched off")
    with page.expect_navigation():
        page.click("form[action$='/shortcuts'] button")
    expect(problems, page.locator("#shortcuts").count() == 1, "shortcuts cannot be switched on again")
    context.close()


def without_script(browser, server, state, problems):
    context = browser.new_context(storage_state=state, java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(server.base + "/console/live")
    expect(problems, page.locator("#live li").count() > 1, "no rows without script")
    publishing(page, server, problems)
    roll_back(page, server, problems)
    page.goto(server.base + "/console/audiences/spring")
    page.fill("[name='value.0']", "AT")
    page.click("button[value=rows]")
    added, removed = page.locator("pre.diff ins").all_inner_texts(), page.locator("pre.diff del").count()
    expect(problems, len(added) == removed == 1 and "country: { is: AT }" in added[0], f"a changed condition changes other lines: {added[:4]}")
    page.goto(server.base + "/console/account")
    page.fill("[name=current]", PASSWORD)
    page.fill("[name=password]", "seven black rooks at dawn")
    page.click(".narrow .primary")
    expect(problems, page.locator(".good").count() == 1, "the password does not change without script")
    context.close()


if __name__ == "__main__":
    main()
