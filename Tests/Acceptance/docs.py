#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the instructions of the pages: every ```sh block of README and docs runs here, page by page, in a copy of the tree.

    script/check docs [PAGE …]          all pages, or these
    script/check docs --swift           only the ```swift blocks, which need no release build

Comments in front of a block, which are invisible in the shown page, control this:
<!-- not run: REASON -->                the block is shown only: it needs a phone, a network, hours …
<!-- first: COMMAND -->                 runs before the block, in the same shell
<!-- in an empty folder -->             the page needs no file of the tree, so that none is copied for it
<!-- beside writes -->                  the page's server takes writes while the block runs
<!-- then: COMMAND -->                  runs after the block and has to succeed
<!-- shows: TEXT -->                    the block's output contains TEXT
<!-- seconds: N -->                     the block may take N seconds more than the minute that a page has

`landfall serve` and both simulators run in the background, on free ports, until the page ends or starts another.
Every ```swift block is type-checked in four ways: blocks/swift.py says how, and has the comments for them.
Lines that other steps of script/test run (swift build, script/demo, script/test) are left out. The program also checks that the options of
every command in the text exist, that docs/README.md lists every page, and that the figures are those of docs/figures.json.

Needs a release build, sqlite3 and curl.
"""
import argparse, contextlib, os, pathlib, re, shlex, shutil, signal, subprocess, sys, tempfile, time, uuid

from blocks import swift
from claims import Claims
from server import ROOT, Arguments, ask, built, free_ports, phone

SECONDS_PER_PAGE = 60
TRANSLATIONS = ("docs/ja/", "docs/zh-Hans/")  # their code is that of the English pages: script/check translations
ELSEWHERE = re.compile(r"\s*(swift build|swift test|script/demo|script/test)\b")
COMMAND = re.compile(r"^(\$ |landfall |curl |sqlite3 |script/|swift )", re.MULTILINE)
HOSTS = {  # a page must not use the name, unless it has the second text
    "go.example.com": (None, "the API is api.example.com, a brand domain links.example.com"),
    "brandname.go.link": ("documents' example", "say once on the page that it is the documents' example, or use links.example.com"),
}

SHELL = r"""
set -euo pipefail
block() { exec >"$STATE/out.$1" 2>&1; printf '%s' "$1" >"$STATE/at"; }
# Starts the server or the simulator in the background, instead of one that runs, and waits until it listens.
start() {
    local name=$1 port=$SERVER_PORT pid
    case $name in apple-ads-simulator) port=$APPLE_PORT ;; app-store-simulator) port=$STORE_PORT ;; esac
    if [ -f "$STATE/$name.pid" ]; then
        pid=$(cat "$STATE/$name.pid")
        kill "$pid" 2>/dev/null || true
        while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
    fi
    : >"$STATE/$name.out"
    LANDFALL_PORT=$port LANDFALL_DRAIN=0 "$BINARY" "$@" >"$STATE/$name.out" 2>"$STATE/$name.err" &
    pid=$!
    echo "$pid" >"$STATE/$name.pid"
    for _ in $(seq 200); do
        grep -q '^listening on' "$STATE/$name.out" && { head -1 "$STATE/$name.out"; return 0; }
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    echo "landfall $* does not listen:"; cat "$STATE/$name.err"
    return 1
}
landfall() {
    case ${1:-} in serve | apple-ads-simulator | app-store-simulator) start "$@" ;; *) "$BINARY" "$@" ;; esac
}
Server/.build/release/landfall() { landfall "$@"; }
writes_begin() {
    rm -f "$STATE/writes.stop" "$STATE/writes"
    "$CHECK" --write "$SERVER_PORT" "$STATE" &
    for _ in $(seq 200); do [ -s "$STATE/writes" ] && return 0; sleep 0.05; done
    echo "The server takes no writes."; return 1
}
writes_end() { touch "$STATE/writes.stop"; wait $!; }
"""


class Block:
    """A fenced block with the comments in front of it."""

    def __init__(self, page, line, language, text, marks):
        self.page, self.line, self.language, self.text, self.marks = page, line, language, text, marks

    def values(self, name):
        return [value for key, value in self.marks if key == name]

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def own_lines(self):
        return [line for line in self.text.splitlines() if not ELSEWHERE.match(line)]


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in sorted(set(listed.stdout.splitlines())) if (ROOT / name).exists()]


def blocks(page):
    marks, fence, start, body = [], None, 0, []
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        opening = re.fullmatch(r"\s*```(\S*)\s*", line)
        if fence is None and opening:
            fence, start, body = opening[1], number, []
        elif fence is not None and line.strip() == "```":
            yield Block(page, start, fence, "\n".join(body), marks)
            fence, marks = None, []
        elif fence is not None:
            body.append(line)
        elif mark := re.fullmatch(r"\s*<!-- ([a-z ]+?)(?:: (.*))? -->\s*", line):
            marks.append((mark[1], mark[2] or ""))
        elif line.strip():
            marks = []


def on_free_ports(text, ports):
    """Replaces the ports of the pages: 8080 for the server, 8090 for the simulated Apple Ads, 8091 for the simulated App Store."""
    for written, free in zip(("8080", "8090", "8091"), ports):
        text = re.sub(rf"\b{written}\b", str(free), text)
    return text


def script(listed, ports):
    """One shell for the whole page, so that a block can use what an earlier block has set."""
    parts = [SHELL]
    for number, block in enumerate(listed):
        lines = [f"block {number}", *block.values("first")]
        if block.values("beside writes"):
            lines.append("writes_begin")
        lines += block.own_lines
        if block.values("beside writes"):
            lines.append("writes_end")
        parts.append(on_free_ports("\n".join(lines + block.values("then")), ports))
    return "\n".join(parts + [f"block {len(listed)}"]) + "\n"


def copy_tree(folder):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / "Server/.build").mkdir(parents=True, exist_ok=True)
    (folder / "Server/.build/release").symlink_to(built().resolve().parent)


def run(page, listed, work):
    """Runs one page; returns a sentence for each failure."""
    tree, state = work / "tree", work / "state"
    state.mkdir()
    if any(block.values("in an empty folder") for block in listed):
        tree.mkdir()
    else:
        copy_tree(tree)
    ports = free_ports(3)
    limit = SECONDS_PER_PAGE + sum(int(value) for block in listed for value in block.values("seconds"))
    (work / "page.sh").write_text(script(listed, ports))
    environment = dict(
        os.environ, STATE=str(state), BINARY=str(built()), CHECK=str(pathlib.Path(__file__).resolve()), SERVER_PORT=str(ports[0]),
        APPLE_PORT=str(ports[1]), STORE_PORT=str(ports[2]), LANDFALL_LOG_LEVEL="error")
    process = subprocess.Popen(
        ["bash", str(work / "page.sh")], cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, start_new_session=True)
    took_too_long = False
    try:
        # No program of the page may hold the pipe of its shell, so every block has its own output.
        process.wait(limit)
    except subprocess.TimeoutExpired:
        took_too_long = True
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        time.sleep(0.2)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    at = int((state / "at").read_text() or 0) if (state / "at").exists() else 0

    def output(number):
        path = state / f"out.{number}"
        return path.read_text(errors="replace") if path.exists() else ""

    if took_too_long or process.returncode != 0:
        why = f"does not end within {limit} s" if took_too_long else f"ends with {process.returncode}"
        place = listed[min(at, len(listed) - 1)].place
        return [f"{place}: this block {why}. The end of what it wrote:\n" + "\n".join(f"    {line}" for line in output(at).splitlines()[-15:])]
    problems = []
    for number, block in enumerate(listed):
        for text in block.values("shows"):
            if on_free_ports(text, ports) not in output(number):
                problems.append(f"{block.place}: the output does not show '{text}'. It shows:\n" + "\n".join(f"    {line}" for line in output(number).splitlines()[-15:]))
    return problems


def write(port, state):
    """Sends first opens, one new install after the other, until the file writes.stop exists."""
    stop, count = pathlib.Path(state, "writes.stop"), 0
    while not stop.exists():
        answer = ask(int(port), "/v1/first-open", {"placements": [{"id": "onboarding"}], "holdMilliseconds": 0}, phone(uuid.uuid4()))
        if answer.status != 200:
            sys.exit(f"A first open is answered {answer}.")
        count += 1
        pathlib.Path(state, "writes").write_text(str(count))


def help_of(words, known={}):
    if words not in known:
        known[words] = subprocess.run([built(), *words, "--help"], capture_output=True, text=True, timeout=20).stdout
    return known[words]


def wrong_options(page, text):
    """Options in commands of the text and of blocks that are not run: the command's own help names each of them."""
    for command in re.findall(r"`(?:\S*/)?(landfall [^`\n]+)`", text) + re.findall(r"^(?:\S*/)?(landfall .+)$", text, re.MULTILINE):
        try:
            words = shlex.split(command, comments=True)[1:]
        except ValueError:
            continue
        names = [word for word in words[:2] if re.fullmatch(r"[a-z][a-z-]*", word)]
        for name in (tuple(names), tuple(names[:1])):
            page_of_help = help_of(name) if name else ""
            if page_of_help:
                break
        for option in (word.split("=")[0] for word in words if word.startswith("--")):
            if page_of_help and option not in page_of_help and option != "--help":
                yield f"{page}: 'landfall {' '.join(names[:1])}' has no option {option}."


def check_swift(names):
    begun = time.monotonic()
    count, problems = swift.check([block for page in names if not page.startswith(TRANSLATIONS) for block in blocks(page)])
    print(f"{'✘' if problems else '✔'} Swift: {count} file(s) of blocks in 4 ways, {time.monotonic() - begun:.1f} s", flush=True)
    return problems


def main():
    parser = Arguments(__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--swift", action="store_true", help="only the Swift blocks")
    parser.add_argument("--write", nargs=2, metavar=("PORT", "STATE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        return write(*options.write)
    claims = Claims()
    for problem in check_swift(options.pages or pages()):
        claims.deny(problem)
    if options.swift:
        return claims.end("Docs: the Swift blocks compile in four ways.")
    for tool in [built(), "sqlite3", "curl", "git"]:
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing. Needed are sqlite3, curl and a release build: swift build -c release --package-path Server --product landfall")
    ran, shown, elsewhere = 0, 0, 0
    contents = (ROOT / "docs/README.md").read_text()
    for page in options.pages or pages():
        begun, text, listed = time.monotonic(), (ROOT / page).read_text(), []
        for host, (unless, sentence) in HOSTS.items():
            if host in text and not (unless and unless in text):
                claims.deny(f"{page}: {host} stands here; {sentence}.")
        if page.startswith("docs/") and page != "docs/README.md" and not page.startswith("docs/decisions/0"):
            if f"]({page.removeprefix('docs/')})" not in contents:
                claims.deny(f"docs/README.md does not list {page}.")
        for problem in wrong_options(page, text):
            claims.deny(problem)
        for block in blocks(page):
            if block.language in ("", "text", "console", "bash", "shell") and COMMAND.search(block.text):
                claims.deny(f"{block.place}: this block has commands, but is no ```sh block, so that nothing runs it.")
            if block.language != "sh":
                continue
            if page.startswith(TRANSLATIONS):
                elsewhere += 1
            elif block.values("not run"):
                shown += 1
            elif not block.own_lines:
                elsewhere += 1
            else:
                listed.append(block)
        if listed:
            with tempfile.TemporaryDirectory() as work:
                found = run(page, listed, pathlib.Path(work))
            for problem in found:
                claims.deny(problem)
            ran += len(listed)
            print(f"{'✘' if found else '✔'} {page}: {len(listed)} block(s), {time.monotonic() - begun:.1f} s", flush=True)
    if subprocess.run([ROOT / "Benchmarks/figures", "--check"]).returncode != 0:
        claims.deny("The figures of the pages are not those of docs/figures.json; see above.")
    claims.end(f"Docs: {ran} blocks of commands ran, {elsewhere} run in other steps, {shown} are only shown.")


main()
