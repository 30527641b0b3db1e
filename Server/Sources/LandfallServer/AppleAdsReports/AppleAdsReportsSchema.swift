// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AppleAdsReportsSchema {
    package static let created = Migration(
        id: "2026-11-29 apple ads: create apple_ads_account, apple_ads_entity, apple_ads_spend, apple_ads_reading",
        [
            // Those that the user of the API may read, and how far their spend is read.
            """
            CREATE TABLE apple_ads_account (
              app_id       TEXT   NOT NULL,
              account_id   BIGINT NOT NULL,
              name         TEXT   NOT NULL,
              organisation BIGINT,           -- orgId of attributions
              roles        TEXT   NOT NULL,  -- separated by commas
              is_read      BIGINT NOT NULL,  -- 0: it is not among those of the file, or not Apple's any more
              oldest_day   BIGINT,           -- since 1970, UTC: the first whose spend was read
              read_day     BIGINT,           -- the UTC day on which it was read last
              trouble      TEXT,             -- why it cannot be read
              detail       TEXT,
              PRIMARY KEY (app_id, account_id)
            )
            """,
            // Never deleted: old installs came from old campaigns.
            """
            CREATE TABLE apple_ads_entity (
              app_id      TEXT   NOT NULL,
              kind        TEXT   NOT NULL,  -- campaign, adGroup, keyword, ad
              id          BIGINT NOT NULL,
              name        TEXT   NOT NULL,
              account_id  BIGINT NOT NULL,
              parent_id   BIGINT,           -- the campaign of an ad group, the ad group of a keyword or an ad
              campaign_id BIGINT,
              match_type  TEXT,             -- BROAD or EXACT, of a keyword
              page_id     TEXT,             -- the custom product page of an ad, as ppid; NULL: the usual page, or not known
              page_name   TEXT,
              promoted_id TEXT,             -- the App Store id of a campaign's app
              deleted     BIGINT NOT NULL,
              seen_at_ms  BIGINT NOT NULL,  -- in Apple's list; at most a day older than the last time
              PRIMARY KEY (app_id, kind, id)
            )
            """,
            // What leads to custom product pages.
            """
            CREATE INDEX apple_ads_page_by_campaign ON apple_ads_entity (app_id, campaign_id, page_id, page_name) WHERE page_id IS NOT NULL
            """,
            """
            CREATE INDEX apple_ads_page_by_parent ON apple_ads_entity (app_id, parent_id, page_id, page_name) WHERE page_id IS NOT NULL
            """,
            // Each sum is told once for each kind: campaigns contain their ad groups.
            """
            CREATE TABLE apple_ads_spend (
              app_id      TEXT   NOT NULL,
              kind        TEXT   NOT NULL,
              campaign_id BIGINT NOT NULL,
              day         BIGINT NOT NULL,  -- since 1970, UTC
              id          BIGINT NOT NULL,
              country     TEXT   NOT NULL,  -- two letters; empty if Apple names none
              currency    TEXT   NOT NULL,  -- the ad account's
              milliunits  BIGINT NOT NULL,
              impressions BIGINT NOT NULL,
              taps        BIGINT NOT NULL,
              installs    BIGINT NOT NULL,
              read_at_ms  BIGINT NOT NULL,
              PRIMARY KEY (app_id, kind, campaign_id, day, id, country)
            )
            """,
            "CREATE INDEX apple_ads_spend_by_day ON apple_ads_spend (app_id, kind, day)",
            // One row for an app: what the last read came to.
            """
            CREATE TABLE apple_ads_reading (
              app_id           TEXT   NOT NULL,
              access           TEXT   NOT NULL,  -- a hash of the section's ids
              next_at_ms       BIGINT NOT NULL,
              failures         BIGINT NOT NULL,  -- since the last read without trouble
              failing_since_ms BIGINT,
              trouble          TEXT,
              detail           TEXT,
              read_at_ms       BIGINT,           -- the last read without trouble, by this access
              PRIMARY KEY (app_id)
            )
            """,
        ])
}
