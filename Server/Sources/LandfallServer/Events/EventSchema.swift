// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum EventSchema {
    package static let created = Migration(
        id: "2026-11-21 events: create event",
        [
            """
            CREATE TABLE event (
              app_id         TEXT   NOT NULL,
              event_id       TEXT   NOT NULL,
              install_id     TEXT   NOT NULL,
              profile_id     TEXT   NOT NULL,
              type           TEXT   NOT NULL,
              occurred_at_ms BIGINT NOT NULL,  -- arrival less the event's age
              received_at_ms BIGINT NOT NULL,
              placement      TEXT,
              paywall        TEXT,
              variation_id   TEXT,
              audience       TEXT,
              revision       BIGINT,
              origin         TEXT,
              PRIMARY KEY (app_id, event_id, install_id)
            )
            """
        ])

    /// The server's own id is the key: it grows with the time of receipt, so rows are appended at the end, and what is to be
    /// forgotten stands at the start. What tells a repeated event is a narrow row beside it, kept as long as a phone may repeat.
    /// The install, not the profile, tells events of equal id apart: an event that is sent again after a log-out is still
    /// the same event.
    package static let keyedByReceipt = Migration(
        id: "2026-11-22 events: keyed by when they came, event_key tells repeated ones",
        [
            "ALTER TABLE event RENAME TO event_before",
            """
            CREATE TABLE event (
              app_id         TEXT   NOT NULL,
              id             TEXT   NOT NULL,  -- UUIDv7 of the server, by the time of receipt
              profile_id     TEXT   NOT NULL,
              install_id     TEXT   NOT NULL,
              event_id       TEXT   NOT NULL,  -- as the phone calls it
              type           TEXT   NOT NULL,
              occurred_at_ms BIGINT NOT NULL,  -- arrival less the event's age
              received_at_ms BIGINT NOT NULL,
              placement      TEXT,
              paywall        TEXT,
              variation_id   TEXT,
              audience       TEXT,
              revision       BIGINT,
              origin         TEXT,
              PRIMARY KEY (app_id, id, profile_id)
            )
            """,
            "CREATE INDEX event_by_install ON event (app_id, install_id, id)",
            """
            CREATE TABLE event_key (
              app_id         TEXT   NOT NULL,
              install_id     TEXT   NOT NULL,
              event_id       TEXT   NOT NULL,
              received_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_id, event_id)
            )
            """,
            "CREATE INDEX event_key_by_time ON event_key (app_id, received_at_ms)",
            """
            INSERT INTO event (app_id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms, placement,
              paywall, variation_id, audience, revision, origin, id)
            SELECT app_id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms, placement,
              paywall, variation_id, audience, revision, origin,
              \(idOfEarlierRow)
            FROM event_before WHERE true
            ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO event_key (app_id, install_id, event_id, received_at_ms)
            SELECT app_id, install_id, event_id, received_at_ms FROM event_before
            """,
            "DROP TABLE event_before",
        ])

    /// Null for exposures, and for what is not declared.
    package static let own = Migration(
        id: "2026-11-22 events: value, currency and properties of own events", olderReleases: .readAndWrite,
        [
            "ALTER TABLE event ADD COLUMN value_milliunits BIGINT",
            "ALTER TABLE event ADD COLUMN currency TEXT",
            "ALTER TABLE event ADD COLUMN properties TEXT",  // JSON object of declared properties
        ])

    /// What audiences read when a paywall was shown, so that it can be explained: JSON.
    package static let keeping = Migration(
        id: "2026-11-22 events: kept", olderReleases: .readAndWrite, ["ALTER TABLE event ADD COLUMN kept TEXT"])

    /// From the app's question to the answer that was shown: of exposures.
    package static let elapsed = Migration(
        id: "2026-11-23 events: elapsed_ms", olderReleases: .readAndWrite, ["ALTER TABLE event ADD COLUMN elapsed_ms BIGINT"])

    /// A UUIDv7 by the time of receipt, the rest of it from the phone's id. Neither engine's functions for hexadecimal digits
    /// are the other's.
    private static let idOfEarlierRow: String = {
        let digits = (0..<12).reversed().map { place in
            "substr('0123456789abcdef', CAST(received_at_ms / \(Int64(1) << (4 * place)) % 16 + 1 AS INTEGER), 1)"
        }
        return (digits[..<8] + ["'-'"] + digits[8...] + ["'-7'", "substr(event_id, 16)"]).joined(separator: " || ")
    }()
}
