# SPDX-License-Identifier: Apache-2.0
"""The lists of planted errors beside this file: how they are read, what has to be true of them, and how they are put into a copy of the tree.

A list has entries like this one. A value that goes on has its other lines behind '|'.

    [rules.link-expiry]
    what:  a link still leads somewhere at the very instant of its end
    file:  Server/Sources/LandfallRules/Links/StoredLink.swift
    from:  $0 <= nowMs
    to:    $0 < nowMs
    tests: LandfallServerTests.LinkTimesTests

'from' occurs once in the file; with 'in', a text that occurs once in the file, 'from' occurs once in that. 'form' says what stands there:

    expression  an expression; 'to' is another one of its type (this is usual)
    statement   statements; 'to' are others
    left out    statements that do not run; there is no 'to'
    text        a part of a literal; 'to' is another part

'worlds' are options of landfall-virtual that find it too. 'survives' is the reason why nothing can find it."""
import dataclasses, pathlib, re

LISTS = ("sdk", "rules", "server", "purchases", "reports", "results", "sqlite", "postgres")
FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
FORMS = ("expression", "statement", "left out", "text")
FIELDS = ("what", "file", "in", "from", "to", "form", "tests", "worlds", "survives")
# In each module that has one: the only code that the copy has and the tree has not.
# It imports nothing: what a file imports can change where the module's other files find the types of C.
GUARD = """// SPDX-License-Identifier: Apache-2.0

@_silgen_name("getenv")
private func environment(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar>?

private let planted = environment("LANDFALL_MUTANT").map { String(cString: $0) } ?? ""

/// True if this error is chosen.
func mutant(_ id: StaticString) -> Bool { id.withUTF8Buffer { planted.utf8.elementsEqual($0) } }
"""


class Wrong(Exception):
    """A list is wrong. Its text has a line for each mistake."""


@dataclasses.dataclass
class Mutant:
    id: str
    place: str
    values: dict

    def __getattr__(self, name):
        return self.values.get(name.rstrip("_").replace("_", " "), "")

    @property
    def form(self):
        return self.values.get("form", "expression")

    @property
    def tests(self):
        return self.values.get("tests", "").split()

    @property
    def module(self):
        """The folder of the module that has the file."""
        parts = pathlib.PurePosixPath(self.file).parts
        return "/".join(parts[:parts.index("Sources") + 2])

    @property
    def guarded(self):
        old, new = self.from_, self.to
        return {
            "expression": f'(mutant("{self.id}") ? {new} : {old})',
            "statement": f'if mutant("{self.id}") {{ {new} }} else {{ {old} }}',
            "left out": f'if !mutant("{self.id}") {{ {old} }}',
            "text": f'\\(mutant("{self.id}") ? "{new}" : "{old}")',
        }[self.form]

    def span(self, text):
        """Where it stands in the file. Raises ValueError with what is wrong."""
        begin, end = 0, len(text)
        for name, value in (("in", self.values.get("in")), ("from", self.from_)):
            if value is None:
                continue
            count = text.count(value, begin, end)
            if count != 1:
                raise ValueError(f"'{name}' occurs {count} times in {self.file}, not once: {value.splitlines()[0] if value else ''}")
            begin = text.index(value, begin, end)
            end = begin + len(value)
        return begin, end


def read(folder=FOLDER):
    """All of them, in the order of the lists."""
    mutants, mistakes, seen = [], [], set()
    for name in LISTS:
        current, field = None, None
        for number, line in enumerate((folder / f"{name}.txt").read_text().splitlines(), 1):
            place = f"Tests/Mutants/{name}.txt:{number}"
            if head := re.fullmatch(r"\[([a-z0-9]+\.[a-z0-9-]+)\]", line):
                current, field = Mutant(head[1], place, {}), None
                if not head[1].startswith(f"{name}.") or head[1] in seen:
                    mistakes.append(f"{place}: '{head[1]}' begins with another name than '{name}.', or is there twice")
                seen.add(head[1])
                mutants.append(current)
            elif (rest := re.fullmatch(r" *\|(.*)", line)) and field:
                current.values[field] += "\n" + rest[1]
            elif (pair := re.fullmatch(r"([a-z]+): *(.*)", line)) and current and pair[1] in FIELDS and pair[1] not in current.values:
                field = pair[1]
                current.values[field] = pair[2]
            elif line and not line.startswith("#"):
                mistakes.append(f"{place}: not a field of an error: {line}")
    if mistakes:
        raise Wrong("\n".join(mistakes))
    return mutants


def mistakes(mutants, root=ROOT):
    """What is wrong with them, a line each: the gate shows it."""
    found, spans, texts, suites = [], {}, {}, {}
    for mutant in mutants:
        def wrong(sentence):
            found.append(f"{mutant.place}: {mutant.id}: {sentence}")
        for field in ("what", "file", "from"):
            if not mutant.values.get(field):
                wrong(f"'{field}' is missing")
        if mutant.form not in FORMS:
            wrong(f"'form' is none of {', '.join(FORMS)}: {mutant.form}")
        if (mutant.form == "left out") == bool(mutant.to):
            wrong("'to' is missing" if mutant.form != "left out" else "what is left out has no 'to'")
        if not mutant.tests and not mutant.survives:
            wrong("it names no tests, and no reason why nothing can find it")
        if "survives" in mutant.values and len(mutant.survives.split()) < 5:
            wrong("'survives' is no reason; write a sentence")
        for name in mutant.tests:
            if name not in suites:
                suites[name] = has_suite(name, root, texts)
            if not suites[name]:
                wrong(f"there are no tests with the name {name} (a module, a dot, a suite)")
        file = root / mutant.file
        if not mutant.file or not file.is_file() or "Sources" not in file.parts:
            wrong(f"there is no such file: {mutant.file}")
            continue
        text = texts.setdefault(file, file.read_text())
        try:
            spans.setdefault(mutant.file, []).append((*mutant.span(text), mutant.id))
        except ValueError as error:
            wrong(str(error))
    for file, places in spans.items():
        places.sort()
        for (_, end, one), (begin, _, other) in zip(places, places[1:]):
            if begin < end:
                found.append(f"{file}: {one} and {other} are at the same place")
    return found


def has_suite(name, root, texts):
    """Whether a file of the module declares the suite, and has tests."""
    module, _, suite = name.partition(".")
    files = texts.get(module)
    if files is None:
        files = texts[module] = [file for folder in (root / "Tests" / module, root / "Server/Tests" / module) for file in folder.rglob("*.swift")]
    # A suite is usually alone in a file of its name.
    for file in sorted(files, key=lambda file: file.stem != suite):
        text = texts.get(file) or texts.setdefault(file, file.read_text())
        if "@Test" in text and re.search(rf"\b(?:struct|class|actor) {suite}\b", text):
            return True
    return False


def applied(mutants, root=ROOT):
    """The files of the copy that differ from the tree: name and text."""
    files = {}
    for mutant in mutants:
        files.setdefault(mutant.file, []).append(mutant)
    changed = {f"{mutant.module}/Mutants.swift": GUARD for mutant in mutants}
    for name, own in files.items():
        text = (root / name).read_text()
        for (begin, end), mutant in sorted(((mutant.span(text), mutant) for mutant in own), key=lambda pair: pair[0], reverse=True):
            text = text[:begin] + mutant.guarded + text[end:]
        changed[name] = text
    return changed
