# SPDX-License-Identifier: Apache-2.0
"""How soon a published version is served while phones ask, and how long its impact takes to compute."""
import http.client, json, multiprocessing, multiprocessing.pool, shutil, socket, statistics, sys, time

from items import row
from measuring import SERVER_KEY, node, say
from paths import stored

PATH = "/v1/placements/onboarding/paywall?audience=default"
RATE = 1_000
CONNECTIONS = 16
PUBLICATIONS = 20


def with_scope(yaml):
    """Lets the benchmark's server key publish."""
    return yaml.replace("serverFrom: LANDFALL_SERVER_KEY", "serverFrom: LANDFALL_SERVER_KEY\n    may: [configuration]", 1)


def asking(port, stop, counts):
    """Phones that together ask 1,000 times a second, one after another on each connection; each answer has to be right."""
    request = f"GET {PATH} HTTP/1.1\r\nHost: api.example.com\r\nAuthorization: Bearer pk_demo\r\n\r\n".encode()
    sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
    asked = wrong = 0
    begun = time.monotonic()
    while not stop.is_set():
        ahead = begun + asked / RATE - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        for one in sockets:
            one.sendall(request)
        for one in sockets:
            answer = b""
            while b"\r\n\r\n" not in answer or len(answer) < needed(answer):
                answer += one.recv(65_536)
            wrong += not answer.startswith(b"HTTP/1.1 200")
        asked += len(sockets)
    counts.put((asked / (time.monotonic() - begun), wrong))


def needed(answer):
    """The length of an answer whose head has arrived."""
    head, _, _ = answer.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            return len(head) + 4 + int(line.split(b":")[1])
    return len(head) + 4


def call(connection, method, path, body=None, **fields):
    connection.request(method, path, body, {"Authorization": f"Bearer {SERVER_KEY}", "Host": "api.example.com", **fields})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{method} {path} was answered {answer.status}: {text[:500]!r}")
    return text


def served(connection):
    connection.request("GET", PATH, headers={"Authorization": "Bearer pk_demo", "Host": "api.example.com"})
    return json.loads(connection.getresponse().read())["revision"]


def published(port, yaml):
    """Milliseconds from the first byte of the call until an answer on another connection is of the new version, repeated."""
    publisher, watcher = (http.client.HTTPConnection("127.0.0.1", port) for _ in range(2))
    times = []
    for number in range(PUBLICATIONS):
        text = yaml.replace("title: ", f"title: {time.time_ns()} ", 1)
        with multiprocessing.pool.ThreadPool(1) as pool:
            before = served(watcher)
            begun = time.perf_counter()
            calling = pool.apply_async(call, (publisher, "POST", "/v1/configuration", text.encode()), {"If-Match": f'"{before}"'})
            while served(watcher) == before:
                if time.perf_counter() - begun > 30:
                    sys.exit("The version is not served.")
            times.append((time.perf_counter() - begun) * 1e3)
            calling.get()
        time.sleep(0.1)
    return times


def publish(work, options):
    """Publish → served, while 1,000 requests a second are served."""
    with node(work / "publish", options.binary, [], with_scope) as (port, _):
        yaml = call(http.client.HTTPConnection("127.0.0.1", port), "GET", "/v1/configuration").decode()
        rounds, rates = [], []
        for _ in range(options.rounds):
            stop, counts = multiprocessing.Event(), multiprocessing.Queue()
            phones = multiprocessing.Process(target=asking, args=(port, stop, counts))
            phones.start()
            time.sleep(0.5)
            rounds.append(published(port, yaml))
            stop.set()
            rate, wrong = counts.get(timeout=30)
            phones.join()
            if wrong:
                sys.exit(f"{wrong} answers were not 200 while versions were published.")
            rates.append(rate)
            say(f"  published {len(rounds[-1])} versions beside {rate:.0f} requests/s: median {statistics.median(rounds[-1]):.1f} ms")
    return [item("publish: published to served, beside 1,000 requests/s", rounds, requestsPerSecond=statistics.median(rates))]


def impact(work, options):
    """10,000 installs, drawn from many, decided by two versions."""
    shutil.copytree(stored(options), work / "impact" / "data")
    with node(work / "impact", options.binary, [], with_scope) as (port, _):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        yaml = call(connection, "GET", "/v1/configuration").decode()
        rounds = []
        for _ in range(options.rounds):
            times = []
            for _ in range(5):
                begun = time.perf_counter()
                answer = json.loads(call(connection, "POST", "/v1/configuration/impact?sample=10000", yaml.encode()))
                times.append((time.perf_counter() - begun) * 1e3)
                if answer["sampled"] != min(10_000, options.profiles):
                    sys.exit(f"{answer['sampled']} installs were looked at.")
            rounds.append(times)
    return [item(f"impact: 10,000 installs of {options.profiles:,} through two versions", rounds)]


def item(name, rounds, **further):
    """A figure in milliseconds: the median of the rounds, with the slowest of a round."""
    medians, slowest = [statistics.median(times) for times in rounds], [max(times) for times in rounds]
    return row(name, "ms", "lower", statistics.median(medians), len(rounds), spread=[min(min(times) for times in rounds), max(slowest)],
               slowestMilliseconds=statistics.median(slowest), **further)
