# SPDX-License-Identifier: Apache-2.0
"""Apple's attribution service, in the loop of the callers: it answers each token a tenth of a second after it came."""
import json, re, socket, time

SECONDS = 0.1
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
BODY = json.dumps({
    "attribution": True, "orgId": 1, "campaignId": 542370539, "conversionType": "Download", "claimType": "Click", "adGroupId": 542317095,
    "countryOrRegion": "US", "keywordId": 87675432, "adId": 542317136}).encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class Apple:
    """`told` is called with a token right before its answer."""

    def __init__(self, loop, told=lambda token: None):
        self.loop, self.told, self.open = loop, told, {}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        loop.watch(self.listener.fileno(), self.accept)

    def accept(self, _):
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.open[client.fileno()] = (client, bytearray())
        self.loop.watch(client.fileno(), lambda events, file=client.fileno(): self.read(file))

    def read(self, file):
        client, data = self.open[file]
        try:
            got = client.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            got = b""
        if not got:
            return self.end(file)
        data += got
        while (head := data.find(b"\r\n\r\n") + 4) > 3:
            length = LENGTH.search(data, 0, head)
            end = head + (int(length[1]) if length else 0)
            if len(data) < end:
                return
            token = bytes(data[head:end]).decode(errors="replace")
            del data[:end]
            self.loop.at(time.monotonic() + SECONDS, self.answer, file, client, token)

    def answer(self, file, client, token):
        if self.open.get(file, (None,))[0] is not client:
            return
        self.told(token)
        try:
            client.send(ANSWER)
        except OSError:
            self.end(file)

    def end(self, file):
        client, _ = self.open.pop(file)
        self.loop.forget(file)
        client.close()

    def close(self):
        for file in list(self.open):
            self.end(file)
        self.loop.forget(self.listener.fileno())
        self.listener.close()
