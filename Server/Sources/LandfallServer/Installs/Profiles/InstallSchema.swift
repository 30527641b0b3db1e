// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum InstallSchema {
    package static let created = Migration(
        id: "2026-11-28 installs: create store, install, install_seen, profile, customer, request_key",
        [
            // Identifies this store. Phones prefer values with its epoch to those that they remember of another store.
            """
            CREATE TABLE store (
              name     TEXT   NOT NULL PRIMARY KEY,
              store_id TEXT   NOT NULL,
              epoch    BIGINT NOT NULL,  -- Unix milliseconds at creation
              purchase_key BYTEA         -- permutes profile ids into purchase tokens
            )
            """,
            """
            CREATE TABLE install (
              app_id                TEXT   NOT NULL,
              install_id            TEXT   NOT NULL,
              secret_hash           BYTEA  NOT NULL,  -- SHA-256
              profile_id            TEXT   NOT NULL,
              epoch                 BIGINT NOT NULL,
              version               BIGINT NOT NULL,
              attribution_version   BIGINT NOT NULL,
              app_version           TEXT,
              os_version            TEXT,
              platform              TEXT,
              locale                TEXT,
              store_country         TEXT,
              time_zone             TEXT,
              device_id             TEXT,
              token_none            TEXT,             -- why the phone has no ad token
              token_coming_until_ms BIGINT,           -- until when answers wait for an announced token; NULL once it came or was called off
              token_gone_at_ms      BIGINT,           -- when the phone said that none comes: an open from before it announces none
              purchases_coming_until_ms BIGINT,       -- until when answers wait for purchases that the phone announced
              is_reinstall          BIGINT NOT NULL,
              first_install_id      TEXT,             -- on a reinstall: the device's first
              created_at_ms         BIGINT NOT NULL,
              installed_at_ms       BIGINT NOT NULL,
              device_model          TEXT,
              first_app_version     TEXT,             -- at the first open: app_version follows the updates
              PRIMARY KEY (app_id, install_id)
            )
            """,
            // Tells which install had a device first.
            "CREATE INDEX install_by_device ON install (app_id, device_id) WHERE device_id IS NOT NULL AND is_reinstall = 0",
            "CREATE INDEX install_by_profile ON install (app_id, profile_id)",
            "CREATE INDEX install_by_first ON install (app_id, first_install_id) WHERE first_install_id IS NOT NULL",
            // For results: installs in another profile than their first.
            """
            CREATE INDEX install_in_other_profile ON install (app_id, profile_id, install_id)
              WHERE profile_id <> 'i_' || install_id
            """,
            // The newest first opens are read without the rest; retention walks over the oldest.
            "CREATE INDEX install_by_creation ON install (app_id, created_at_ms, install_id)",
            // A visit changes this row alone; the first one after the first open adds it. In `install`, an engine may write a new entry into
            // each of its indexes. For the same reason there is no index by the time: retention walks over old installs instead.
            """
            CREATE TABLE install_seen (
              app_id          TEXT   NOT NULL,
              install_id      TEXT   NOT NULL,
              last_seen_at_ms BIGINT NOT NULL,  -- to the hour
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
              access               TEXT,             -- what its purchases and grants open, JSON; NULL if it never had any
              PRIMARY KEY (app_id, profile_id)
            )
            """,
            "CREATE INDEX profile_by_customer ON profile (app_id, customer_id) WHERE customer_id IS NOT NULL",
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
            CREATE TABLE request_key (
              app_id        TEXT   NOT NULL,
              install_id    TEXT   NOT NULL,
              request_key   TEXT   NOT NULL,
              body_hash     BYTEA  NOT NULL,  -- SHA-256 over the kind of request and its body
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_id, request_key)
            )
            """,
            "CREATE INDEX request_key_by_time ON request_key (app_id, created_at_ms)",
        ])
}
