#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uses the console in Chromium, against the built server: flows of people, axe, three languages, hostile texts, states.

script/check console [--binary PATH] [--only PART …] [--all] [--pictures FOLDER] [--json]: a person sets the server up, makes a link, sees its tap
become a first open and a shown paywall, asks why, judges experiments of four hundred people, publishes, rolls back, meets another editor,
invites a viewer, and signs out and in. Every page is then measured: axe (tags up to wcag22aa) in light and dark, three languages by three
widths without overflow (--all: each by each), no English word in the other two, its requests and bytes, and its forms without script. Other parts, each with
a server of its own: texts that would run as scripts, and states that are not at rest. All of it is in the folder browser. The servers are
on loopback, in temporary folders. A few minutes; ends by itself.
"""
import concurrent.futures, importlib, json, multiprocessing, sys, tempfile, time

from browser.chromium import enter_environment, launched
from browser.console_server import ConsoleServer
from browser.flows import flows, shortcuts, without_script
from browser.layouts import measure
from server import Arguments

# What --only can choose.
PARTS = {"pages": "flows of people, and every page in its layouts", "hostile": "texts that would run as scripts if a page did not escape them",
         "states": "refused forms, conflicts, empty lists, other roles, in three languages"}


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--only", nargs="+", metavar="PART", choices=PARTS, help="look at these alone; " + "; ".join(": ".join(part) for part in PARTS.items()))
    parser.add_argument("--all", action="store_true", help="every page in every layout, as for --pictures, and axe in each English one")
    parser.add_argument("--json", action="store_true", help="one document on standard output: bytes, requests, looks of axe and its findings")
    parser.add_argument("--pictures", help="a folder for pictures of every page")
    options = parser.parse_args()
    enter_environment()
    started, problems, counts, sizes = time.monotonic(), [], {"axe": 0, "layouts": 0}, {}
    parts = options.only or list(PARTS)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        # They begin beside the flows, which use one core.
        jobs = [pool.submit(part, name) for name in parts if name != "pages"]
        if "pages" in parts:
            pages(pool, options.pictures, problems, counts, sizes, options.all or bool(options.pictures))
        for job in jobs:
            sentence, found, looks = job.result()
            print(sentence, file=sys.stderr)
            problems.extend(found)
            counts["axe"] += looks
    if options.json:
        print(json.dumps(figures(parts, sizes, counts, problems), indent=2))
    print(f"{', '.join(parts)}: {counts['axe']} looks of axe, {counts['layouts']} layouts, {len(problems)} problems, {time.monotonic() - started:.0f} s", file=sys.stderr)
    for problem in problems:
        print("✘", problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


def figures(parts, sizes, counts, problems):
    """What Benchmarks/figures keeps: the pages' bytes and requests with an empty cache, and what axe found."""
    kilobytes, requests = sorted(size / 1_000 for size, _ in sizes.values()), [number for _, number in sizes.values()]
    found = {"looks": counts["axe"], "layouts": counts["layouts"], "findings": sum("axe: " in problem for problem in problems)}
    if sizes:
        found |= {"pages": len(sizes), "kilobytesMost": round(kilobytes[-1], 1), "kilobytesMedian": round(kilobytes[len(kilobytes) // 2], 1)}
        found["requestsMost"] = max(requests)
    return {"parts": parts} | found


def pages(pool, pictures, problems, counts, sizes, everything):
    """Flows of people, then every page in its layouts."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, ConsoleServer(folder) as server:
        with sync_playwright() as playwright:
            browser = launched(playwright)
            state = flows(browser, server, problems)
            shortcuts(browser, server, state, problems)
            browser.close()
        measure(pool, server.base, state, problems, counts, sizes, pictures, everything)
        with sync_playwright() as playwright:
            browser = launched(playwright)
            without_script(browser, server, state, problems)
            browser.close()


def part(name):
    """Another part: what it did, its problems, and its looks of axe."""
    return importlib.import_module(f"browser.{name}").run()


if __name__ == "__main__":
    main()
