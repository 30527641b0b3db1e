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
import concurrent.futures, contextlib, importlib, json, multiprocessing, sys, tempfile, time

from browser.chromium import become_member, enter_environment, launched
from browser.console_server import SELLING, ConsoleServer, Shop
from browser.experiments import arrive
from browser.flows import flows, shortcuts, without_script
from browser.layouts import measure
from browser.stories.reports import come, sell
from browser.stories.running import Stories
from server import Arguments

# What --only can choose.
PARTS = {"pages": "flows of people, their stories, and every page in its layouts", "stories": "whole tasks of a marketer, counted; they are in pages too",
         "hostile": "texts that would run as scripts if a page did not escape them",
         "states": "refused forms, conflicts, empty lists, other roles, in three languages"}


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--only", nargs="+", metavar="PART", choices=PARTS, help="look at these alone; " + "; ".join(": ".join(part) for part in PARTS.items()))
    parser.add_argument("--write", action="store_true", help="the counts of the stories into docs/features/console.md, with --only stories")
    parser.add_argument("--all", action="store_true", help="every page in every layout, as for --pictures, and axe in each English one")
    parser.add_argument("--json", action="store_true", help="one document on standard output: bytes, requests, looks of axe and its findings")
    parser.add_argument("--pictures", help="a folder for pictures of every page")
    options = parser.parse_args()
    if options.write and options.only != ["stories"]:
        parser.error("--write goes with --only stories.")
    enter_environment()
    started, problems, counts, sizes = time.monotonic(), [], {"axe": 0, "layouts": 0}, {}
    parts = options.only or list(PARTS)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        # They begin beside the flows, which use one core.
        jobs = [pool.submit(part, name) for name in parts if name not in ("pages", "stories")]
        if "pages" in parts:
            pages(pool, options.pictures, problems, counts, sizes, options.all or bool(options.pictures))
        elif "stories" in parts:
            alone(problems, options.write)
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

    with selling() as (server, shop):
        stories = Stories(server, problems)
        with sync_playwright() as playwright:
            browser = launched(playwright)
            state = flows(browser, server, problems, stories, shop)
            shortcuts(browser, server, state, problems)
            browser.close()
        measure(pool, server.base, state, problems, counts, sizes, pictures, everything)
        with sync_playwright() as playwright:
            browser = launched(playwright)
            without_script(browser, server, state, problems, stories)
            browser.close()
        stories.check_table(is_written=False)


def alone(problems, is_written):
    """The stories without the flows."""
    from playwright.sync_api import sync_playwright

    with selling() as (server, shop), sync_playwright() as playwright:
        browser, stories = launched(playwright), Stories(server, problems)
        context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en")
        become_member(context.new_page(), server.link)
        came = come(server)
        stories.tell(context, ["links"])
        arrive(server)
        sell(server, shop, came)
        stories.tell(context, ["audiences", "paywalls", "experiments", "reports", "people", "versions"])
        plain = browser.new_context(storage_state=context.storage_state(), java_script_enabled=False, locale="en")
        stories.tell(plain, ["links", "audiences", "versions"], has_script=False)
        browser.close()
        stories.check_table(is_written)


@contextlib.contextmanager
def selling():
    """A server whose app has purchases, and the shop."""
    with tempfile.TemporaryDirectory() as folder, Shop(folder + "/shop") as shop, ConsoleServer(folder, SELLING, "--app-store-root", str(shop.root)) as server:
        yield server, shop


def part(name):
    """Another part: what it did, its problems, and its looks of axe."""
    return importlib.import_module(f"browser.{name}").run()


if __name__ == "__main__":
    main()
