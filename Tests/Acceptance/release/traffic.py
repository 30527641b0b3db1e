# SPDX-License-Identifier: Apache-2.0
"""First opens of ever new phones, and taps on a link, through a proxy: until they are told to end."""
import collections, secrets, threading, time, uuid

from server import SAFARI, ask, phone


class Traffic:
    """Four phones at a time. Each repeats what was not answered, as the SDK does: the same call, after a second."""

    PHONES = 4

    def __init__(self, port, host, links, opening):
        self.port, self.host, self.links, self.opening = port, host, links, opening
        self.answered, self.longest, self.refused, self.lost = 0, 0.0, collections.Counter(), []
        self.versions = set()
        self.lock, self.over = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self.calls, daemon=True) for _ in range(self.PHONES)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def ends(self):
        self.over.set()
        for thread in self.threads:
            thread.join(60)

    def __exit__(self, *_):
        self.ends()

    def calls(self):
        while not self.over.wait(0.02):
            fields = phone(str(uuid.uuid4()), secrets.token_urlsafe(32))
            self.call("a first open", "/v1/first-open", self.opening, fields, self.host)
            self.call("a link", "/beach", None, {"User-Agent": SAFARI}, self.links)

    def call(self, what, path, body, fields, host):
        begun = time.monotonic()
        for _ in range(20):
            try:
                answer = ask(self.port, path, body, fields, host=host, seconds=15)
                if answer.status < 400:
                    with self.lock:
                        self.answered += 1
                        self.longest = max(self.longest, time.monotonic() - begun)
                        self.versions.add(answer.fields["Landfall-Version"])
                    return
                error = str(answer)
            except OSError as failure:
                error = type(failure).__name__
            with self.lock:
                self.refused[f"{what}: {error}"] += 1
            time.sleep(1)
        with self.lock:
            self.lost.append(f"{what}: {error}")

    def __str__(self):
        again = f", {sum(self.refused.values())} sent again ({dict(self.refused)})" if self.refused else ""
        return f"{self.answered} calls answered{again}, the longest after {self.longest:.1f} s"
