#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mixed traffic at a share of the measured limit, and large stores: script/load [--engine sqlite|postgres] [--minutes N] [--json FILE].

First it measures the limit: the rate grows until 99 of 100 answers of a kind take more than 100 ms, or something fails. Then a new
server gets --share of that rate for --minutes: first opens whose streams are held until Apple has answered, paywalls, events, taps on
links, and beside them members who read the console and notifications of the App Store. Calls are sent at their instants whatever became
of the calls before, and a time counts from that instant. Each minute has a row: p99 of each kind, memory, cores.

It holds if there was no error, everything that was acknowledged is stored, and the memory at the end is at most 1.05 times that of minute 5
(of half a run that is shorter than ten minutes).

--store-bytes 5GB: instead makes a store of that size, and starts, asks, backs up, restores and examines it.
--year: instead makes a store with a year of days, counts it, reads its reports, and lets retention delete the older half.

Needs release builds of landfall and LandfallBenchmarks (script/build Server); for --engine postgres also postgresql. Everything is on
loopback and in a temporary folder (TMPDIR), and ends with the program, also at Ctrl-C. A run of 30 minutes may take 20 GB of disk.
"""
import argparse, difflib, json, os, pathlib, re, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from ending import ends_when_asked
from server import ROOT, built

UNITS = {"": 1, "MB": 10**6, "GB": 10**9, "MIB": 2**20, "GIB": 2**30}


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        """A wrong command line ends with 64, and names the nearest option."""
        if found := re.search(r"unrecognized arguments: (--[\w-]+)", message):
            near = difflib.get_close_matches(found[1], self._option_string_actions, 1, 0)
            message = f"there is no {found[1]}; the nearest is {near[0]}"
        self.exit(64, f"script/load: {message}. script/load --help lists what there is.\n")


def size(text):
    found = re.fullmatch(r"([\d.]+)\s*([A-Za-z]*)", text)
    if not found or found[2].upper() not in UNITS:
        raise argparse.ArgumentTypeError(f"'{text}' is no size such as 5GB or 2100MiB")
    return int(float(found[1]) * UNITS[found[2].upper()])


def within(low, high, kind=float):
    def value(text):
        number = kind(text)
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low} and {high}")
        return number
    value.__name__ = "number"
    return value


def parse():
    parser = Arguments("script/load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite", help="whose store it is (sqlite)")
    parser.add_argument("--minutes", type=within(0, 1440, int), default=30, help="of the run at the share (30); 0 only measures the limit")
    parser.add_argument("--share", type=within(0.01, 1), default=0.7, help="of the measured limit (0.7)")
    parser.add_argument("--rate", type=within(10, 100_000), help="calls a second; the limit is not measured then")
    parser.add_argument("--cores", type=within(1, 1024, int), metavar="N", help="gives server and database N cores, and the callers the others (all share all)")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is drawn (1)")
    parser.add_argument("--json", metavar="FILE", help="writes the document there; - is standard output")
    parser.add_argument("--store-bytes", type=size, metavar="SIZE", help="examines a store of this size instead, such as 5GB")
    parser.add_argument("--year", action="store_true", help="examines a store with a year of days instead")
    parser.add_argument("--binary", metavar="PATH", help="another landfall than the built one (LANDFALL_BINARY)")
    parser.add_argument("--benchmarks", metavar="PATH", default=str(ROOT / "Server/.build/release/LandfallBenchmarks"), help="another LandfallBenchmarks")
    options = parser.parse_args()
    if options.store_bytes and options.year:
        parser.error("--store-bytes and --year are two runs")
    if options.binary:
        os.environ["LANDFALL_BINARY"] = options.binary
    built()
    if not options.store_bytes and not os.access(options.benchmarks, os.X_OK):
        sys.exit(f"There is no {options.benchmarks}, which signs notifications and fills a year. Build it: script/build Server")
    return options


def main():
    options = parse()
    ends_when_asked()
    with tempfile.TemporaryDirectory(prefix="landfall-load-") as folder:
        folder = pathlib.Path(folder)
        if options.store_bytes:
            from large import large as run
        elif options.year:
            from year import year as run
        else:
            from mixed import mixed as run
        document = run(options, folder)
    if options.json == "-":
        print(json.dumps(document, indent=2))
    elif options.json:
        pathlib.Path(options.json).write_text(json.dumps(document, indent=2) + "\n")
    print("holds" if document["holds"] else "does not hold", file=sys.stderr)
    for name in ("failures", "samples", "complaints", "warnings", "lost", "memory"):
        if document.get(name):
            print(f"  {name}: {document[name]}", file=sys.stderr)
    sys.exit(0 if document["holds"] else 1)


try:
    main()
except KeyboardInterrupt:
    sys.exit(130)
