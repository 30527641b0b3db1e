# SPDX-License-Identifier: Apache-2.0
"""Type-checks every ```swift block of the pages as apps compile it: in Swift 5 and 6 mode, each with and without the main actor as default
isolation. `script/check docs` calls it.

Each block becomes a file. A block with declarations at its margin is a file's text; any other is the body of an asynchronous function.
Comments in front of a block, which are invisible in the shown page, say what stands around it in an app:
<!-- within: HEADER -->              the block stands inside HEADER { … }, such as a class
<!-- given: CODE -->                 stands in front of the block, in the same braces
<!-- continues -->                   the block continues the file of the page's block before
<!-- not compiled: REASON -->        the block is no Swift of an app: a line of Package.swift …

A block without an import has those of an app. What each app has (a client, its views) is in App.swift beside this file. Needs a debug build of the SDK, and of Migration for its pages.
"""
import concurrent.futures, pathlib, re, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WAYS = [(mode, isolation) for mode in ("5", "6") for isolation in ("nonisolated", "MainActor")]
DECLARATION = re.compile(r"(?:@\w+(?:\(.*\))? )*((?:nonisolated |final |private )*(?:struct|class|enum|actor|protocol|extension|func|let|var)\b)")
TYPE_OR_FUNCTION = re.compile(r"^(?:@\w+(?:\(.*\))? )*(?:nonisolated |final )*(?:struct|class|enum|actor|protocol|extension|func)\b", re.MULTILINE)
GLOBALS = re.compile(r"\A(?:(?:import |nonisolated |let |var |[\s})]|//).*(?:\n|\Z)|\n)*\Z")
CLIENT = re.compile(r"(nonisolated )?fileprivate let landfall\b|fileprivate (nonisolated )?let landfall\b")
VENDORS = re.compile(r"\b(Adapty|Adjust|ADJ[A-Z]\w+)")
IMPORTS = ["Foundation", "LandfallApple", "SwiftUI", "UIKit"]
HARMLESS = re.compile(r"never (used|mutated|read)|unused|no calls to throwing|no 'async' operations")  # a block shows a part of a function


class File:
    def __init__(self, block):
        self.places, self.lines = [], []
        self.needs_vendors = False
        imports = re.findall(r"^import (\w+)", block.text, re.MULTILINE)
        has_declarations = TYPE_OR_FUNCTION.search(block.text) or (imports and GLOBALS.match(block.text) and "await " not in block.text)
        self.is_whole = bool(has_declarations) and not block.values("within")
        added = [] if imports and not block.values("within") else IMPORTS
        if VENDORS.search(block.text) and not VENDORS.search(" ".join(imports)):
            added = added + ["Adapty", "Adjust"]
        self.add([f"import {name}" for name in dict.fromkeys(imports + added + ["App"])])

    def add(self, lines, block=None):
        for number, line in enumerate(lines, 1):
            self.lines.append(line)
            self.places.append(f"{block.page}:{block.line + number}" if block else None)

    def close(self):
        if not self.is_whole:
            self.add(["}"])
        elif any(CLIENT.match(line) for line in self.lines):
            self.add(["nonisolated func elsewhere%d() { landfall.start() }" % id(self)])  # An app uses its client everywhere.
        opened = "\n".join(self.lines)
        self.add(["}"] * (opened.count("{") - opened.count("}")))


def files(listed):
    """A file for each block; `fileprivate` lets the same name stand in many."""
    made = []
    for block in listed:
        if block.values("not compiled"):
            continue
        if not block.values("continues"):
            file = File(block)
            made.append(file)
            if not file.is_whole:
                file.add([(block.values("within") or ["fileprivate func page() async throws"])[0] + " {"])
            file.add(block.values("given"))
        file.needs_vendors |= bool(VENDORS.search(block.text))
        lines = []
        for line in block.text.splitlines():
            line = line.replace("targetEnvironment(simulator)", "DEBUG")
            line = "" if line.startswith(("import ", "@main")) else line
            if file.is_whole:
                if match := DECLARATION.match(line):
                    line = line[: match.start(1)] + "fileprivate " + line[match.start(1):]
            lines.append(line)
        file.add(lines, block)
    for file in made:
        file.close()
    return made


def modules(package):
    return ROOT / package / ".build/debug/Modules"


def compiled(folder, sources, mode, isolation, packages, more=()):
    command = ["swiftc", "-parse-as-library", "-wmo", "-swift-version", mode, "-default-isolation", isolation, "-D", "DEBUG", "-I", folder]
    for package in packages:
        command += ["-I", modules(package)]
    for plugins in sorted(pathlib.Path(subprocess.check_output(["which", "swiftc"], text=True).strip()).resolve().parent.parent.glob("lib/swift/host/plugins*")):
        command += ["-plugin-path", plugins]
    done = subprocess.run([*command, *(more or ["-typecheck"]), *sources], capture_output=True, text=True, cwd=folder)
    return done.stderr


def checked(folder, made, packages, mode, isolation):
    """A sentence for each error and each warning, with the line of the page."""
    names = [f"Block{number}.swift" for number in range(len(made))]
    found, output = [], compiled(folder, names, mode, isolation, packages)
    for name, line, kind, text in re.findall(r"^\S*?(\w+\.swift):(\d+):\d+: (error|warning): (.*)$", output, re.MULTILINE):
        if kind == "warning" and HARMLESS.search(text):
            continue
        file = made[names.index(name)] if name in names else None
        place = (file.places[int(line) - 1] or next(p for p in file.places if p)) if file else name
        found.append((place, text))
    if not found and " error: " in output:
        found.append(("", output.strip()))
    return found


def check(listed):
    """Returns the number of files and a sentence for each problem."""
    made = files([block for block in listed if block.language == "swift"])
    problems = []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = []
        for packages in (["."], ["Migration", "."]):
            mine = [file for file in made if file.needs_vendors == (len(packages) == 2)]
            if missing := [package for package in packages if not modules(package).exists()]:
                problems.append(f"The Swift blocks need a debug build. Run script/build {missing[0]}.")
                continue
            folder = pathlib.Path(work, packages[0].strip(".") or "SDK")
            folder.mkdir()
            for number, file in enumerate(mine):
                (folder / f"Block{number}.swift").write_text("\n".join(file.lines) + "\n")
            app = compiled(folder, [HERE / "App.swift"], "6", "nonisolated", packages, ["-emit-module", "-module-name", "App"])
            if " error: " in app:
                problems.append(app)
                continue
            runs += [(f"Swift {way[0]} {way[1]}", pool.submit(checked, folder, mine, packages, *way)) for way in WAYS]
        ways = {}
        for way, run in runs:
            for found in run.result():
                ways.setdefault(found, []).append(way)
    return len(made), problems + [f"{place}: {text} ({', '.join(dict.fromkeys(found))})" for (place, text), found in ways.items()]
