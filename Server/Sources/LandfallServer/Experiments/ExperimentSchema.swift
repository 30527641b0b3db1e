// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ExperimentSchema {
    /// The variation that a unit has, with the times that results count by. Both times are minimums over event times, so the
    /// order of events and their repetition do not matter.
    package static let units = Migration(
        id: "2026-11-22 experiments: create experiment_unit", olderReleases: .readAndWrite,
        [
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
              kept           TEXT,             -- what the audiences read: JSON
              PRIMARY KEY (app_id, unit, experiment)
            )
            """,
            """
            CREATE INDEX experiment_unit_by_arm
              ON experiment_unit (app_id, experiment, step, epoch, variation, shown_at_ms, decided_at_ms, unit)
            """,
        ])

    /// What audiences read of an install is kept with its events alone: the row of a unit outlives the reinstalls that write it, and
    /// nothing reads the column. An older release may work on the store: what it still writes there goes with its unit.
    package static let withoutFacts = Migration(
        id: "2026-11-27 experiments: experiment_unit has no values of installs", olderReleases: .readAndWrite,
        ["UPDATE experiment_unit SET kept = NULL"])

    /// One row for each epoch of each experiment, written by the publication that opens it.
    package static let epochs = Migration(
        id: "2026-11-22 experiments: create experiment_epoch", olderReleases: .readAndWrite,
        [
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
            """
        ])
}
