// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AttributionSchema {
    package static let created = Migration(
        id: "2026-11-21 attribution: create attribution_fact",
        [
            """
            CREATE TABLE attribution_fact (
              app_id         TEXT   NOT NULL,
              install_id     TEXT   NOT NULL,
              fact_id        TEXT   NOT NULL,
              source         TEXT   NOT NULL,
              status         TEXT   NOT NULL,
              is_verified    BIGINT NOT NULL,
              is_test        BIGINT NOT NULL,
              said_at_ms     BIGINT NOT NULL,
              recorded_at_ms BIGINT NOT NULL,
              channel        TEXT,
              campaign       TEXT,
              ad_group       TEXT,
              ad_set         TEXT,
              creative       TEXT,
              apple_ads      TEXT,            -- JSON, Apple's own fields
              PRIMARY KEY (app_id, install_id, fact_id)
            )
            """
        ])

    package static let links = Migration(
        id: "2026-11-21 attribution: links and absences",
        [
            // JSON: the fields of a link's click that other sources do not have, and its windows
            "ALTER TABLE attribution_fact ADD COLUMN link TEXT",
            """
            CREATE TABLE absence (
              app_id      TEXT   NOT NULL,
              install_id  TEXT   NOT NULL,
              began_at_ms BIGINT NOT NULL,  -- last seen
              ended_at_ms BIGINT NOT NULL,  -- seen again
              PRIMARY KEY (app_id, install_id, began_at_ms)
            )
            """,
        ])
}
