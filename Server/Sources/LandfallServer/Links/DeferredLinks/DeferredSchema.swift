// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum DeferredSchema {
    package static let created = Migration(
        id: "2026-11-28 deferred links: create deferred_link, address_key, address_click",
        [
            """
            CREATE TABLE deferred_link (
              app_id           TEXT   NOT NULL,
              token_hash       BYTEA  NOT NULL,  -- SHA-256
              kind             TEXT   NOT NULL,  -- pasteboard, code
              click_id         TEXT   NOT NULL,
              original         TEXT   NOT NULL,
              resolved         TEXT   NOT NULL,
              campaign         TEXT,
              ad_group         TEXT,
              creative         TEXT,
              label            TEXT,
              channel          TEXT,
              link_host        TEXT   NOT NULL,
              link_path        TEXT   NOT NULL,
              created_at_ms    BIGINT NOT NULL,
              expires_at_ms    BIGINT NOT NULL,
              taken_by_install TEXT,
              PRIMARY KEY (app_id, token_hash)
            )
            """,
            // An install that asks again is found without its token, however many links wait.
            """
            CREATE UNIQUE INDEX deferred_link_by_install ON deferred_link (app_id, taken_by_install)
              WHERE taken_by_install IS NOT NULL
            """,
            // Retention finds expired rows without reading those that stay. A link is in one of the two.
            """
            CREATE INDEX deferred_link_untaken ON deferred_link (app_id, expires_at_ms) WHERE taken_by_install IS NULL
            """,
            """
            CREATE INDEX deferred_link_taken ON deferred_link (app_id, created_at_ms) WHERE taken_by_install IS NOT NULL
            """,
            // The tokens of one tap are found by it: an install that takes one of them ends the others.
            "CREATE INDEX deferred_link_by_click ON deferred_link (app_id, click_id) WHERE taken_by_install IS NULL",
            // This table and the next are empty unless the team has enabled matching by address. One key for ten minutes, deleted when no
            // click of that period waits any more.
            """
            CREATE TABLE address_key (
              period BIGINT NOT NULL PRIMARY KEY,  -- ten minutes, counted since 1970
              key    BYTEA  NOT NULL
            )
            """,
            """
            CREATE TABLE address_click (
              app_id        TEXT   NOT NULL,
              period        BIGINT NOT NULL,
              mark          BYTEA  NOT NULL,  -- HMAC-SHA256 of address and platform under the period's key
              click_id      TEXT   NOT NULL,  -- the latest
              visitor       BIGINT NOT NULL,
              is_shared     BIGINT NOT NULL,  -- 1: by several visitors or on several links, leads nowhere
              original      TEXT   NOT NULL,
              resolved      TEXT   NOT NULL,
              campaign      TEXT,
              ad_group      TEXT,
              creative      TEXT,
              label         TEXT,
              channel       TEXT,
              link_host     TEXT   NOT NULL,
              link_path     TEXT   NOT NULL,
              created_at_ms BIGINT NOT NULL,
              expires_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, period, mark)
            )
            """,
            "CREATE INDEX address_click_by_click ON address_click (app_id, click_id)",
        ])
}
