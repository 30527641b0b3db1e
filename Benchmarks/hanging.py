# SPDX-License-Identifier: Apache-2.0
"""How long phones wait while every read of the store hangs: on the embedded store each read of a page takes a second longer (strace holds it
back), on PostgreSQL all of its processes are stopped for three seconds. Asked meanwhile: what needs no read, beside the same without a hang; and
what needs one."""
import contextlib, http.client, os, pathlib, shutil, signal, subprocess, sys, threading, time

from databases import MeasuredPostgres
from items import row
from measuring import API, SECRET, install, node, say
import nodes, paths
from ending import stop

SECONDS, A_PAGE, INSTALLS = 3, 1, 20_000
UNREAD = {"healthz": ("/healthz", None), "default paywall": ("/v1/placements/onboarding/paywall?audience=default", None)}
CALLERS = 16


def asking(port, path, number, until, took):
    """One call after the other until that instant; the seconds of each, and its status. No answer within a minute counts as a minute."""
    while time.monotonic() < until:
        begun = time.monotonic()
        headers = {"Authorization": "Bearer pk_demo", "Host": API} | ({"Landfall-Profile": f"{install(number())}.{SECRET}"} if number else {})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except OSError:
            status = 0
        connection.close()
        took.append((time.monotonic() - begun, status))
        time.sleep(0.01)


def asked(port, seconds, numbers):
    """What answers take: of calls without a read, and of those with one, at the same time."""
    took, until = {name: [] for name in [*UNREAD, "drawn paywall"]}, time.monotonic() + seconds
    threads = [threading.Thread(target=asking, args=(port, path, number, until, took[name])) for name, (path, number) in UNREAD.items()]
    draw = lambda: next(numbers)
    threads += [threading.Thread(target=asking, args=(port, "/v1/placements/many/paywall", draw, until, took["drawn paywall"])) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def slowest(times):
    return max(seconds for seconds, _ in times) * 1e3


def figures(engine, quiet, hung, hang):
    items = []
    for name in UNREAD:
        items.append(row(f"hanging reads, {engine}: the slowest {name}", "ms", "lower", slowest(hung[name]), len(hung[name]), against="the same without a hang",
                         theirs=slowest(quiet[name]), ratios=[slowest(hung[name]) / slowest(quiet[name])], added=slowest(hung[name]) - slowest(quiet[name])))
    drawn = hung["drawn paywall"]
    failed = sum(status != 200 for _, status in drawn)
    items.append(row(f"hanging reads, {engine}: the slowest drawn paywall", "ms", "lower", slowest(drawn), len(drawn), against="the hang", theirs=hang * 1e3, ratios=[slowest(drawn) / (hang * 1e3)]))
    items.append(row(f"hanging reads, {engine}: drawn paywalls that were not answered with 200", "answers", "lower", failed, len(drawn)))
    return items


def embedded(work, options):
    folder = work / "embedded" / "data"
    folder.mkdir(parents=True)
    subprocess.run([options.benchmarks, "stored-installs", folder, "--count", str(INSTALLS)], check=True)
    numbers = iter(range(INSTALLS))
    with node(work / "embedded", options.binary, [], paths.with_audiences) as (port, pid):
        quiet = asked(port, SECONDS, numbers)
        strace = subprocess.Popen(["strace", "-f", "-qq", "-p", str(pid), "-P", folder / "landfall.sqlite", "-e", "trace=pread64", "-e",
                                   f"inject=pread64:delay_enter={A_PAGE * 1_000_000}", "-o", work / "reads"])
        try:
            time.sleep(1)
            hung = asked(port, SECONDS, numbers)
        finally:
            stop(strace)
        if not (work / "reads").stat().st_size:
            say("  embedded: no read of the store was seen while it hung, so there is no figure")
            return []
    return figures("embedded store", quiet, hung, A_PAGE)


def shared(work, options):
    with MeasuredPostgres() as server:
        url = server.database("landfall")
        with nodes.node(options.binary, url, change=paths.with_audiences, folder=work / "shared") as (port, _):
            nodes.fill(server, INSTALLS)
            numbers = iter(range(INSTALLS))
            quiet = asked(port, SECONDS, numbers)
            stopped = [server.process.pid, *children(server.process.pid)]
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            waking = threading.Timer(SECONDS, awaken, [stopped])
            waking.start()
            try:
                hung = asked(port, SECONDS - 0.2, numbers)
            finally:
                waking.join()
    return figures("PostgreSQL", quiet, hung, SECONDS)


def awaken(stopped):
    for pid in stopped:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def children(parent):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def hanging(work, options):
    items = []
    if shutil.which("strace") and sys.platform == "linux":
        items += embedded(work, options)
    else:
        say("  embedded: not measured, strace is missing")
    return items + shared(work, options)
