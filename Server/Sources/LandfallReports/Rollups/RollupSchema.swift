// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum RollupSchema {
    /// A release that knows none of these tables would write facts without marks: it may only read.
    package static let created = Migration(
        id: "2026-11-22 rollups: create report_dirty, install_progress, install_kept, report_cell, report_day and report_state",
        olderReleases: .read,
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
              facts            TEXT   NOT NULL,  -- JSON
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
            CREATE TABLE report_cell (
              app_id  TEXT   NOT NULL,
              report  TEXT   NOT NULL,
              cell_id BIGINT NOT NULL,  -- 63 bits of the values' SHA-256
              fields  TEXT   NOT NULL,  -- JSON list
              PRIMARY KEY (app_id, report, cell_id)
            )
            """,
            """
            CREATE TABLE report_day (
              app_id     TEXT   NOT NULL,
              generation BIGINT NOT NULL,
              report     TEXT   NOT NULL,
              day        BIGINT NOT NULL,  -- since 1970, in the generation's time zone
              cell_id    BIGINT NOT NULL,
              counts     TEXT   NOT NULL,  -- numbers with commas between
              PRIMARY KEY (app_id, generation, report, day, cell_id)
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
              total             BIGINT NOT NULL
            )
            """,
        ])

    /// A release that does not know the table would not record when installs are seen: it may only read.
    package static let activity = Migration(
        id: "2026-11-23 rollups: create install_activity; report_state knows since when it is written", olderReleases: .read,
        [
            """
            CREATE TABLE install_activity (
              app_id     TEXT   NOT NULL,
              install_id TEXT   NOT NULL,
              days_low   BIGINT NOT NULL,  -- a bit for each day since the first call: 1 to 62
              days_high  BIGINT NOT NULL,  -- 63 to 90
              PRIMARY KEY (app_id, install_id)
            )
            """,
            "ALTER TABLE report_state ADD COLUMN activity_from_ms BIGINT",
        ])

    /// Computed from clicks, which older releases write as before.
    package static let clickDays = Migration(
        id: "2026-11-23 rollups: create click_day and click_closed", olderReleases: .readAndWrite,
        [
            """
            CREATE TABLE click_day (
              app_id  TEXT   NOT NULL,
              zone    TEXT   NOT NULL,
              report  TEXT   NOT NULL,
              day     BIGINT NOT NULL,  -- since 1970, in the zone
              cell_id BIGINT NOT NULL,  -- of report_cell
              counts  TEXT   NOT NULL,  -- numbers with commas between
              PRIMARY KEY (app_id, zone, report, day, cell_id)
            )
            """,
            """
            CREATE TABLE click_closed (
              app_id    TEXT   NOT NULL,
              zone      TEXT   NOT NULL,
              first_day BIGINT NOT NULL,  -- clicks of earlier days may have been deleted before they were counted
              next_day  BIGINT NOT NULL,  -- the first day that is not counted yet
              PRIMARY KEY (app_id, zone)
            )
            """,
        ])

    /// A day is one text. Everything is computed again from the rows.
    package static let texts = Migration(
        id: "2026-11-23 rollups: report_day and click_day have one text for a day; install_progress knows exposures",
        [
            "DROP TABLE report_cell",
            "DROP TABLE report_day",
            "DROP TABLE click_day",
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
            CREATE TABLE click_day (
              app_id TEXT   NOT NULL,
              zone   TEXT   NOT NULL,
              report TEXT   NOT NULL,
              day    BIGINT NOT NULL,  -- since 1970, in the zone
              cells  TEXT   NOT NULL,  -- counts and fields, a line each
              PRIMARY KEY (app_id, zone, report, day)
            )
            """,
            "DELETE FROM click_closed",
            // Up to when the clicks of days that are not over are counted.
            "ALTER TABLE click_closed ADD COLUMN counted_to_ms BIGINT NOT NULL DEFAULT 0",
            "DELETE FROM report_dirty WHERE report <> 'install'",
            """
            UPDATE report_state SET generation = NULL, rules = NULL, building = NULL, building_rules = NULL, reads_installs = 0,
              done_to = '', done = 0, total = 0
            """,
            // Exposures come in the order of time, so their entries are added at the end.
            """
            CREATE INDEX event_shown_by_time ON event (app_id, occurred_at_ms, install_id) WHERE type = 'paywall_shown'
            """,
            // A hash of what the days of exposures count of an install.
            "ALTER TABLE install_progress ADD COLUMN exposures BIGINT NOT NULL DEFAULT 0",
        ])
}
