// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ErasureSchema {
    package static let created = Migration(
        id: "2026-11-28 erasure: create erased_install, former_profile",
        [
            // Recognises an erased install when it calls again. The row holds nothing that leads back to the person.
            """
            CREATE TABLE erased_install (
              app_id       TEXT   NOT NULL,
              install_hash BYTEA  NOT NULL,  -- SHA-256 of the id
              erased_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_hash)
            )
            """,
            "CREATE INDEX erased_install_by_time ON erased_install (app_id, erased_at_ms)",
            // Which installs showed a profile before they moved to another one: their events of that time belong to the
            // profile.
            """
            CREATE TABLE former_profile (
              app_id     TEXT NOT NULL,
              profile_id TEXT NOT NULL,
              install_id TEXT NOT NULL,
              left_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, profile_id, install_id)
            )
            """,
            "CREATE INDEX former_profile_by_install ON former_profile (app_id, install_id, profile_id)",
            "CREATE INDEX former_profile_by_time ON former_profile (app_id, left_at_ms)",
        ])
}
