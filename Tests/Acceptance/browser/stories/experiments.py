# SPDX-License-Identifier: Apache-2.0
"""An experiment from the question on, and the verdict of another one."""
import csv, io

from browser.console_server import first_open
from browser.stories.telling import story


@story("An experiment, from the question to the start", "/console/experiments", (4, 29, 4))
def start(person, server):
    person.go("a[href='/console/new/experiment']")
    person.has_focus("question")
    person.type("Does half price bring trials?")
    person.go("button[value=create]")
    person.go("form[action$='/draft/check'] .primary")
    person.go("form[action$='/draft/publish'] .primary")
    text = person.version()
    person.expect("does-half-price-bring-trials" in text, f"the version has no such experiment: {text[-400:]}")
    _, lines = server.answer("/v1/first-open", first_open("onboarding", device={"platform": "ios"}), 4)
    drawn = [line["assignment"]["experiment"] for line in lines if "assignment" in line]
    person.expect(drawn == ["does-half-price-bring-trials"], f"a phone takes part in {drawn}")


@story("The verdict of an experiment, and what to do", "/console", (2, 0, 2))
def verdict(person, server):
    person.go(".wide a[href='/console/experiments']")
    person.go("main a[href='/console/experiments/spring-price']")
    section = person.page.locator("section:has(> h2:text-is('Verdict'))")
    said, box = section.inner_text(), section.bounding_box()
    rows = list(csv.DictReader(io.StringIO(person.file("/console/experiments/spring-price.csv").text())))
    higher = [row["variation"] for row in rows if row["verdict"] == "higher"]
    person.expect(higher[:1] == ["B"] and "B is higher on trial" in said and "Show everyone B" in said, f"{said} is said of {rows}")
    person.expect(box["y"] + box["height"] <= person.page.viewport_size["height"], f"the verdict ends at {box}")
