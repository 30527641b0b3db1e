// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum AppleAdsSchema {
    static let created = Migration(
        id: "2026-11-21 apple ads: create apple_ads_token and apple_ads_exchange",
        [
            // Whose a token is: the install that sent it first.
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
            // The queue: fresh tokens, then retries, each by when they may be taken.
            """
            CREATE INDEX apple_ads_exchange_queue ON apple_ads_exchange (is_retry, lease_until_ms) WHERE state = 'waiting'
            """,
        ])
}
