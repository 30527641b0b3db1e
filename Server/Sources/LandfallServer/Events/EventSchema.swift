// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum EventSchema {
    /// The server's own id is the key: it grows with the time of receipt, so rows are appended at the end, and what is to be
    /// forgotten stands at the start. The install is in the key although the id is enough to tell rows apart: a database that keeps
    /// each install's rows on one of several machines asks for it. What tells a repeated event is a narrow row beside it, kept as long
    /// as a phone may repeat. The install, not the profile, tells events of equal id apart: an event that is sent again after a log-out
    /// is still the same event.
    package static let created = Migration(
        id: "2026-11-28 events: create event, event_key",
        [
            """
            CREATE TABLE event (
              app_id           TEXT   NOT NULL,
              id               TEXT   NOT NULL,  -- UUIDv7 of the server, by the time of receipt
              profile_id       TEXT   NOT NULL,
              install_id       TEXT   NOT NULL,
              event_id         TEXT   NOT NULL,  -- as the phone calls it
              type             TEXT   NOT NULL,
              occurred_at_ms   BIGINT NOT NULL,  -- arrival less the event's age
              received_at_ms   BIGINT NOT NULL,
              placement        TEXT,
              paywall          TEXT,
              variation_id     TEXT,
              audience         TEXT,
              revision         BIGINT,
              origin           TEXT,
              value_milliunits BIGINT,           -- this and the next two: of own events
              currency         TEXT,
              properties       TEXT,             -- JSON object of declared properties
              kept             TEXT,             -- JSON: what audiences read when a paywall was shown, so that it can be explained
              elapsed_ms       BIGINT,           -- of exposures: from the app's question to the answer that was shown
              PRIMARY KEY (app_id, id, install_id)
            )
            """,
            "CREATE INDEX event_by_install ON event (app_id, install_id, id)",
            // For results: what a metric counts is found without other events. Exposures, which are most events, have no entry, so
            // storing them costs no more.
            """
            CREATE INDEX event_by_type ON event (app_id, type, occurred_at_ms, install_id)
              WHERE type <> 'paywall_shown' AND type <> 'paywall_decided'
            """,
            // For reports: exposures come in the order of time, so their entries are added at the end.
            """
            CREATE INDEX event_shown_by_time ON event (app_id, occurred_at_ms, install_id) WHERE type = 'paywall_shown'
            """,
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
        ])
}
