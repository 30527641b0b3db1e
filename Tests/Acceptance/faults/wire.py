# SPDX-License-Identifier: Apache-2.0
"""The way between a node and its database: it passes bytes on, and cuts, stalls or slows them down when it is told to.

It reads PostgreSQL's messages from the client: so it can cut right before a COMMIT goes out, or after it and before its answer."""
import asyncio, socket, struct, threading

ENCRYPTION, CANCEL = {80877103, 80877104}, 80877102
COMMIT = b"COMMIT"


class Messages:
    """Cuts a client's bytes into whole messages, and knows which of them begin a COMMIT: its text alone, or bound by a name."""

    def __init__(self):
        self.rest, self.started, self.texts = b"", False, {}

    def take(self, data):
        """The messages that are complete now, each with whether it begins a COMMIT."""
        self.rest += data
        while True:
            head = 1 if self.started else 0
            if len(self.rest) < head + 4:
                return
            length = head + struct.unpack_from("!I", self.rest, head)[0]
            if len(self.rest) < length:
                return
            message, self.rest = self.rest[:length], self.rest[length:]
            yield message, self.commits(message)

    def commits(self, message):
        if not self.started:
            self.started = struct.unpack_from("!I", message, 4)[0] not in ENCRYPTION
            return False
        kind, words = message[:1], message[5:].split(b"\0")
        if kind == b"P":
            self.texts[words[0]] = words[1].strip().upper()
        if kind == b"B":
            return self.texts.get(words[1]) == COMMIT
        return kind == b"Q" and words[0].strip(b" ;").upper() == COMMIT


class Wire:
    """One node's way to the database. What it does is said by its fields, which any thread may set."""

    def __init__(self, target, dice):
        self.target, self.dice = target, dice
        # The share of COMMITs at which a connection is cut; `cut` is 'before' or 'after'.
        self.cut, self.share = None, 0.0
        self.stalled, self.refuses, self.bytewise, self.delay = False, False, False, 0.0
        # Seconds for each byte, with `bytewise`; the share of new connections that are refused; what answers in the server's place.
        self.pace, self.flapping, self.lie = 0.0, 0.0, None
        self.lies = 0
        self.open = set()
        self.cuts = self.commits = 0
        self.port = None

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()
        return self

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()
        for task in (tasks := asyncio.all_tasks(self.loop)):
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    async def serve(self, reader, writer):
        if self.refuses or self.flapping and self.dice.random() < self.flapping:
            return writer.transport.abort()
        try:
            upstream_reader, upstream_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.transport.abort()
        for each in (writer, upstream_writer):
            each.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = self.connections(self, writer, upstream_writer)
        tasks = [asyncio.ensure_future(task) for task in (
            connection.read_client(reader), connection.read_server(upstream_reader),
            connection.write(connection.to_server, upstream_writer), connection.write(connection.to_client, writer))]
        self.open.add(tasks[0])
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # At the end, with everything else: asyncio would report it as an error.
            pass
        finally:
            self.open.discard(tasks[0])
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for each in (writer, upstream_writer):
                each.transport.abort() if self.dice.random() < 0.5 else each.close()

    def sever(self):
        """Ends every open connection."""
        self.loop.call_soon_threadsafe(lambda: [task.cancel() for task in list(self.open)])

    def is_cut_here(self):
        self.commits += 1
        if not self.cut or self.dice.random() >= self.share:
            return False
        self.cuts += 1
        return True


class Connection:
    """A connection of a client. The first of its four tasks that ends, ends it."""

    def __init__(self, wire, client, server):
        self.wire, self.client, self.server = wire, client, server
        self.to_server, self.to_client = asyncio.Queue(), asyncio.Queue()
        self.is_deaf = False
        self.answered = asyncio.Event()

    def due(self):
        return asyncio.get_running_loop().time() + self.wire.delay

    async def read_client(self, reader):
        messages = Messages()
        while data := await reader.read(65536):
            passed = b""
            for message, commits in messages.take(data):
                if commits and not self.is_deaf and self.wire.is_cut_here():
                    if self.wire.cut == "before":
                        # What stands before it arrives: the transaction is open, and then its client is gone.
                        self.server.write(passed)
                        await self.server.drain()
                        return
                    self.is_deaf = True
                passed += message
            if passed:
                self.to_server.put_nowait((self.due(), passed))
            if self.is_deaf:
                if self.wire.dice.random() < 0.5:
                    # The engine has committed; in the other half the cut may overtake that.
                    await asyncio.wait_for(self.answered.wait(), 5)
                await asyncio.sleep(0.001)
                return

    async def read_server(self, reader):
        while data := await reader.read(65536):
            if self.is_deaf:
                self.answered.set()
            else:
                self.to_client.put_nowait((self.due(), data))
        # What was read before the end is still passed on.
        while not self.to_client.empty():
            await asyncio.sleep(0.01)

    async def write(self, queue, writer):
        while True:
            due, data = await queue.get()
            if (wait := due - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(wait)
            while self.wire.stalled:
                await asyncio.sleep(0.02)
            for piece in (data[at:at + 1] for at in range(len(data))) if self.wire.bytewise else [data]:
                writer.write(piece)
                await writer.drain()
                if self.wire.bytewise and self.wire.pace:
                    await asyncio.sleep(self.wire.pace)


class PlainConnection(Connection):
    """Of any protocol."""

    async def read_client(self, reader):
        while data := await reader.read(65536):
            if self.wire.lie:
                self.wire.lies += 1
                self.client.write(self.wire.lie(data))
                await self.client.drain()
                return
            if self.wire.flapping and self.wire.dice.random() < self.wire.flapping:
                return
            self.to_server.put_nowait((self.due(), data))


class PlainWire(Wire):
    connections = PlainConnection


Wire.connections = Connection
