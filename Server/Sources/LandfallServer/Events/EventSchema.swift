// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum EventSchema {
    /// The id comes before the install in the key: ids grow with time, so rows are appended at the end of the index.
    /// The install, not the profile, tells events of equal id apart: an event that is sent again after a log-out is still
    /// the same event.
    static let created = Migration(
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
}
