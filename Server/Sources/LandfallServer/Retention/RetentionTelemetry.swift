// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
package import Logging
package import Metrics
import Synchronization

/// What retention deletes, by table, and that it refuses a clock.
package final class RetentionTelemetry: Sendable {
    /// The time between two log lines about the same refused clock.
    static let pauseMs = Retention.dayMs

    private let logger: Logger
    private let refused: Gauge
    private let deleted: KnownMetrics<String, Counter>
    /// The clock's time at the last line; nil while the clock is plausible.
    private let loggedAtMs = Mutex<Int64?>(nil)

    package init(logger: Logger, factory: any MetricsFactory) {
        self.logger = logger
        refused = Gauge(label: "landfall_retention_clock_refused", factory: factory)
        deleted = KnownMetrics { Counter(label: "landfall_retention_deleted_total", dimensions: [("table", $0)], factory: factory) }
    }

    /// - Parameter rows: by table.
    func deleted(_ rows: [String: Int], by rule: RetentionRule) {
        let rows = rows.filter { $0.value > 0 }
        guard !rows.isEmpty else { return }
        for (table, count) in rows { deleted[table].increment(by: count) }
        var metadata: Logger.Metadata = ["retention.rule": "\(rule.name)"]
        for (table, count) in rows { metadata["retention.rows.\(table)"] = "\(count)" }
        logger.notice("Rows past their time were deleted.", metadata: metadata)
    }

    func dropped(_ months: [String], by rule: RetentionRule) {
        if months.isEmpty { return }
        logger.notice(
            "Months past their time were dropped.",
            metadata: ["retention.rule": "\(rule.name)", "retention.months": "\(months.joined(separator: ", "))"])
    }

    func notDropped(_ error: any Error, by rule: RetentionRule) {
        if error is CancellationError { return }
        logger.warning(
            "No month could be dropped; its rows are deleted in batches.",
            metadata: ["retention.rule": "\(rule.name)", "error.text": "\(error)"])
    }

    func refused(_ jump: RetentionClock.Jump) {
        refused.record(1)
        let isDue = loggedAtMs.withLock { logged in
            if let logged, (0..<Self.pauseMs).contains(jump.nowMs - logged) { return false }
            logged = jump.nowMs
            return true
        }
        guard isDue else { return }
        logger.error(
            "The clock is far ahead of the newest time that the store knows: retention deletes nothing. Set the clock, or confirm it: landfall confirm-clock.",
            metadata: [
                "retention.clock.now": "\(RetentionClock.text(ofMs: jump.nowMs))", "retention.clock.newest": "\(RetentionClock.text(ofMs: jump.newestMs))",
                "retention.clock.aheadDays": "\(jump.aheadMs / Retention.dayMs)",
            ])
    }

    func believed() {
        refused.record(0)
        let wasRefused = loggedAtMs.withLock { logged in
            defer { logged = nil }
            return logged != nil
        }
        if wasRefused { logger.notice("The clock is plausible again, or was confirmed: retention deletes again.") }
    }
}

extension RetentionClock {
    /// A day, in UTC.
    package static func text(ofMs ms: Int64) -> String {
        Date(timeIntervalSince1970: Double(ms) / 1000).formatted(.iso8601.year().month().day())
    }
}
