// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ConfigurationSchema {
    /// Versions are added, never changed: an answer's revision can be looked up for ever.
    package static let created = Migration(
        id: "2026-11-21 configuration: create configuration",
        [
            """
            CREATE TABLE configuration (
              version         BIGINT NOT NULL PRIMARY KEY,
              text            TEXT   NOT NULL,  -- the file as it was
              hash            TEXT   NOT NULL,  -- SHA-256 of the text, hexadecimal
              published_at_ms BIGINT NOT NULL
            )
            """
        ])

    /// Until here only files were published. An older release publishes as from its file.
    package static let authored = Migration(
        id: "2026-11-22 configuration: author and message of a version, scheduled versions", olderReleases: .readAndWrite,
        [
            "ALTER TABLE configuration ADD COLUMN author TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE configuration ADD COLUMN message TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE configuration ADD COLUMN source TEXT NOT NULL DEFAULT 'file'",
            """
            CREATE TABLE configuration_schedule (
              app_id        TEXT   NOT NULL,
              schedule_id   TEXT   NOT NULL,
              base          BIGINT NOT NULL,  -- the newest version when it was scheduled
              text          TEXT   NOT NULL,
              hash          TEXT   NOT NULL,
              author        TEXT   NOT NULL,
              message       TEXT   NOT NULL,
              due_at_ms     BIGINT NOT NULL,
              created_at_ms BIGINT NOT NULL,
              state         TEXT   NOT NULL,  -- waiting, published, failed, cancelled
              reason        TEXT,             -- why it failed
              PRIMARY KEY (app_id, schedule_id)
            )
            """,
        ])

    /// A version that waits no more has no text, as those that were published.
    package static let withoutEndedTexts = Migration(
        id: "2026-11-27 configuration: scheduled versions that wait no more have no text", olderReleases: .readAndWrite,
        ["UPDATE configuration_schedule SET text = '' WHERE state <> 'waiting'"])
}
