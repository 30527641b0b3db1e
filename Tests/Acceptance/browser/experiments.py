# SPDX-License-Identifier: Apache-2.0
"""Experiments of four hundred people, as the console judges them."""
import csv, io, json, random, time

from browser.chromium import comes, expect
from browser.console_server import event, first_open


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
        rows = page.locator(f"section:has(> h2:text-is('{name}')) tbody tr, details:has(> summary:text-is('{name}')) > .scroll tbody tr")
        return [row.locator("td").all_inner_texts() for row in rows.all()]

    def opened(name):
        page.goto(server.base + "/console/experiments/" + name)
        headings = page.locator("main h2").all_inner_texts()
        expect(problems, headings[0] == "Verdict" and headings.index("All numbers") < headings.index("Health"), f"{name} has the order {headings}")
        page.eval_on_selector_all("main details", "all => all.forEach(one => { one.open = true; })")

    opened("spring-price")
    rows = [(int(row[0]), int(row[1])) for row in cells("trial by variation")]
    expect(problems, rows == [tuple(first[arm]) for arm in "AB"], f"an experiment of {first} shows {rows}")
    expect(problems, cells("trial by variation")[1][-1] == "higher", "a variation with an effect is not higher")
    verdict = page.inner_text("section:has(> h2:text-is('Verdict'))")
    expect(problems, "B is higher on trial" in verdict, f"an experiment with an effect has the verdict {verdict}")
    expect(problems, "Show everyone B" in verdict and "B against A" in verdict, f"the verdict does not say what to do: {verdict}")
    health = cells("Health")
    expect(problems, health[0][0] == "OK" and f"{first['A'][0]} : {first['B'][0]}" in health[0][1], f"health is {health}")
    expect(problems, cells("Guardrails")[0][-1] in ("safe", "not decided"), f"a guardrail is {cells('Guardrails')}")
    picture = page.locator("main svg[role=img]")
    expect(problems, picture.count() == 1 and picture.locator(".band").count() == 1, "an experiment with people has no band")
    texts = [picture.locator(f"#{name}").text_content() for name in picture.get_attribute("aria-labelledby").split()]
    expect(problems, texts[0] == "B against A, day by day" and "the estimate is" in texts[1], f"the picture is called {texts}")
    days = page.locator("figure.chart tbody tr td:first-of-type").all_inner_texts()
    all_units = str(sum(units for units, _ in first.values()))
    grows = days == sorted(days, key=int) and len(days) > 5
    expect(problems, grows and days[-1] == all_units, f"the table of the picture has {days}")
    file = list(csv.DictReader(io.StringIO(page.request.get(server.base + "/console/experiments/spring-price.csv").text())))
    filed = [(int(line["units"]), int(line["conversions"])) for line in file]
    expect(problems, filed == rows and file[1]["verdict"] == "higher", f"the file of an experiment has {filed}")

    opened("upsell-text")
    rows = [int(row[0]) for row in cells("trial by variation")]
    expect(problems, rows == [second[arm] for arm in "AB"], f"an experiment of {second} shows {rows}")
    expect(problems, cells("Health")[0][0] == "Failed", "half of a variation is lost, and health does not say so")
    words = {row[-1] for name in ("trial by variation", "Secondary metrics") for row in cells(name)} - {"–"}
    verdict = page.inner_text("section:has(> h2:text-is('Verdict'))")
    expect(problems, "Decide nothing" in verdict and "B against A" not in verdict, f"an experiment without its people says what to do: {verdict}")
    expect(problems, "No verdict" in verdict and words == {"suppressed"}, f"an experiment without its people has a verdict: {words}")

    # On a busy machine the days of four hundred people are not counted yet.
    for _ in range(90):
        counted = {row["key"]["placement"]: row["values"]["shown"] for row in json.loads(
            page.request.get(server.base + "/console/reports/paywalls.json?by=placement").text())["rows"]}
        if counted.get("offer") == int(all_units):
            break
        time.sleep(1)
    expect(problems, counted.get("offer") == int(all_units), f"the experiment has {all_units} people, the report of paywalls {counted}")
    plan(page, server, problems, all_units, sum(conversions for _, conversions in first.values()))


def plan(page, server, problems, units, converted):
    """A new experiment is planned by what this app counted, at once where its script runs; numbers that are written go first."""
    page.goto(server.base + "/console/new/experiment")
    page.fill("[name=question]", "Do more people start at half the price?")
    said = page.locator("#plan")
    # Plans read computed days alone: a new server computes its first ones about a minute after its start.
    for _ in range(90):
        page.select_option("[name=placement]", "onboarding")
        page.select_option("[name=placement]", "offer")
        page.wait_for_timeout(1_000)
        if f"{units} units, {converted} of them with trial" in said.inner_text():
            break
    else:
        problems.append(f"an experiment is not planned by {units} units: {said.inner_text()}")
    page.eval_on_selector("details:has([name=rate])", "one => { one.open = true; }")
    page.fill("[name=rate]", "3")
    page.fill("[name=perDay]", "1200")
    page.select_option("[name=placement]", "onboarding")
    comes(page, problems, lambda: "from 3.00 % to 3.30 %" in said.inner_text() and "At 1,200 units a day" in said.inner_text(), "written numbers are not computed")
