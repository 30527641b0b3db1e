// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum ExperimentResultsSchema {
    /// Own events by their type and time: what a metric counts is found without other events. Exposures, which are most events,
    /// have no entry, so storing them costs what it did.
    static let found = Migration(
        id: "2026-11-22 results: own events by type, fallbacks of units", olderReleases: .readAndWrite,
        [
            """
            CREATE INDEX event_by_type ON event (app_id, type, occurred_at_ms, install_id)
              WHERE type <> 'paywall_shown' AND type <> 'paywall_decided'
            """,
            """
            CREATE INDEX experiment_unit_by_fallback ON experiment_unit (app_id, experiment, step, fallback_at_ms)
              WHERE fallback_at_ms IS NOT NULL
            """,
        ])
}
