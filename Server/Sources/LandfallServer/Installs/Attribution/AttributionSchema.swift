// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum AttributionSchema {
    package static let created = Migration(
        id: "2026-11-28 attribution: create attribution_fact, absence",
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
              apple_ads      TEXT,             -- JSON, Apple's own fields
              link           TEXT,             -- JSON: fields of a link's click that other sources do not have, and its windows
              PRIMARY KEY (app_id, install_id, fact_id)
            )
            """,
            // For results: nine of ten installs have one origin at most, and then it is their source.
            """
            CREATE INDEX attribution_fact_by_origin ON attribution_fact (app_id, install_id, status, source)
              WHERE status = 'non_organic'
            """,
            """
            CREATE TABLE absence (
              app_id      TEXT   NOT NULL,
              install_id  TEXT   NOT NULL,
              began_at_ms BIGINT NOT NULL,  -- last seen
              ended_at_ms BIGINT NOT NULL,  -- seen again
              PRIMARY KEY (app_id, install_id, began_at_ms)
            )
            """,
            "CREATE INDEX absence_by_time ON absence (app_id, ended_at_ms)",
        ])
}
