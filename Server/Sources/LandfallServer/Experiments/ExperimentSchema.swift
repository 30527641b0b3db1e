// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ExperimentSchema {
    package static let created = Migration(
        id: "2026-11-28 experiments: create experiment_unit, experiment_epoch",
        [
            // The variation that a unit has, with the times that results count by. Both times are minimums over event times, so the
            // order of events and their repetition do not matter.
            """
            CREATE TABLE experiment_unit (
              app_id         TEXT   NOT NULL,
              unit           TEXT   NOT NULL,  -- an install's id; of a reinstall, its device's first install
              experiment     TEXT   NOT NULL,
              epoch          BIGINT NOT NULL,
              variation      TEXT   NOT NULL,
              bucket         BIGINT NOT NULL,  -- in the namespace experiment
              step           TEXT   NOT NULL,  -- drawn, holdout, override, echoed
              revision       BIGINT NOT NULL,  -- of the configuration that assigned
              assigned_at_ms BIGINT NOT NULL,
              decided_at_ms  BIGINT,           -- of the earliest paywall_decided, by event time
              shown_at_ms    BIGINT,           -- of the earliest paywall_shown of this variation, by event time
              fallback_at_ms BIGINT,           -- of the earliest paywall_shown from the app's bundle at one of its placements
              PRIMARY KEY (app_id, unit, experiment)
            )
            """,
            """
            CREATE INDEX experiment_unit_by_arm
              ON experiment_unit (app_id, experiment, step, epoch, variation, shown_at_ms, decided_at_ms, unit)
            """,
            """
            CREATE INDEX experiment_unit_by_fallback ON experiment_unit (app_id, experiment, step, fallback_at_ms)
              WHERE fallback_at_ms IS NOT NULL
            """,
            // One row for each epoch of each experiment, written by the publication that opens it.
            """
            CREATE TABLE experiment_epoch (
              app_id        TEXT   NOT NULL,
              experiment    TEXT   NOT NULL,
              epoch         BIGINT NOT NULL,
              started_at_ms BIGINT NOT NULL,
              revision      BIGINT NOT NULL,
              weights       TEXT   NOT NULL,  -- JSON [["A",50],["B",50]] in file order
              PRIMARY KEY (app_id, experiment, epoch)
            )
            """,
        ])

    /// For exports: the assignments of a day are found without those of other days. New ones are added at the end of the index.
    package static let byTime = Migration(
        id: "2026-12-01 experiments: create experiment_unit_by_time", olderReleases: .readAndWrite,
        ["CREATE INDEX experiment_unit_by_time ON experiment_unit (app_id, assigned_at_ms, unit, experiment)"])
}
