# SPDX-License-Identifier: Apache-2.0
"""The way back to an older version."""
from browser.stories.telling import story


@story("Everything back to an older version, with the reason", "/console", (2, 11, 3), (3, 9, 3))
def rollback(person, server):
    if person.has_script:
        person.press("g")
        with person.page.expect_navigation():
            person.press("v")
    else:
        person.go(".wide a[href='/console/versions']")
    person.go("main a[href='/console/versions/1']")
    person.write("form[action$='/rollback'] [name=message]", "Too much")
    person.enter()
    person.expect(person.version() == person.file("/console/versions/1.yaml").text(), "the version has another text")
    person.expect(server.shown() == "Unlock", f"phones get {server.shown()}")
