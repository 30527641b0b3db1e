// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum RetentionSchema {
    package static let created = Migration(
        id: "2026-11-28 retention: create retention_clock",
        [
            """
            CREATE TABLE retention_clock (
              app_id    TEXT   NOT NULL,
              newest_ms BIGINT NOT NULL,  -- the newest time that the retention believed, Unix milliseconds
              PRIMARY KEY (app_id)
            )
            """,
        ])
}
