// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum LinkSchema {
    package static let created = Migration(
        id: "2026-11-28 links: create link, click, visitor_key",
        [
            """
            CREATE TABLE link (
              app_id        TEXT   NOT NULL,
              host          TEXT   NOT NULL,
              path          TEXT   NOT NULL,  -- normal form, starts with /
              destination   TEXT   NOT NULL,
              campaign      TEXT,
              ad_group      TEXT,
              creative      TEXT,
              label         TEXT,
              channel       TEXT,
              expires_at_ms BIGINT,
              created_at_ms BIGINT NOT NULL,
              details       TEXT,             -- JSON of what few links have
              PRIMARY KEY (app_id, host, path)
            )
            """,
            // Ids grow with time, so new rows go to the end of the index. The table contains no address.
            """
            CREATE TABLE click (
              app_id        TEXT   NOT NULL,
              click_id      TEXT   NOT NULL,
              clicked_at_ms BIGINT NOT NULL,
              kind          TEXT   NOT NULL,  -- person, bot, head, preview; only persons count
              platform      TEXT   NOT NULL,  -- ios, android, desktop
              link_host     TEXT   NOT NULL,
              link_path     TEXT   NOT NULL,
              outcome       TEXT   NOT NULL,  -- store, page, web, expired
              visitor       BIGINT,           -- 64 bits that say the same of the same visitor of this link today
              country       TEXT,
              tracker       TEXT,
              campaign      TEXT,
              ad_group      TEXT,
              creative      TEXT,
              label         TEXT,
              channel       TEXT,
              parameters    TEXT,             -- JSON of other tracking parameters
              PRIMARY KEY (app_id, click_id)
            )
            """,
            // One key a day, deleted after it: then a visitor number can no longer be traced to a visitor.
            """
            CREATE TABLE visitor_key (
              day BIGINT NOT NULL PRIMARY KEY,  -- days since 1970, UTC
              key BYTEA  NOT NULL
            )
            """,
        ])

    /// What a browser says about a click, taps on buttons of pages (`kind` tap, `outcome` the button), and the days that were counted before:
    /// nothing more is known of their clicks.
    package static let clickContext = Migration(
        id: "2026-11-30 links: clicks have referrer, browser, language, product_page",
        [
            "ALTER TABLE click ADD COLUMN referrer TEXT",
            "ALTER TABLE click ADD COLUMN browser TEXT",
            "ALTER TABLE click ADD COLUMN language TEXT",
            "ALTER TABLE click ADD COLUMN product_page TEXT",
        ])
}
