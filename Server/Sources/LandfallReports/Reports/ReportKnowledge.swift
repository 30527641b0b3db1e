// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// What is still known about the installs of a report's days: rows whose retention is over may be deleted already.
package struct ReportKnowledge: Sendable {
    package let installs: Bool
    let events: Bool

    init(_ days: ReportDays, _ retention: Retention, nowMs: Int64) {
        let fromMs = days.milliseconds.lowerBound
        installs = fromMs >= nowMs - retention.installMs
        events = fromMs >= nowMs - retention.eventMs
    }

    /// The same where days were counted before their rows were deleted.
    init(_ days: ReportDays, _ state: RollupState) {
        let fromMs = days.milliseconds.lowerBound
        installs = fromMs >= state.installsFromMs
        events = fromMs >= state.eventsFromMs
    }

    /// The places of a cohort's counts that are unknown for every row.
    func unknown(metrics: Int) -> Set<Int> {
        let places = counts(Array(repeating: 0, count: ReportCohort.firstMetric + metrics))
        return Set(places.indices.filter { places[$0] == nil })
    }

    /// - Parameter counts: the counts of a cohort.
    func counts(_ counts: [Int64]) -> [Int64?] {
        counts.enumerated().map { place, count in
            switch place {
            case ReportCohort.installs, ReportCohort.attributed, ReportCohort.organic, ReportCohort.unknown, ReportCohort.reinstalls, ReportCohort.unverified:
                installs ? count : nil
            default: installs && events ? count : nil
            }
        }
    }
}
