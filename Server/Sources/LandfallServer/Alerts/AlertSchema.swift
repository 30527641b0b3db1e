// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AlertSchema {
    package static let created = Migration(
        id: "2026-12-04 alerts: create alert_state, alert_message",
        [
            """
            CREATE TABLE alert_state (
              app_id         TEXT   NOT NULL,
              rule           TEXT   NOT NULL,
              subject        TEXT   NOT NULL,  -- a host of the team's; empty where the rule is about the whole server
              since_ms       BIGINT NOT NULL,
              quiet_since_ms BIGINT,
              fired_at_ms    BIGINT,           -- NULL while it has not lasted long enough
              value          BIGINT,           -- in the rule's unit
              limit_value    BIGINT,
              detail         TEXT   NOT NULL,
              PRIMARY KEY (app_id, rule, subject)
            )
            """,
            // What people have not been told yet: a row for each destination.
            """
            CREATE TABLE alert_message (
              app_id        TEXT   NOT NULL,
              message_id    TEXT   NOT NULL,
              destination   TEXT   NOT NULL,
              news          TEXT   NOT NULL,  -- JSON
              attempts      BIGINT NOT NULL,
              due_at_ms     BIGINT NOT NULL,
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, message_id, destination)
            )
            """,
        ])
}
