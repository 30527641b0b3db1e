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

    /// Whether the counts of every row are known.
    func knows(_ metric: ReportMetric) -> Bool { installs && (events || !metric.needsEvents) }

    /// - Parameter counts: of installs.
    func counts(_ counts: [Int64], _ layout: MetricLayout) -> [Int64?] {
        zip(layout.metrics, counts).map { knows($0) ? $1 : nil }
    }
}
