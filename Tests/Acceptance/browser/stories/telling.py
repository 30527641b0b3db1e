# SPDX-License-Identifier: Apache-2.0
"""The stories: each is a function that a person acts out, with what that takes."""
import dataclasses, typing

STORIES = []


@dataclasses.dataclass
class Story:
    name: str
    # Where it begins; None goes on where the story before ended.
    place: typing.Optional[str]
    # Clicks, keystrokes and pages.
    takes: tuple
    # The same without script; None where it needs one.
    plain: typing.Optional[tuple]
    act: typing.Callable


def story(name, place, takes, plain=None):
    """Adds a story to the list, in the order of the sources."""
    def add(act):
        STORIES.append(Story(name, place, takes, plain, act))
        return act
    return add
