// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AppleAdsSchema {
    package static let created = Migration(
        id: "2026-11-21 apple ads: create apple_ads_token and apple_ads_exchange",
        [
            // The owner of a token: the install that sent it first.
            """
            CREATE TABLE apple_ads_token (
              app_id        TEXT   NOT NULL,
              token_hash    TEXT   NOT NULL,
              install_id    TEXT   NOT NULL,
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, token_hash)
            )
            """,
            """
            CREATE TABLE apple_ads_exchange (
              app_id           TEXT   NOT NULL,
              install_id       TEXT   NOT NULL,
              token_hash       TEXT   NOT NULL,
              token            TEXT,             -- erased once the state is final
              state            TEXT   NOT NULL,  -- waiting, attributed, organic, unavailable
              reason           TEXT,             -- where unavailable
              attempts         BIGINT NOT NULL,
              not_found_count  BIGINT NOT NULL,
              is_retry         BIGINT NOT NULL,
              due_at_ms        BIGINT NOT NULL,
              lease_until_ms   BIGINT NOT NULL,  -- nobody takes the row before this; never before due_at_ms
              received_at_ms   BIGINT NOT NULL,
              finished_at_ms   BIGINT,
              PRIMARY KEY (app_id, install_id, token_hash)
            )
            """,
            // The queue: fresh tokens, then retries, each ordered by due time.
            """
            CREATE INDEX apple_ads_exchange_queue ON apple_ads_exchange (is_retry, lease_until_ms) WHERE state = 'waiting'
            """,
        ])

    /// An open exchange becomes a job, whatever its number of tries; a finished one is a row that never changes.
    package static let openOnesAreJobs = Migration(
        id: "2026-11-22 apple ads: open exchanges are jobs",
        [
            """
            INSERT INTO job (app_id, kind, job_key, install_id, payload, is_retry, attempts, due_at_ms, lease_until_ms, created_at_ms)
            SELECT app_id, 'apple_ads', token_hash, install_id, CAST(not_found_count AS TEXT) || ' ' || token, is_retry, attempts,
              due_at_ms, due_at_ms, received_at_ms
            FROM apple_ads_exchange WHERE state = 'waiting' AND token IS NOT NULL
            ON CONFLICT DO NOTHING
            """,
            """
            CREATE TABLE finished_exchange (
              app_id         TEXT   NOT NULL,
              install_id     TEXT   NOT NULL,
              token_hash     TEXT   NOT NULL,
              state          TEXT   NOT NULL,  -- attributed, organic, unavailable
              reason         TEXT,             -- where unavailable
              received_at_ms BIGINT NOT NULL,
              finished_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_id, token_hash)
            )
            """,
            """
            INSERT INTO finished_exchange (app_id, install_id, token_hash, state, reason, received_at_ms, finished_at_ms)
            SELECT app_id, install_id, token_hash, state, reason, received_at_ms, COALESCE(finished_at_ms, due_at_ms)
            FROM apple_ads_exchange WHERE state <> 'waiting'
            """,
            "DROP TABLE apple_ads_exchange",
            "ALTER TABLE finished_exchange RENAME TO apple_ads_exchange",
            """
            CREATE INDEX apple_ads_exchange_by_token ON apple_ads_exchange (app_id, token_hash)
              WHERE reason IS NULL OR reason <> 'tokenReused'
            """,
            """
            CREATE INDEX apple_ads_exchange_finished ON apple_ads_exchange (app_id, finished_at_ms)
              WHERE state IN ('attributed', 'organic')
            """,
        ])
}
