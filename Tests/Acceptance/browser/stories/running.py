# SPDX-License-Identifier: Apache-2.0
"""Acts the stories out, holds what they take to its limits, and writes the table of docs/features/console.md."""
import re, sys

from browser.chromium import expect
from browser.counting import Person
from browser.stories import audiences, experiments, links, paywalls, people, reports, versions
from browser.stories.telling import STORIES
from server import ROOT

# The order of the table, and in which they are acted out.
ORDER = [module.__name__ for module in (links, audiences, paywalls, experiments, reports, people, versions)]
STORIES.sort(key=lambda story: ORDER.index(story.act.__module__))
PAGE = ROOT / "docs/features/console.md"
TABLE = re.compile(r"(?<=<!-- stories: script/check console --only stories --write -->\n).*?(?=<!-- end of the stories -->)", re.DOTALL)


class Stories:
    """The stories at one server. `tell` acts some of them out: each has to take as much as is written of it, so that the table is true."""

    def __init__(self, server, problems):
        self.server, self.problems = server, problems

    def tell(self, context, parts, has_script=True):
        """Those of the modules of this folder."""
        person = Person(context, self.problems, self.server.base, has_script)
        for story in STORIES:
            limits = story.takes if has_script else story.plain
            if limits is None or story.act.__module__.rpartition(".")[2] not in parts:
                continue
            person.begin(story.name, story.place)
            try:
                story.act(person, self.server)
            except Exception as error:
                self.problems.append(f"{story.name}: {str(error).splitlines()[0]}")
                continue
            count = person.end()
            print(f"{story.name}{'' if has_script else ', without script'}: {count}", file=sys.stderr)
            took = (count.clicks, count.keys, count.pages)
            expect(self.problems, took == limits, f"{story.name} takes {took} clicks, keystrokes and pages, and {limits} is written of it")
        person.page.close()

    def check_table(self, is_written):
        """The table of the page is that of the stories; `is_written` makes it so."""
        text, table = PAGE.read_text(), self.table()
        if is_written:
            PAGE.write_text(TABLE.sub(lambda _: table, text))
        else:
            found = TABLE.search(text)
            expect(self.problems, found and found[0] == table, f"{PAGE.name} has other counts of the stories: script/check console --only stories --write")

    def table(self):
        lines = ["", "| story | clicks | keystrokes | pages | without script |", "|---|---|---|---|---|"]
        for story in STORIES:
            plain = ", ".join(map(str, story.plain)) if story.plain else "–"
            lines.append("| " + " | ".join([story.name, *map(str, story.takes), plain]) + " |")
        return "\n".join([*lines, "", ""])
