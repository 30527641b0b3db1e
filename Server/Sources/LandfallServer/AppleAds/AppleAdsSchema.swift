// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AppleAdsSchema {
    /// Only finished exchanges, whose rows never change. An open one is a job.
    package static let created = Migration(
        id: "2026-11-28 apple ads: create apple_ads_exchange",
        [
            """
            CREATE TABLE apple_ads_exchange (
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
            // Tells which install had a token first.
            """
            CREATE INDEX apple_ads_exchange_by_token ON apple_ads_exchange (app_id, token_hash)
              WHERE reason IS NULL OR reason <> 'tokenReused'
            """,
            // Retention finds expired rows without reading those that stay.
            """
            CREATE INDEX apple_ads_exchange_finished ON apple_ads_exchange (app_id, finished_at_ms)
              WHERE state IN ('attributed', 'organic')
            """,
        ])
}
