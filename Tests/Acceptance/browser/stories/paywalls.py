# SPDX-License-Identifier: Apache-2.0
"""A paywall's text in another language."""
from browser.stories.audiences import TEAM_PHONE, asked
from browser.stories.telling import story


@story("A text that a paywall lacks in Japanese", "/console/paywalls", (4, 11, 4))
def japanese(person, server):
    person.go("main a[href='/console/paywalls/half']")
    person.click("[name='value.0.1']")
    person.paste("半額")
    person.enter()
    person.publish("Japanese")
    person.expect(asked(server, TEAM_PHONE, "ja-JP") == "半額", f"a Japanese phone gets {asked(server, TEAM_PHONE, 'ja-JP')}")
