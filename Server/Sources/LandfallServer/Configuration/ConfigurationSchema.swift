// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ConfigurationSchema {
    package static let created = Migration(
        id: "2026-11-28 configuration: create configuration, configuration_schedule, key_use",
        [
            // Versions are added, never changed: an answer's revision can be looked up for ever.
            """
            CREATE TABLE configuration (
              version         BIGINT NOT NULL PRIMARY KEY,
              text            TEXT   NOT NULL,  -- the file as it was
              hash            TEXT   NOT NULL,  -- SHA-256 of the text, hexadecimal
              published_at_ms BIGINT NOT NULL,
              author          TEXT   NOT NULL DEFAULT '',
              message         TEXT   NOT NULL DEFAULT '',
              source          TEXT   NOT NULL DEFAULT 'file'
            )
            """,
            """
            CREATE TABLE configuration_schedule (
              app_id        TEXT   NOT NULL,
              schedule_id   TEXT   NOT NULL,
              base          BIGINT NOT NULL,  -- the newest version when it was scheduled
              text          TEXT   NOT NULL,  -- empty once it waits no more
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
            """
            CREATE TABLE key_use (
              app_id       TEXT   NOT NULL,
              key_id       TEXT   NOT NULL,  -- kind and 64 bits of the key's hash
              last_used_ms BIGINT NOT NULL,  -- precise to a minute
              PRIMARY KEY (app_id, key_id)
            )
            """,
        ])

    /// For charts: the versions of some days are found without reading the others, each of which has a whole file.
    package static let byTime = Migration(
        id: "2026-12-06 configuration: create configuration_by_time", olderReleases: .readAndWrite,
        ["CREATE INDEX configuration_by_time ON configuration (published_at_ms)"])
}
