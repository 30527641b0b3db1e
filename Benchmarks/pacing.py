# SPDX-License-Identifier: Apache-2.0
"""Requests that are sent when they are due, however late earlier answers are: a rate that does not sink when the server slows down.
Times are counted from when a request was due. One thread; needs Linux."""
import collections, gc, math, random, re, select, socket, sys, time

CONNECTIONS = 64
# Seconds after the last request until every answer has to be there.
PATIENCE = 10
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Kind:
    """One kind of request: how often it comes a second, and its bytes by its number."""

    def __init__(self, name, rate, request):
        self.name, self.rate, self.request = name, rate, request


def quantile(values, share):
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else None


def due(kinds, seconds, seed):
    """The times at which requests are due, as if people who know nothing of each other sent them."""
    draw, rate, at, all = random.Random(seed), sum(kind.rate for kind in kinds), 0.0, []
    weights = [kind.rate for kind in kinds]
    while rate and (at := at + draw.expovariate(rate)) < seconds:
        all.append((at, draw.choices(kinds, weights)[0]))
    return all


class Connections:
    """Those to one server; the one that was idle longest is used next, as phones are different ones."""

    def __init__(self, port):
        self.ready = select.epoll()
        self.sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
        self.of = {one.fileno(): one for one in self.sockets}
        self.idle = collections.deque(self.sockets)
        self.part = {}
        for one in self.sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.ready.register(one, select.EPOLLIN)

    def answered(self, seconds):
        """The connections whose answer is complete, after at most so many seconds. The descriptor of an epoll can be selected, and
        select counts microseconds where epoll counts milliseconds."""
        if seconds > 0 and not select.select([self.ready], [], [], seconds)[0]:
            return []
        complete = []
        for number, _ in self.ready.poll(0):
            one = self.of[number]
            bytes = self.part.pop(number, b"") + one.recv(65_536)
            end = bytes.find(b"\r\n\r\n")
            length = LENGTH.search(bytes, 0, end + 2) if end >= 0 else None
            if not bytes or end >= 0 and not (length and bytes[9:12] in (b"200", b"302")):
                sys.exit(f"A call failed, so there is no figure:\n{bytes[:400]!r}")
            if end < 0 or len(bytes) < end + 4 + int(length[1]):
                self.part[number] = bytes
            else:
                complete.append(one)
        return complete

    def close(self):
        self.ready.close()
        for one in self.sockets:
            one.close()


def paced(port, kinds, seconds, seed):
    """Seconds of each answer by the name of its kind, and how late requests left this client (seconds)."""
    requests = [(at, kind, kind.request(number)) for number, (at, kind) in enumerate(due(kinds, seconds, seed))]
    times, late, waiting, asked = {kind.name: [] for kind in kinds}, [], collections.deque(), {}
    connections, following, begun = Connections(port), 0, time.perf_counter() + 0.05
    gc.disable()  # Its pauses would be counted as the server's.
    try:
        while following < len(requests) or waiting or asked:
            now = time.perf_counter() - begun
            while following < len(requests) and requests[following][0] <= now:
                waiting.append(requests[following])
                following += 1
            while waiting and connections.idle:
                at, kind, bytes = waiting.popleft()
                one = connections.idle.popleft()
                one.sendall(bytes)
                asked[one] = (at, kind.name)
                late.append(time.perf_counter() - begun - at)
            next = requests[following][0] if following < len(requests) else seconds + PATIENCE
            now = time.perf_counter() - begun
            if now > seconds + PATIENCE:
                sys.exit(f"{len(asked) + len(waiting)} calls were not answered within {PATIENCE} s.")
            for one in connections.answered(max(0, next - now)):
                at, name = asked.pop(one)
                times[name].append(time.perf_counter() - begun - at)
                connections.idle.append(one)
    finally:
        gc.enable()
        connections.close()
    return times, late
