# SPDX-License-Identifier: Apache-2.0
"""Plants errors and looks whether the tests find them: conditions negated, borders moved, lines left out, units swapped, locks dropped, a sync
left out. All of them are compiled in once, into a copy of the tree, each behind a condition; LANDFALL_MUTANT chooses the one that a run
has. First the named tests have to pass without any. Then each error is found if its tests fail or do not end, or if virtual worlds with
fixed seeds break a guarantee.

Prints a line for each, and the share that was found; ends with 1 if that is below 95 %, or if nothing found one whose list gives no reason
for that. The lists are Tests/Mutants/*.txt; `script/check mutants` looks at them without a build. Linux only."""
import argparse, concurrent.futures, dataclasses, difflib, json, pathlib, signal, sys

sys.dont_write_bytecode = True

import planted
from copied import Copy

SHARE = 0.95


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        print(f"{message}. `script/mutants --help` says what there is.", file=sys.stderr)
        sys.exit(64)


def parsed():
    arguments = Arguments("script/mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    arguments.add_argument("--list", action="store_true", help="say what is planted, and end")
    arguments.add_argument("--only", action="append", metavar="ID", help="one error, or one list such as 'sqlite'; may be given again")
    arguments.add_argument("--work", metavar="FOLDER", type=pathlib.Path, default=planted.ROOT / ".build/mutants",
                           help="where the copy is made; a second run compiles only what has changed (.build/mutants)")
    arguments.add_argument("--apply", action="store_true", help="make the copy, and end")
    arguments.add_argument("--no-build", action="store_true", help="use the copy and its builds as they are")
    arguments.add_argument("--jobs", type=int, choices=(1, 2), default=2, help="runs at the same time (2)")
    arguments.add_argument("--limit", type=int, default=600, metavar="SECONDS", help="the longest time of one run (600)")
    arguments.add_argument("--json", metavar="FILE", help="where the results are written")
    return arguments.parse_args()


def chosen(mutants, names):
    if not names:
        return mutants
    known = [mutant.id for mutant in mutants] + list(planted.LISTS)
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, 1, 0)[0]
            print(f"There is no planted error '{name}'; the nearest is '{nearest}'. All of them: script/mutants --list", file=sys.stderr)
            sys.exit(64)
    return [mutant for mutant in mutants if mutant.id in names or mutant.id.split(".")[0] in names]


def runs_of(mutant):
    """What is run for it: the suites of each package, and worlds."""
    runs = {}
    for suite in mutant.tests:
        package = "." if (planted.ROOT / "Tests" / suite.split(".")[0]).is_dir() else "Server"
        runs.setdefault(package, []).append(suite)
    found = [(package, tuple(suites)) for package, suites in runs.items()]
    return found + ([("worlds", mutant.worlds)] if mutant.worlds else [])


def run(copy, one, id, limit):
    kind, what = one
    return copy.worlds(what, id, limit) if kind == "worlds" else copy.tests(kind, what, id, limit)


def name_of(one):
    return f"landfall-virtual {one[1]}" if one[0] == "worlds" else ", ".join(one[1])


def try_baseline(copy, mutants, options, pool):
    """How long each run takes without an error. Ends the program if one fails."""
    runs = list(dict.fromkeys(one for mutant in mutants for one in runs_of(mutant)))
    print(f"── {len(runs)} runs without an error", file=sys.stderr, flush=True)
    lasted, failed = {}, []
    for one, (seconds, why) in zip(runs, pool.map(lambda one: run(copy, one, "", options.limit), runs)):
        lasted[one] = seconds
        if why:
            failed.append(f"  {name_of(one)}: {why}")
    if failed:
        sys.exit("Without any error these fail already, so nothing can be said of what they find:\n" + "\n".join(failed))
    return lasted


def judged(copy, mutant, lasted, options):
    """What was found of one error, and by what."""
    row = {"id": mutant.id, "what": mutant.what, "file": mutant.file, "found": False, "by": None, "worlds": None, "seconds": 0.0}
    for one in runs_of(mutant):
        # Tests that wait for something that no longer comes have their own limit of a minute or more.
        seconds, why = run(copy, one, mutant.id, min(options.limit, 90 + 4 * lasted[one]))
        row["seconds"] = round(row["seconds"] + seconds, 1)
        if one[0] == "worlds":
            row["worlds"] = why is not None
        if why and not row["found"]:
            row |= {"found": True, "by": f"{'worlds: ' if one[0] == 'worlds' else ''}{why}"}
    row["reason"] = mutant.survives or None
    return row


def told(row):
    mark = "✔" if row["found"] else "✘"
    rest = f"found by {row['by']}" if row["found"] else f"NOT FOUND: {row['what']}" + (f" ({row['reason']})" if row["reason"] else "")
    print(f"{mark} {row['id']:28} {row['seconds']:6.1f} s  {rest}", flush=True)
    return row


def summed(rows):
    print()
    for name in planted.LISTS:
        own = [row for row in rows if row["id"].split(".")[0] == name]
        if own:
            print(f"{name:10} {sum(row['found'] for row in own):4} of {len(own):3} found")
    found, worlds = sum(row["found"] for row in rows), [row["worlds"] for row in rows if row["worlds"] is not None]
    print(f"{'all':10} {found:4} of {len(rows):3} found, {found / len(rows):.1%}; virtual worlds found {sum(worlds)} of the {len(worlds)} that they were tried on")
    unnamed = [row["id"] for row in rows if not row["found"] and not row["reason"]]
    if unnamed:
        print(f"Nothing finds, and no list says why: {', '.join(unnamed)}. Write a test, or 'survives' with the reason.")
    known = [row["id"] for row in rows if row["found"] and row["reason"]]
    if known:
        print(f"Found, although a list says that nothing can: {', '.join(known)}. Take 'survives' out.")
    return not unnamed and found / len(rows) >= SHARE


def main():
    options = parsed()
    try:
        mutants = planted.read()
    except planted.Wrong as error:
        sys.exit(f"{error}")
    if wrong := planted.mistakes(mutants):
        sys.exit("\n".join(wrong))
    wanted = chosen(mutants, options.only)
    if options.list:
        for mutant in wanted:
            print(f"{mutant.id:28} {mutant.what}")
        return
    copy = Copy(options.work)
    if not options.no_build:
        # All of them, also for one: the same build serves every run.
        copy.write(mutants)
        if options.apply:
            return print(f"{copy.folder} has {len(mutants)} planted errors. LANDFALL_MUTANT chooses one; without it the tree is as it was.")
        for package in (".", "Server"):
            copy.build(package)
    elif not copy.folder.is_dir():
        sys.exit(f"There is no copy in {copy.folder}. Leave --no-build out.")
    elif not copy.has_worlds():
        print("The copy has no landfall-virtual, because its server was not built: no virtual worlds are run.", file=sys.stderr)
        wanted = [dataclasses.replace(mutant, values=mutant.values | {"worlds": ""}) for mutant in wanted]
    # What it has started ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        lasted = try_baseline(copy, wanted, options, pool)
        print(f"── {len(wanted)} planted errors", file=sys.stderr, flush=True)
        rows = [told(row) for row in pool.map(lambda mutant: judged(copy, mutant, lasted, options), wanted)]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        copy.end()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    if not summed(rows):
        sys.exit(1)


main()
