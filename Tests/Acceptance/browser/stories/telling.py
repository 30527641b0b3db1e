# SPDX-License-Identifier: Apache-2.0
"""The stories: each is a function that a person acts out, with the most that it may take."""
import dataclasses, typing

STORIES = []


@dataclasses.dataclass
class Story:
    name: str
    # Where it begins; None goes on where the story before ended.
    place: typing.Optional[str]
    # The most clicks, keystrokes and pages.
    most: tuple
    # The same without script; None where it needs one.
    plain: typing.Optional[tuple]
    act: typing.Callable


def story(name, place, most, plain=None):
    """Adds a story to the list, in the order of the sources."""
    def add(act):
        STORIES.append(Story(name, place, most, plain, act))
        return act
    return add
