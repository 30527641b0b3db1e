# SPDX-License-Identifier: Apache-2.0
"""How fast the App Store's notifications are answered, 200 a second, each on disk before its answer; and what a transaction takes on disk."""
import http.client, pathlib, sqlite3, subprocess, sys, threading, time

from items import alone, row
from measuring import API, node, say

RATE, SENDERS = 200, 16


def folder_bytes(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def post(port, bodies, begin, took, failures):
    """Each body at its instant, on one connection. A late one is measured from its instant too, so a stall is counted whole."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for number, body in bodies:
        due = begin + number / RATE
        time.sleep(max(0, due - time.monotonic()))
        connection.request("POST", "/v1/app-store/notifications", body, {"Content-Type": "application/json", "Host": API})
        answer = connection.getresponse()
        answer.read()
        took.append(time.monotonic() - due)
        if answer.status != 200:
            failures.append(answer.status)
    connection.close()


def load(port, bodies):
    """Seconds from the instant at which each body had to go out, to its answer."""
    took, failures, begin = [], [], time.monotonic() + 0.2
    numbered = list(enumerate(bodies))
    senders = [threading.Thread(target=post, args=(port, numbered[first::SENDERS], begin, took, failures)) for first in range(SENDERS)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    if failures or len(took) != len(bodies):
        sys.exit(f"{len(failures)} of {len(bodies)} notifications were refused ({set(failures)}), so there is no figure.")
    return took


def settled(store, seconds=60):
    """The numbers of facts and transactions, once no notification waits."""
    end = time.monotonic() + seconds
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        while connection.execute("SELECT count(*) FROM app_store_notification WHERE processed_at_ms IS NULL").fetchone()[0]:
            if time.monotonic() > end:
                sys.exit("Some notifications were not worked on within a minute.")
            time.sleep(0.2)
        return connection.execute("SELECT count(*), count(DISTINCT CASE kind WHEN 'transaction' THEN fact_id END) FROM purchase_fact").fetchone()


def notifications(work, options):
    per_round = RATE * options.seconds
    folder = work / "notifications"
    folder.mkdir()
    count = per_round * (options.rounds + 1)
    subprocess.run([options.benchmarks, "signed-notifications", folder, "--count", str(count)], check=True)
    bodies = (folder / "notifications").read_bytes().splitlines()
    rounds = []
    with node(folder, options.binary, ["--app-store-root", folder / "root.pem"]) as (port, _):
        store = folder / "data/landfall.sqlite"
        before = folder_bytes(folder / "data")
        load(port, bodies[:per_round])
        for number in range(1, options.rounds + 1):
            took = sorted(load(port, bodies[per_round * number:per_round * (number + 1)]))
            rounds.append([took[len(took) // 2] * 1e3, took[len(took) * 99 // 100] * 1e3, took[-1] * 1e3])
            say(f"  notifications, round {number} of {options.rounds}: p50 {rounds[-1][0]:.1f} ms, p99 {rounds[-1][1]:.1f} ms")
        facts, transactions = settled(store)
    grown = folder_bytes(folder / "data") - before
    p50, p99 = ([figures[index] for figures in rounds] for index in (0, 1))
    say(f"  {count:,} notifications: {facts:,} facts of {transactions:,} transactions in {grown / 2**20:.1f} MB")
    return [
        alone(f"notifications: p50 of answers, {RATE} a second", "ms", "lower", p50),
        alone(f"notifications: p99 of answers, {RATE} a second", "ms", "lower", p99, slowestMilliseconds=max(figures[2] for figures in rounds)),
        row("notifications: bytes on disk for a transaction", "bytes", "lower", grown / transactions, 1),
    ]
