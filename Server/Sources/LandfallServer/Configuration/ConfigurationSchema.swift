// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum ConfigurationSchema {
    /// Versions are added, never changed: an answer's revision can be looked up for ever.
    static let created = Migration(
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
}
