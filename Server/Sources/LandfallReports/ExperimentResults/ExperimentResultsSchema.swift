// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ExperimentResultsSchema {
    /// Own events by their type and time: what a metric counts is found without other events. Exposures, which are most events,
    /// have no entry, so storing them costs what it did.
    package static let found = Migration(
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

    /// Facts that name an origin, by install: nine of ten installs have one at most, and then it is their source. And installs that
    /// are not in the profile that they began with, by the profile that they are in.
    package static let origins = Migration(
        id: "2026-11-23 results: facts that name an origin, installs in another profile than their first", olderReleases: .readAndWrite,
        [
            """
            CREATE INDEX attribution_fact_by_origin ON attribution_fact (app_id, install_id, status, source)
              WHERE status = 'non_organic'
            """,
            """
            CREATE INDEX install_in_other_profile ON install (app_id, profile_id, install_id)
              WHERE profile_id <> 'i_' || install_id
            """,
        ])
}
