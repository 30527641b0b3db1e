// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum RetentionSchema {
    /// Expired rows are found without reading the rows that stay.
    package static let byTime = Migration(
        id: "2026-11-22 retention: rows found when their time is over",
        [
            "CREATE INDEX request_key_by_time ON request_key (app_id, created_at_ms)",
            "CREATE INDEX apple_ads_token_by_time ON apple_ads_token (app_id, created_at_ms)",
            """
            CREATE INDEX apple_ads_exchange_finished ON apple_ads_exchange (app_id, finished_at_ms)
              WHERE state IN ('attributed', 'organic')
            """,
            "CREATE INDEX absence_by_time ON absence (app_id, ended_at_ms)",
            "CREATE INDEX install_by_seen ON install (app_id, last_seen_at_ms)",
            "CREATE INDEX former_profile_by_time ON former_profile (app_id, left_at_ms)",
        ])
}
