# SPDX-License-Identifier: Apache-2.0
"""Connections and instants of one process: calls begin when they are due, whatever the answers before them do."""
import collections, heapq, re, select, socket, time

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
# The server closes a connection that was silent for 60 seconds; a call must not meet that.
IDLE_SECONDS = 30
PAUSE = 0.0005


class Loop:
    """Waits for sockets and instants. A handler gets the events of its socket; a task runs once its instant has come."""

    def __init__(self):
        self.poll, self.handlers, self.tasks, self.number = select.epoll(), {}, [], 0

    def watch(self, file, handler, events=select.EPOLLIN):
        self.handlers[file] = handler
        self.poll.register(file, events)

    def forget(self, file):
        self.handlers.pop(file, None)
        self.poll.unregister(file)

    def at(self, instant, task, *values):
        self.number += 1
        heapq.heappush(self.tasks, (instant, self.number, task, values))

    def turn(self):
        """Runs what is due, and hears the sockets. Between two turns is a pause, so that many answers cost one look: a call may begin, and
        an answer be seen, so much later."""
        time.sleep(PAUSE)
        now = time.monotonic()
        while self.tasks and self.tasks[0][0] <= now:
            _, _, task, values = heapq.heappop(self.tasks)
            task(*values)
        for file, events in self.poll.poll(0, 1024):
            if handler := self.handlers.get(file):
                handler(events)

    def run(self, until, enough=lambda: False):
        while time.monotonic() < until and not enough():
            self.turn()

    def close(self):
        self.poll.close()


class Call:
    """A request, the instant at which it was to begin, and who hears of its answer. `first` is called at the first line of a stream."""
    __slots__ = ("kind", "due", "request", "done", "first", "data", "head", "status")

    def __init__(self, kind, due, request, done, first=None):
        self.kind, self.due, self.request, self.done, self.first = kind, due, request, done, first
        self.data, self.head, self.status = b"", -1, 0


class Connection:
    __slots__ = ("socket", "call", "unsent", "callers", "since")

    def __init__(self, callers):
        self.callers, self.call, self.unsent, self.since = callers, None, b"", 0
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(("127.0.0.1", callers.port))
        callers.loop.watch(self.socket.fileno(), self.handle)

    def send(self, call):
        self.call = call
        self.write(call.request)

    def write(self, data):
        try:
            data = data[self.socket.send(data):]
        except BlockingIOError:
            pass
        except OSError as error:
            return self.broken(str(error))
        if bool(data) != bool(self.unsent):
            self.callers.loop.poll.modify(self.socket.fileno(), select.EPOLLIN | (select.EPOLLOUT if data else 0))
        self.unsent = data

    def handle(self, events):
        if events & select.EPOLLOUT and self.unsent:
            self.write(self.unsent)
        if events & (select.EPOLLIN | select.EPOLLERR | select.EPOLLHUP):
            self.read()

    def read(self):
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError as error:
            return self.broken(str(error))
        call = self.call
        if not data or call is None:
            return self.broken("the connection was closed")
        if call.data:
            data = call.data + data
        if call.head < 0:
            call.head = data.find(b"\r\n\r\n") + 4
            if call.head < 4:
                call.head, call.data = -1, data
                return
            call.status = int(data[9:12])
        call.data = data
        if found := LENGTH.search(data, 0, call.head):
            if len(data) >= call.head + int(found[1]):
                self.answered(call)
            return
        if call.first and len(data) > call.head:
            call.first, first = None, call.first
            first()
        if data.endswith(b"\r\n0\r\n\r\n"):
            self.answered(call)

    def answered(self, call):
        self.call = None
        self.callers.rest(self)
        call.done(call.status, call.data[call.head:])

    def broken(self, sentence):
        call, self.call = self.call, None
        self.callers.loop.forget(self.socket.fileno())
        self.socket.close()
        self.callers.gone(self)
        if call:
            call.done(0, sentence.encode())


class Callers:
    """Connections to a port: the one that was used last is used next, and a new one is opened if all are busy."""

    def __init__(self, loop, port):
        self.loop, self.port, self.all, self.idle = loop, port, set(), collections.deque()

    def send(self, call):
        if self.idle:
            connection = self.idle.pop()
        else:
            connection = Connection(self)
            self.all.add(connection)
        connection.send(call)

    def rest(self, connection):
        connection.since = time.monotonic()
        self.idle.append(connection)

    def gone(self, connection):
        self.all.discard(connection)
        if connection.since and connection in self.idle:
            self.idle.remove(connection)

    def sweep(self):
        """Closes connections that had nothing to do for long."""
        while self.idle and time.monotonic() - self.idle[0].since > IDLE_SECONDS:
            self.idle[0].broken("")

    def busy(self):
        return len(self.all) - len(self.idle)

    def waiting(self):
        return [connection.call for connection in self.all if connection.call]

    def close(self):
        for connection in list(self.all):
            connection.call = None
            connection.broken("")
