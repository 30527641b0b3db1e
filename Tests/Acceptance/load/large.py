# SPDX-License-Identifier: Apache-2.0
"""A store of gigabytes: made at once by SQL, grown over 2³¹ bytes by calls, then asked, examined, copied and restored."""
import base64, json, random, shutil, sys, time

from stage import machine, say
from changing import changing
from store import DAY, Checked, Store, day, install

INSTALLS, LOT, DAYS = 20_000, 5_000, 28
BORDER = 2**31
# Of one event: 16 properties of 256 bytes are what the server takes at most, and what audiences read beside them.
WIDE = 4_600


class Rows:
    """Installs and events, as far as the store's size demands. Ids and times rise with the number."""

    def __init__(self, store, seed, size):
        self.store, self.number = store, 0
        self.end = int(time.time() * 1000) - 3_600_000
        self.first = max(self.end - DAYS * DAY, month_begin(self.end)) if store.engine == "postgres" else self.end - DAYS * DAY
        # Milliseconds between two events: a row takes at least as much as its properties.
        self.step = max(1, (self.end - self.first) // (size // WIDE + 1))
        self.filler = json.dumps({"plan": base64.b64encode(random.Random(seed).randbytes(WIDE * 3 // 4)).decode()})

    def fill(self, size):
        """Until the store has that many bytes."""
        if not self.number:
            self.installs()
        while (missing := size - self.store.bytes()) > 0:
            count = max(200, min(40 * LOT, int(missing / (2 * WIDE) if missing < 10**9 else missing / WIDE / 2)))
            self.events(count)
            self.store.move_log()

    def installs(self):
        self.run("""
            INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, app_version,
              os_version, platform, locale, store_country, time_zone, token_none, is_reinstall, created_at_ms, installed_at_ms)
            SELECT 'example', $install, $hash, 'i_' || $install, $first, 2, 1, '2.1.0', '18.1', 'ios', 'en_US', 'US', 'America/New_York',
              'noToken', 0, $first, $first FROM n""", 0, INSTALLS)
        self.run("INSERT INTO install_seen (app_id, install_id, last_seen_at_ms) SELECT 'example', $install, $first FROM n", 0, INSTALLS)
        self.run("""
            INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
            SELECT 'example', 'i_' || $install, 1, NULL, 0, '{"plan":"pro"}', $first FROM n""", 0, INSTALLS)

    def events(self, count):
        for begin in range(self.number, self.number + count, LOT):
            self.run("""
                INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms, placement, paywall,
                  audience, revision, origin, properties)
                SELECT 'example', $id, 'i_' || $owner, $owner, $event, 'paywall_shown', $at, $at, 'onboarding', 'default', 'everyone', 1,
                  'matchingAudience', $filler FROM n""", begin, min(LOT, self.number + count - begin))
        self.number += count

    def run(self, text, begin, count):
        postgres = self.store.engine == "postgres"
        hexed = (lambda value, digits: f"lpad(to_hex({value}), {digits}, '0')") if postgres else (lambda value, digits: f"printf('%0{digits}x', {value})")
        at = f"(CAST({self.first} AS BIGINT) + CAST(i AS BIGINT) * {self.step})"
        values = {
            "$install": f"('{install(0)[:24]}' || {hexed('i', 12)})", "$owner": f"('{install(0)[:24]}' || {hexed(f'i * 7919 % {INSTALLS}', 12)})",
            "$event": f"('0198f0c3-7b1a-7c3d-9e4f-' || {hexed('i', 12)})",
            "$id": f"({hexed(f'{at} / 65536', 8)} || '-' || {hexed(f'{at} % 65536', 4)} || '-7000-8000-' || {hexed('i', 12)})",
            "$hash": "sha256(decode(repeat('00', 32), 'hex'))" if postgres else "X'66687AADF862BD776C8FC18B8E9F8E20089714856EE233B3902A591D0D5F2925'",
            "$first": str(self.first), "$at": at, "$filler": f"'{self.filler}'"}
        for name, value in values.items():
            text = text.replace(name, value)
        if postgres:
            self.store.postgres.psql(text.replace("FROM n", f"FROM generate_series(CAST({begin} AS BIGINT), {begin + count - 1}) AS i"))
            return
        with changing(self.store.data / "landfall.sqlite") as store:
            store.execute("PRAGMA synchronous = OFF")
            # With the text's own WITH in front, SQLite counts up for it.
            store.execute(f"WITH RECURSIVE n(i) AS (SELECT {begin} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {begin + count}) {text}")


def month_begin(ms):
    """Rows of this month are in one part of PostgreSQL's table, which is to pass 2³¹ bytes too."""
    now = time.gmtime(ms / 1000)
    return int((time.time() - (now.tm_mday - 1) * 86_400 - now.tm_hour * 3600 - now.tm_min * 60 - now.tm_sec) * 1000)


def across(store, checked, rows):
    """Events that the server itself writes while the file passes 2³¹ bytes."""
    rows.fill(BORDER - 3 * 2**20)
    store.start()
    before, sent = store.bytes(), 0
    while store.bytes() <= BORDER and sent < 60_000:
        body = {"events": [{"id": f"0198f0c4-7b1a-7c3d-8e4f-{sent + part:012x}", "type": "trial_started", "ageMilliseconds": 0, "value": 9.99,
                            "properties": {"plan": "y" * 256}} for part in range(100)]}
        answer = store.ask("/v1/events", body, sent // 100 % INSTALLS)
        if answer.status != 200 or answer.text.count('"accepted"') != 100:
            return checked.check("across 2^31 bytes", False, f"events were answered {answer}: {answer.text[:200]}")
        sent += 100
    passed = before < BORDER < store.bytes()
    checked.check("across 2^31 bytes", passed, f"{sent:,} events were acknowledged while the file grew from {before:,} to {store.bytes():,} bytes")
    checked.equal("events sent across 2^31 bytes are stored", store.rows("SELECT count(*) FROM event WHERE type = 'trial_started'"), sent)
    store.stop()
    return sent


def large(options, folder):
    checked, need = Checked(), 3 * options.store_bytes + 2 * 10**9
    free = shutil.disk_usage(folder).free
    if free < need + shutil.disk_usage(folder).total // 10:
        sys.exit(f"{folder} has {free / 1e9:.0f} GB free. This run needs {need / 1e9:.0f} GB beside the tenth that the server keeps; TMPDIR names another disk.")
    with Store(folder / "store", options.engine) as store:
        # The server itself makes the tables.
        store.start()
        store.stop()
        rows, begun = Rows(store, options.seed, options.store_bytes), time.monotonic()
        sent = across(store, checked, rows) if options.engine == "sqlite" and options.store_bytes > BORDER else 0
        rows.fill(options.store_bytes)
        store.change("DELETE FROM report_state")
        if options.engine == "postgres":
            store.postgres.psql("VACUUM ANALYZE")
            largest = store.rows("SELECT max(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'")
            checked.check("one table", largest > min(BORDER, options.store_bytes // 4), f"the largest has {largest:,} bytes")
        say(f"  {store.bytes():,} bytes with {rows.number:,} events, made in {time.monotonic() - begun:.0f} s")
        examined(store, checked, rows, sent)
        copied(store, checked, rows, sent, folder)
    return checked.document(engine=options.engine, storeBytes=options.store_bytes, events=rows.number + sent, machine=machine())


def examined(store, checked, rows, sent):
    checked.took("start", store.start(), 10)
    opening = {"device": {"platform": "ios"}, "adToken": {"none": "noToken"}, "placements": [{"id": "onboarding"}]}
    for name, path, body, number in (
        ("first open", "/v1/first-open", opening, INSTALLS + 1), ("paywall of a stored install", "/v1/placements/onboarding/paywall", None, 7),
        ("profile of a stored install", "/v1/profiles/me", None, INSTALLS - 1),
        ("an event", "/v1/events", {"events": [{"id": install(1 << 40), "type": "paywall_shown", "ageMilliseconds": 0, "placement": "onboarding",
                                               "paywall": "default"}]}, 7)):
        begun = time.monotonic()
        answer = store.ask(path, body, number)
        checked.check(name, answer.status == 200, f"{answer} after {(time.monotonic() - begun) * 1000:.0f} ms")
    if store.engine == "sqlite":
        checked.equal("landfall_store_bytes is the file's size", int(store.metric("landfall_store_bytes")), store.bytes())
    checked.equal("rows of events", store.rows("SELECT count(*) FROM event"), rows.number + sent + 1)
    for finding in store.command("doctor", "--local", "--store"):
        if finding["check"] in ("store", "durability", "schema", "disk", "database", "configuration") or not finding["ok"]:
            checked.check(f"doctor --store: {finding['check']}", finding["ok"] or finding["check"] in ("sync", "backup", "openFiles"), finding["message"])


def copied(store, checked, rows, sent, folder):
    copy, events = folder / "copy.sqlite", rows.number + sent + 1
    made = store.command("backup", copy)
    checked.equal("bytes of the backup are its file's", made["bytes"], copy.stat().st_size)
    checked.took("backup", made["milliseconds"] / 1000)
    checked.check("stops", store.stop(), "by itself")
    if store.engine == "sqlite":
        # Three copies at once are not needed.
        shutil.rmtree(store.data)
    else:
        store.use(store.postgres.database("restored"))
        store.postgres.psql("DROP DATABASE landfall", "postgres")
    begun = time.monotonic()
    restored = store.command("restore", copy)
    checked.took("restore", time.monotonic() - begun)
    if store.engine == "sqlite":
        checked.equal("bytes of the restored store are its file's", restored["bytes"], store.bytes())
    copy.unlink()
    checked.took("start on the restored store", store.start(), 10)
    checked.equal("rows of events, restored", store.rows("SELECT count(*) FROM event"), events)
    answer = store.ask("/v1/profiles/me", None, 7)
    checked.check("profile of a stored install, restored", answer.status == 200, str(answer))
    checked.took("counted for reports", store.counted(int(time.time() * 1000)))
    window = f"from={day(rows.first)}&to={day(int(time.time() * 1000))}&by="
    totals = store.report("paywalls", window)["totals"]
    checked.equal("exposures of the report", int(totals["exposures"]), rows.number + 1)
    checked.check("stops again", store.stop(), "by itself")
