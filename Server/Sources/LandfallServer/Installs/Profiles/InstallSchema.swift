// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum InstallSchema {
    package static let created = Migration(
        id: "2026-11-21 installs: create store, install, profile, customer and device",
        [
            // Identifies this store. Phones prefer values with its epoch to those that they remember of another store.
            """
            CREATE TABLE store (
              name     TEXT   NOT NULL PRIMARY KEY,
              store_id TEXT   NOT NULL,
              epoch    BIGINT NOT NULL  -- Unix milliseconds at creation
            )
            """,
            """
            CREATE TABLE install (
              app_id              TEXT   NOT NULL,
              install_id          TEXT   NOT NULL,
              secret_hash         BYTEA  NOT NULL,  -- SHA-256
              profile_id          TEXT   NOT NULL,
              epoch               BIGINT NOT NULL,
              version             BIGINT NOT NULL,
              attribution_version BIGINT NOT NULL,
              app_version         TEXT,
              os_version          TEXT,
              platform            TEXT,
              locale              TEXT,
              store_country       TEXT,
              time_zone           TEXT,
              device_id           TEXT,
              token_none          TEXT,             -- why the phone has no ad token
              is_reinstall        BIGINT NOT NULL,
              first_install_id    TEXT,             -- on a reinstall: the device's first
              created_at_ms       BIGINT NOT NULL,
              installed_at_ms     BIGINT NOT NULL,
              last_seen_at_ms     BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_id)
            )
            """,
            """
            CREATE TABLE profile (
              app_id               TEXT   NOT NULL,
              profile_id           TEXT   NOT NULL,
              version              BIGINT NOT NULL,
              customer_id          TEXT,
              customer_is_verified BIGINT NOT NULL,
              attributes           TEXT   NOT NULL,  -- JSON object
              created_at_ms        BIGINT NOT NULL,
              PRIMARY KEY (app_id, profile_id)
            )
            """,
            // Verified customers only: an unverified id leads to no profile.
            """
            CREATE TABLE customer (
              app_id        TEXT   NOT NULL,
              customer_id   TEXT   NOT NULL,
              profile_id    TEXT   NOT NULL,
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, customer_id)
            )
            """,
            """
            CREATE TABLE device (
              app_id           TEXT   NOT NULL,
              device_id        TEXT   NOT NULL,
              first_install_id TEXT   NOT NULL,
              created_at_ms    BIGINT NOT NULL,
              PRIMARY KEY (app_id, device_id)
            )
            """,
        ])

    /// The rows of installs and exchanges themselves tell which install had a device or a token first. The tables `device` and
    /// `apple_ads_token` get no rows any more, see ``withoutNames``.
    package static let foundByNames = Migration(
        id: "2026-11-22 installs: found by device, exchanges by token",
        [
            "CREATE INDEX install_by_device ON install (app_id, device_id) WHERE device_id IS NOT NULL AND is_reinstall = 0",
            """
            CREATE INDEX apple_ads_exchange_by_token ON apple_ads_exchange (app_id, token_hash)
              WHERE reason IS NULL OR reason <> 'tokenReused'
            """,
        ])

    package static let models = Migration(
        id: "2026-11-22 installs: device_model", olderReleases: .readAndWrite, ["ALTER TABLE install ADD COLUMN device_model TEXT"])

    /// The app's version at the first open: `app_version` follows the updates. Earlier installs have none.
    package static let firstVersions = Migration(
        id: "2026-11-26 installs: first_app_version", olderReleases: .readAndWrite,
        ["ALTER TABLE install ADD COLUMN first_app_version TEXT"])

    /// Drops tables whose content is in the rows of installs and exchanges.
    package static let withoutNames = Migration(
        id: "2026-11-22 installs: drop device and apple_ads_token", ["DROP TABLE device", "DROP TABLE apple_ads_token"])
}
