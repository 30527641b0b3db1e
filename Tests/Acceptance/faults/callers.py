# SPDX-License-Identifier: Apache-2.0
"""Callers that know of the server only its public calls: they remember what was acknowledged, and count it in the database."""
import base64, collections, http.client, json, pathlib, random, re, sys, threading, time, uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from server import SAFARI, ask, phone

BRAND, SERVER_KEY = "brandname.go.link", "sk_" + "k" * 43
SAMPLES = 5
# A node is away, or the database is: the caller comes again later.
LATER = {502, 503}
TROUBLE = (OSError, http.client.HTTPException, ValueError)


class Memory:
    """What all callers sent and what was acknowledged, by the kind of a fact: its key, and when."""

    def __init__(self):
        self.lock, self.begun = threading.Lock(), time.monotonic()
        self.sent, self.acknowledged = collections.defaultdict(set), collections.defaultdict(dict)
        self.statuses, self.causes = collections.Counter(), collections.defaultdict(list)
        # How first opens ended (see Holder.hold), and how many of them were held as long as they had to be.
        self.opens, self.endings, self.held = collections.Counter(), collections.defaultdict(list), 0
        self.longest = 0
        # Where the record of the disk was at an acknowledgement, see Disk.place.
        self.place, self.places = lambda: 0, {}

    def now(self):
        return time.monotonic() - self.begun

    def cause(self, kind, sentence):
        with self.lock:
            self.causes[kind].append(f"at {self.now():.1f} s: {sentence}")

    def sends(self, kind, keys):
        with self.lock:
            self.sent[kind].update(keys)

    def acknowledges(self, kind, keys):
        with self.lock:
            place = self.place()
            for key in keys:
                self.acknowledged[kind].setdefault(key, self.now())
                self.places.setdefault((kind, key), place)

    def count(self):
        with self.lock:
            return sum(map(len, self.acknowledged.values()))

    def answered(self, status, took, sentence):
        with self.lock:
            self.statuses[status] += 1
            self.longest = max(self.longest, took)
        if isinstance(status, int) and status >= 400 and status not in LATER:
            self.cause(f"answer {status}", sentence)

    def opened(self, outcome, was_held, sentence):
        with self.lock:
            self.endings[outcome].append(f"at {self.now():.1f} s: {sentence}")
            self.opens[outcome] += 1
            self.held += was_held

    def share_held(self):
        return self.held / max(1, sum(self.opens.values()))

    def compare(self, store, until=None):
        """What is lost and doubled; of what was acknowledged up to that place of the disk's record."""
        stored = {
            "event": store.rows("SELECT install_id || ' ' || event_id, count(*) FROM event GROUP BY 1"),
            "link": store.rows("SELECT path, count(*) FROM link GROUP BY 1"),
            # With the token that the page handed out.
            "click": store.rows(
                "SELECT split_part(original, '=', 2), count(*) FROM deferred_link JOIN click USING (app_id, click_id) GROUP BY 1")}
        lost, doubled = [], []
        for kind, keys in self.sent.items():
            there = {key: int(count) for key, count in stored[kind]}
            lost += [f"lost: {kind} {key}, acknowledged at {at:.1f} s" for key, at in self.acknowledged[kind].items()
                     if key not in there and (until is None or self.places[kind, key] <= until)]
            doubled += [f"doubled: {kind} {key}, {there[key]} times" for key in keys if there.get(key, 0) > 1]
        return lost, doubled

    def samples(self, *others):
        """Some of each kind of cause, and how many more there were."""
        lines = []
        for kind in [*others, *self.causes.values()]:
            lines += kind[:SAMPLES]
            if len(kind) > SAMPLES:
                lines.append(f"… {len(kind) - SAMPLES} more")
        return lines


class Caller(threading.Thread):
    """A caller with its own random numbers. It goes on until `stopping`, and then once more with what was not acknowledged."""

    def __init__(self, port, memory, stopping, seed):
        super().__init__(daemon=True)
        self.port, self.memory, self.stopping, self.dice = port, memory, stopping, random.Random(seed)
        self.address = f"10.{self.dice.randrange(256)}.{self.dice.randrange(256)}.{self.dice.randrange(1, 255)}"

    def key(self):
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

    def install(self):
        return phone(self.key(), base64.urlsafe_b64encode(self.dice.randbytes(32)).decode().rstrip("="))

    def call(self, path, body=None, fields={}, host=None, seconds=70):
        """The answer, or nil after a broken connection."""
        begun, answer = time.monotonic(), None
        try:
            answer = ask(self.port, path, body, {"X-Forwarded-For": self.address, **fields}, host, seconds=seconds)
            status = answer.status
        except TROUBLE as error:
            status = type(error).__name__
        took = time.monotonic() - begun
        self.memory.answered(status, took, f"{path} was answered {answer}: {answer.text[:200] if answer else status}")
        return answer if answer and answer.status < 300 else None

    def pause(self):
        """False if it is to stop."""
        return not self.stopping.wait(self.dice.uniform(0.02, 0.1))

    def repeat(self, attempt, seconds=40):
        """Until it is acknowledged, as a phone does; once the caller is to stop, for so long."""
        end = None
        while not attempt():
            if self.stopping.wait(0.2):
                end = end or time.monotonic() + seconds
                if time.monotonic() > end:
                    self.memory.cause("given up", f"a caller gave up: its call was not acknowledged in the last {seconds} s, in which nothing failed")
                    return
                time.sleep(0.2)


class Writer(Caller):
    """Records events of an install, makes links and taps a link, each with a key of its own."""

    def run(self):
        self.who, self.id = None, None
        while self.pause():
            kind = self.dice.choices([self.events, self.link, self.click], [5, 2, 3])[0]
            # Now and then it is another install.
            if not self.who or self.dice.random() < 0.05:
                self.who = self.install()
                self.id = self.who["Landfall-Profile"].split(".")[0]
            kind()

    def events(self):
        ids = [self.key() for _ in range(self.dice.randint(1, 4))]
        keys = {id: f"{self.id} {id}" for id in ids}
        self.memory.sends("event", keys.values())

        def attempt():
            answer = self.call("/v1/events", {"events": [{"id": id, "type": "opened", "ageMilliseconds": 0} for id in ids]}, self.who)
            if not answer:
                return False
            results = answer.json()["results"]
            self.memory.acknowledges("event", [keys[each["id"]] for each in results if each["status"] in ("accepted", "duplicate")])
            if any(each["status"] == "rejected" for each in results) or len(results) != len(ids):
                self.memory.cause("rejected", f"events were not taken: {answer.text[:200]}")
            return True
        self.repeat(attempt)

    def link(self):
        path = "/" + self.key()
        self.memory.sends("link", [path])

        def attempt():
            link = {"domain": BRAND, "suffix": path, "to": f"https://{BRAND}/summer-clothes?promo=fault"}
            answer = self.call("/v1/links", {"links": [link]}, {"Authorization": f"Bearer {SERVER_KEY}"})
            if not answer:
                return False
            if answer.json()["links"][0]["status"] in ("made", "unchanged"):
                self.memory.acknowledges("link", [path])
            else:
                self.memory.cause("refused", f"a link was not made: {answer.text[:200]}")
            return True
        self.repeat(attempt)

    def click(self):
        """A tap is not repeated. Its page has a token only if the click is stored; without one it promises nothing."""
        key = self.key()
        self.memory.sends("click", [key])
        answer = self.call(f"/welcome?utm_content={key}", fields={"User-Agent": SAFARI}, host=BRAND)
        if answer and re.search("lf_token=", answer.text):
            self.memory.acknowledges("click", [key])


class Holder(Caller):
    """First opens whose streams are held: each has to end with its hold, whatever happens to node and database. If one ends before, the
    next one waits for the rest of its hold: the share of those that were held is one of time too."""
    TOLERANCE = 1

    def run(self):
        while self.pause():
            hold = self.dice.randint(2_000, 6_000) / 1000
            took, outcome, ending = self.hold(hold, self.port)
            sentence = f"a hold of {hold:.1f} s was open for {took:.1f} s ({ending})"
            self.memory.opened(outcome, outcome == "end" and abs(took - hold) <= self.TOLERANCE, sentence)
            if took > hold + self.TOLERANCE:
                self.memory.cause("hold", sentence)
            self.stopping.wait(max(0, hold - took))

    def hold(self, seconds, port, who=None, opened=lambda: None):
        """How long the stream was open; its outcome: 'end' if its last line is the end line, 'broken off' if it is not, or else the status or
        the error; and how it ended, in words. `opened` is called at its first line."""
        begun, line, outcome = time.monotonic(), b"", None
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds + 30)
        body = {
            "device": {"platform": "ios"}, "adToken": "coming", "placements": [{"id": "onboarding"}],
            "holdMilliseconds": int(seconds * 1000)}
        try:
            connection.request("POST", "/v1/first-open", json.dumps(body), {"X-Forwarded-For": self.address, **(who or self.install())})
            answer = connection.getresponse()
            outcome = "broken off" if answer.status == 200 else answer.status
            # Between documents are empty lines, which show that the connection lives.
            for number, line in enumerate(line for line in answer if line.strip()):
                if number == 0:
                    opened()
                if answer.status == 200:
                    outcome = "end" if json.loads(line).get("type") == "end" else "broken off"
            ending = f"status {answer.status}, its last line {line[:80]!r}"
            if answer.status >= 400 and answer.status not in LATER:
                self.memory.cause(f"answer {answer.status}", f"/v1/first-open: {line[:200]!r}")
        except TROUBLE as error:
            outcome, ending = outcome or type(error).__name__, f"{type(error).__name__}: {error}"
        finally:
            connection.close()
        return time.monotonic() - begun, outcome, ending

    def wakes(self, port, other):
        """How long a stream of one node is open whose end is reported to another node half a second after its first line."""
        who = self.install()

        def report():
            ask(other, "/v1/profiles/me/ad-token", {"none": "simulator"}, {"X-Forwarded-For": self.address, **who})
        return self.hold(8, port, who, lambda: threading.Timer(0.5, report).start())
