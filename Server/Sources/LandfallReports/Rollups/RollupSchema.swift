// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum RollupSchema {
    package static let created = Migration(
        id: "2026-11-28 rollups: create report_dirty, install_progress, install_kept, install_activity, report_day, report_state, click_day, click_closed",
        [
            // What is to be computed again.
            """
            CREATE TABLE report_dirty (
              app_id   TEXT   NOT NULL,
              report   TEXT   NOT NULL,  -- install, or day and a generation
              bucket   TEXT   NOT NULL,  -- an install's id, or a day
              since_ms BIGINT NOT NULL,  -- when the first fact came that is not computed yet
              stamp    BIGINT NOT NULL,  -- another number with each fact
              PRIMARY KEY (app_id, report, bucket)
            )
            """,
            "CREATE INDEX report_dirty_by_time ON report_dirty (app_id, report, since_ms)",
            // What an install did, computed from its rows.
            """
            CREATE TABLE install_progress (
              app_id           TEXT   NOT NULL,
              install_id       TEXT   NOT NULL,
              first_open_at_ms BIGINT NOT NULL,
              facts            TEXT   NOT NULL,            -- JSON
              exposures        BIGINT NOT NULL DEFAULT 0,  -- a hash of what the days of exposures count of it
              PRIMARY KEY (app_id, install_id)
            )
            """,
            "CREATE INDEX install_progress_by_day ON install_progress (app_id, first_open_at_ms)",
            // The same of erased installs: counted, without an id and without the exact time.
            """
            CREATE TABLE install_kept (
              app_id           TEXT   NOT NULL,
              first_open_at_ms BIGINT NOT NULL,  -- the quarter of an hour
              facts            TEXT   NOT NULL,
              installs         BIGINT NOT NULL,
              PRIMARY KEY (app_id, first_open_at_ms, facts)
            )
            """,
            """
            CREATE TABLE install_activity (
              app_id     TEXT   NOT NULL,
              install_id TEXT   NOT NULL,
              days_low   BIGINT NOT NULL,  -- a bit for each day since the first call: 1 to 62
              days_high  BIGINT NOT NULL,  -- 63 to 90
              PRIMARY KEY (app_id, install_id)
            )
            """,
            // A day is one text.
            """
            CREATE TABLE report_day (
              app_id     TEXT   NOT NULL,
              generation BIGINT NOT NULL,
              report     TEXT   NOT NULL,
              day        BIGINT NOT NULL,  -- since 1970, in the generation's time zone
              cells      TEXT   NOT NULL,  -- counts and fields, a line each
              PRIMARY KEY (app_id, generation, report, day)
            )
            """,
            """
            CREATE TABLE report_state (
              app_id            TEXT   NOT NULL PRIMARY KEY,
              generation        BIGINT,           -- the one that reports read
              rules             TEXT,             -- what its days depend on: JSON
              installs_from_ms  BIGINT NOT NULL,  -- earlier installs may have been deleted before they were counted
              events_from_ms    BIGINT NOT NULL,
              building          BIGINT,           -- the generation that is being computed
              building_rules    TEXT,
              reads_installs    BIGINT NOT NULL,  -- whether every install is computed again
              done_to           TEXT   NOT NULL,  -- an install's id, then a day
              done              BIGINT NOT NULL,
              total             BIGINT NOT NULL,
              activity_from_ms  BIGINT            -- since when install_activity is written
            )
            """,
            // Computed from clicks.
            """
            CREATE TABLE click_day (
              app_id TEXT   NOT NULL,
              zone   TEXT   NOT NULL,
              report TEXT   NOT NULL,
              day    BIGINT NOT NULL,  -- since 1970, in the zone
              cells  TEXT   NOT NULL,  -- counts and fields, a line each
              PRIMARY KEY (app_id, zone, report, day)
            )
            """,
            """
            CREATE TABLE click_closed (
              app_id        TEXT   NOT NULL,
              zone          TEXT   NOT NULL,
              first_day     BIGINT NOT NULL,            -- clicks of earlier days may have been deleted before they were counted
              next_day      BIGINT NOT NULL,            -- the first day that is not counted yet
              counted_to_ms BIGINT NOT NULL DEFAULT 0,  -- up to when the clicks of days that are not over are counted
              PRIMARY KEY (app_id, zone)
            )
            """,
        ])

    /// The days that were counted before clicks had a context: of their clicks nothing is known. Each has one line without fields, and a line
    /// has ` -` for a field without a value, see ``DayText``.
    package static let clickContext = Migration(
        id: "2026-11-30 rollups: click_day has context, productPage",
        [("context", " - - -"), ("productPage", " -")].map { report, unknown in
            """
            INSERT INTO click_day (app_id, zone, report, day, cells)
            SELECT app_id, zone, '\(report)', day, replace(cells, '
            ', '\(unknown)
            ') FROM click_day WHERE report = 'whole'
            """
        })
}
