# SPDX-License-Identifier: Apache-2.0
"""What every stage does: phones and callers, then the fault, then a while in which everything works again, and the count at the end."""
import contextlib, json, os, random, subprocess, threading, time

from callers import Holder, Memory, Writer
from ending import Built, ends_with_us, until
from server import Landfall

KEY_LINES = "  - serverFrom: LANDFALL_SERVER_KEY\n    may: [links]\n\n# The hosts"
WRITERS, HOLDERS = 4, 6


class Play(Built):
    """`unharmed`: every call is to be answered, and every stream to have its end line. `outcomes`: those that first opens may have (see
    Holder.hold). `held`: the least share of them that is to be held as long as it has to be. `old`: another release, with `old_phones`
    that of the phones."""

    def __init__(self, folder, seed, phones, unharmed=False, outcomes=None, held=0.5, old=None, old_phones=False):
        super().__init__()
        self.folder, self.seed, self.phones, self.old, self.old_phones = folder, seed, phones, old, old_phones
        self.unharmed, self.outcomes, self.held = unharmed, {"end"} if unharmed else outcomes, 0 if unharmed else held
        self.dice, self.memory = random.Random(seed), Memory()
        # More of what was acknowledged is lost, doubled, or not as it has to be.
        self.lost, self.doubled = [], []

    def play(self, fault, seconds):
        """At `self.port` callers and phones find the server, at `self.apple` it finds Apple; `self.store` has `rows`."""
        stopping = threading.Event()
        with self.phone_run() as phones:
            callers = [kind(self.port, self.memory, stopping, f"{self.seed} {kind.__name__} {number}")
                       for kind, count in ((Writer, WRITERS), (Holder, HOLDERS)) for number in range(count)]
            for caller in callers:
                caller.start()
            try:
                until(lambda: self.memory.count() > 20, 20, "Callers are answered")
                # Ids of phones are of version 7, those of callers of version 4.
                until(lambda: not phones or self.store.rows("SELECT 1 FROM install WHERE substr(install_id, 15, 1) = '7' LIMIT 1"), 30,
                      "A phone has opened the app")
                fault(self)
                acknowledged = self.memory.count()
                time.sleep(seconds)
                if self.memory.count() == acknowledged:
                    self.note(f"nothing was acknowledged in the {seconds} s after the fault")
                self.check_health()
                if phones:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        phones.process.wait(90)
            finally:
                stopping.set()
            end = time.monotonic() + 60
            for caller in callers:
                caller.join(max(0.1, end - time.monotonic()))
            if any(caller.is_alive() for caller in callers):
                self.note("a caller still waits for an answer a minute later")
            return self.report(phones)

    def phone_run(self):
        if not self.phones:
            return contextlib.nullcontext()
        with chosen(self.old if self.old_phones else None):
            return Landfall(
                self.folder / "phones", "simulate", "--phones", str(self.phones), "--seed", str(self.seed), "--json", "--through",
                f"http://127.0.0.1:{self.port}", "--apple-port", str(self.apple), "--starts-per-second", "3", limit=ends_with_us)

    def check_health(self):
        """After the fault."""

    def note(self, sentence):
        self.memory.cause("course", sentence)

    def report(self, phones):
        lost, doubled = self.memory.compare(self.store)
        lost, doubled = lost + self.lost, doubled + self.doubled
        if self.unharmed and set(self.memory.statuses) - {200}:
            self.note(f"not every call was answered with 200: {dict(self.memory.statuses)}")
        opens = self.memory.opens
        if wrong := set(opens) - self.outcomes if self.outcomes else set():
            self.note(f"first opens ended otherwise than with {' or '.join(sorted(self.outcomes))}: {dict(opens)}")
            self.memory.causes["open"] = [sentence for outcome in wrong for sentence in self.memory.endings[outcome]]
        if self.memory.share_held() < self.held:
            self.note(f"only {self.memory.share_held():.0%} of the first opens were held as long as they had to be: {dict(opens)}")
        causes = self.memory.samples(lost, doubled)
        count, late, sentences = phone_report(phones) if phones else (0, 0, [])
        return {
            "acknowledged": self.memory.count(), "lost": len(lost), "doubled": len(doubled), "phones": count, "late": late,
            "causes": causes + sentences}


def phone_report(phones):
    """How many there were, how many were late, and the causes."""
    try:
        report = json.loads(phones.output.read_text())
        count, late, without = report["phones"], report["landfall"]["late"], report["landfall"]["withoutPaywall"]
    except (ValueError, KeyError):
        return 0, 0, [str(phones.failure("The phones have no report"))]
    causes = [line for line in phones.log.read_text().splitlines() if "was late" in line][:5] if late else []
    return count, late, causes + ([f"{without} phone(s) showed no paywall"] if without else [])


@contextlib.contextmanager
def chosen(binary):
    """Commands that start inside are of this binary."""
    before = os.environ.get("LANDFALL_BINARY")
    if binary:
        os.environ["LANDFALL_BINARY"] = str(binary)
    yield
    if binary:
        os.environ.pop("LANDFALL_BINARY") if before is None else os.environ.update(LANDFALL_BINARY=before)
