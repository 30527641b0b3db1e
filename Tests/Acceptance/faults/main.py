# SPDX-License-Identifier: Apache-2.0
"""What is lost, doubled, late or wrongly answered when something fails, on this machine only, for a server with SQLite and for nodes that
share a PostgreSQL. Phones and callers remember what was acknowledged.

Each fault prints its seed, what was acknowledged, lost and doubled, how many phones there were and how many were late; and, if something is
not as it has to be, some causes and the command that repeats it alone. Ends with 1 if there is a cause."""
import argparse, contextlib, difflib, json, pathlib, random, subprocess, sys, tempfile, time, traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from alone import Alone
from fault import ENGINES, faults, row
from processes import NotTried
from server import Arguments, built
from stage import Stage
import appstore, apple, clocks, crashes, crowds, cuts, databases, disks, flips, sharing

STAGES = {"sqlite": Alone, "postgres": Stage}
# Each fault needs namespaces, ports and folders of its own, so it is a process of its own.
ONE = "--alone"


def run(fault, options, seed, folder):
    result = row(fault, seed, command=f"script/faults --only {fault.name} --engine {fault.engine} --seed {seed} --phones {options.phones}")
    print(f"── {fault.name} on {fault.engine}: {fault.sentence} (seed {seed})", file=sys.stderr, flush=True)
    begun = time.monotonic()
    try:
        folder = folder / f"{fault.name}-{fault.engine}"
        if fault.own:
            result |= fault.body(fault, options, seed, folder)
        else:
            phones = min(options.phones, 15) if options.quick else options.phones
            with STAGES[fault.engine](folder, seed, phones, old=options.old, **fault.settings) as stage:
                stage.is_quick = options.quick
                result |= stage.play(fault.body, min(2, fault.seconds) if options.quick else fault.seconds)
                memory = stage.memory
                print(f"   first opens {dict(memory.opens)}, {memory.share_held():.0%} held; "
                      f"answers {dict(memory.statuses)}, the slowest after {memory.longest:.1f} s", file=sys.stderr)
    except NotTried as error:
        print(f"   not tried: {error}", file=sys.stderr)
        return None
    except Exception as error:
        result["causes"].append(f"{error}")
        traceback.print_exc()
    figures = ", ".join(f"{result[each]} {each}" for each in ("acknowledged", "lost", "doubled", "phones", "late"))
    print(f"   {fault.name} on {fault.engine}, seed {seed}: {figures} ({time.monotonic() - begun:.0f} s)", flush=True)
    for cause in result["causes"]:
        print(f"     {cause}", flush=True)
    if result["causes"]:
        print(f"     To repeat: {result['command']}", flush=True)
    return result


def chosen(options):
    names = {name for name, _ in faults}
    # "nodes" are all those of nodes that share a PostgreSQL.
    wanted = {each for name in options.only or names for each in (names if name == "nodes" else [name])}
    if options.only == ["nodes"]:
        options.engine = "postgres"
    for name in wanted:
        if name not in names:
            nearest = difflib.get_close_matches(name, names, 1, 0)[0]
            print(f"There is no fault '{name}'; the nearest is '{nearest}'. There are: {', '.join(sorted(names))}.", file=sys.stderr)
            sys.exit(64)
    found = [fault for (name, engine), fault in faults.items() if name in wanted and options.engine in ("all", engine)]
    if options.quick and not options.only:
        found = [fault for fault in found if fault.quick]
    return sorted(found, key=lambda fault: ENGINES.index(fault.engine)) or sys.exit("No fault of that engine has that name.")


def parsed():
    lines = [f"  {name:22} {engine:9} {fault.sentence}" for (name, engine), fault in faults.items()]
    arguments = Arguments(__doc__ + "\n\n" + "\n".join(lines))
    arguments.prog = "script/faults"
    arguments.add_argument("--only", action="append", metavar="NAME", help="a fault; may be given again")
    arguments.add_argument("--engine", choices=[*ENGINES, "all"], default="all", help="the faults of one engine (all)")
    arguments.add_argument("--quick", action="store_true", help="a sample that takes a minute, or with --only fewer rounds of a fault")
    arguments.add_argument("--seed", type=int, help="of everything that is drawn")
    arguments.add_argument("--phones", type=int, default=40, help="how many open the app meanwhile; three start in a second (40)")
    arguments.add_argument("--old", metavar="BINARY", help="another release, for restarts between the two and for phones of it")
    arguments.add_argument("--json", metavar="FILE", help="where the results are written")
    arguments.add_argument("--keep", metavar="FOLDER", help="keeps configurations and logs in a new folder there")
    arguments.add_argument(ONE, action="store_true", help=argparse.SUPPRESS)
    return arguments.parse_args()


def each(found, options, seed, folder):
    """The rows of these faults, each made by a process of its own; one alone is made here."""
    if options.alone:
        return [result for fault in found if (result := run(fault, options, seed, folder))]
    rows = []
    for number, fault in enumerate(found):
        file = folder / "row.json"
        more = ["--quick"] * options.quick + (["--old", options.old] if options.old else []) + (["--binary", options.binary] if options.binary else [])
        print(f"{number + 1} of {len(found)}:", file=sys.stderr, flush=True)
        subprocess.run([
            sys.executable, __file__, ONE, "--only", fault.name, "--engine", fault.engine, "--seed", str(seed), "--phones", str(options.phones),
            "--json", file, "--keep", folder, *more])
        rows += json.loads(file.read_text()) if file.exists() else [
            row(fault, seed, causes=["its process ended without a result"], command=f"script/faults --only {fault.name} --seed {seed}")]
        file.unlink(missing_ok=True)
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    return rows


def main():
    options = parsed()
    found = chosen(options)
    built()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    with contextlib.ExitStack() as kept:
        if options.keep:
            pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
            folder = tempfile.mkdtemp(prefix="faults-", dir=options.keep)
        else:
            folder = kept.enter_context(tempfile.TemporaryDirectory(prefix="landfall-faults-"))
        # PostgreSQL's user goes through it.
        folder = pathlib.Path(folder).absolute()
        folder.chmod(0o755)
        rows = each(found, options, seed, folder)
        if options.json:
            pathlib.Path(options.json).write_text(json.dumps(rows, indent=2) + "\n")
    if options.alone:
        return
    if not rows:
        sys.exit("No fault was tried; the reasons are above.")
    bad = [f"{each['fault']} on {each['engine']}" for each in rows if each["causes"]]
    sys.exit(f"{len(bad)} fault(s) with a cause: {', '.join(bad)}." if bad else 0)


if __name__ == "__main__":
    main()
