// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum DailyExportSchema {
    package static let created = Migration(
        id: "2026-12-03 exports: create export_progress",
        [
            // One row for an app: how far the files of the configuration are written.
            """
            CREATE TABLE export_progress (
              app_id           TEXT   NOT NULL,
              series           TEXT   NOT NULL,  -- the format and the place
              day              BIGINT,           -- since 1970, UTC: the last one whose files and manifest are written
              files            TEXT   NOT NULL,  -- JSON: those of the next day that are written
              next_at_ms       BIGINT NOT NULL,  -- after a failure: not before
              failures         BIGINT NOT NULL,  -- since the last file
              failing_since_ms BIGINT,
              detail           TEXT,
              written_at_ms    BIGINT,           -- of the last file
              PRIMARY KEY (app_id)
            )
            """
        ])
}
