// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum WebhookSchema {
    package static let created = Migration(
        id: "2026-12-01 webhooks: create webhook_outbox, webhook_message, webhook_delivery, webhook_endpoint, webhook_sequence",
        [
            // A row of a transaction whose facts some endpoint wants to know. It is gone within a second, or once an endpoint
            // takes messages again, so nothing but what erases people is an index.
            """
            CREATE TABLE webhook_outbox (
              app_id        TEXT   NOT NULL,
              outbox_id     TEXT   NOT NULL,  -- UUIDv7, or that with a number: the id of its first message
              profile_id    TEXT,
              install_id    TEXT,
              facts         TEXT   NOT NULL,  -- JSON list
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, outbox_id)
            )
            """,
            "CREATE INDEX webhook_outbox_by_install ON webhook_outbox (app_id, install_id) WHERE install_id IS NOT NULL",
            "CREATE INDEX webhook_outbox_by_profile ON webhook_outbox (app_id, profile_id) WHERE profile_id IS NOT NULL",
            // One fact, as every endpoint gets it. It goes with its last delivery.
            """
            CREATE TABLE webhook_message (
              app_id        TEXT   NOT NULL,
              message_id    TEXT   NOT NULL,  -- webhook-id
              sequence      BIGINT NOT NULL,
              profile_id    TEXT,
              install_id    TEXT,
              body          TEXT   NOT NULL,
              PRIMARY KEY (app_id, message_id)
            )
            """,
            "CREATE INDEX webhook_message_by_sequence ON webhook_message (app_id, sequence)",
            "CREATE INDEX webhook_message_by_install ON webhook_message (app_id, install_id) WHERE install_id IS NOT NULL",
            "CREATE INDEX webhook_message_by_profile ON webhook_message (app_id, profile_id) WHERE profile_id IS NOT NULL",
            """
            CREATE TABLE webhook_delivery (
              app_id        TEXT   NOT NULL,
              message_id    TEXT   NOT NULL,
              endpoint      TEXT   NOT NULL,  -- hash of its address
              attempts      BIGINT NOT NULL,
              due_at_ms     BIGINT NOT NULL,
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, message_id, endpoint)
            )
            """,
            "CREATE INDEX webhook_delivery_by_time ON webhook_delivery (app_id, endpoint, due_at_ms)",
            """
            CREATE TABLE webhook_endpoint (
              app_id           TEXT   NOT NULL,
              endpoint         TEXT   NOT NULL,
              off_at_ms        BIGINT,           -- since its answer 410
              failing_since_ms BIGINT,
              last_failure     TEXT,
              given_up         BIGINT NOT NULL,
              PRIMARY KEY (app_id, endpoint)
            )
            """,
            """
            CREATE TABLE webhook_sequence (
              app_id   TEXT   NOT NULL PRIMARY KEY,
              sequence BIGINT NOT NULL,  -- the highest that was given
              dropped  BIGINT NOT NULL   -- deliveries that no longer had room
            )
            """,
        ])

    /// What has ended stays for a while, with the answer. `due_at_ms` of such a row is in no time, so nothing sends it.
    package static let kept = Migration(
        id: "2026-12-02 webhooks: keep deliveries that have ended, and their answers",
        [
            "ALTER TABLE webhook_delivery ADD COLUMN outcome TEXT",  // NULL while it waits
            "ALTER TABLE webhook_delivery ADD COLUMN status BIGINT",  // of the last answer
            "ALTER TABLE webhook_delivery ADD COLUMN answer TEXT",  // its beginning
            "ALTER TABLE webhook_delivery ADD COLUMN failure TEXT",
            "ALTER TABLE webhook_delivery ADD COLUMN tried_at_ms BIGINT",
            // Ids begin with their time, so this is a list by time.
            "CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (app_id, endpoint, message_id)",
            // Of messages up to this number nothing that has ended is kept.
            "ALTER TABLE webhook_sequence ADD COLUMN forgotten BIGINT NOT NULL DEFAULT 0",
        ])
}
