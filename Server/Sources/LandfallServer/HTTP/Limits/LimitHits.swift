// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
package import Logging
package import Metrics
import Synchronization

/// Counts every hit of a limit and every refused request, and logs each at most once a minute: an attack shows in the log from
/// its first minute, and cannot fill the log.
package final class LimitHits: Sendable {
    /// The time between two log lines about the same subject.
    static let pauseMs: Int64 = 60_000

    private enum Subject: Hashable {
        case limit(Limit)
        case refusal(reason: String)
    }

    private struct Line {
        /// Nil before the first line.
        var loggedAtMs: Int64?
        /// Hits since that line.
        var times = 0
    }

    private let hits: [Limit: Counter]
    private let refusals: KnownMetrics<String, Counter>
    private let lines = Mutex([Subject: Line]())
    private let nowMs: @Sendable () -> Int64
    private let logger: Logger

    package init(factory: any MetricsFactory, nowMs: @escaping @Sendable () -> Int64, logger: Logger) {
        // All series exist from the start, so that an alert can use them before the first attack.
        let pairs = Limit.allCases.map { limit in
            (limit, Counter(label: "landfall_limit_hit_total", dimensions: [("limit", limit.rawValue)], factory: factory))
        }
        hits = Dictionary(uniqueKeysWithValues: pairs)
        refusals = KnownMetrics { Counter(label: "landfall_refused_total", dimensions: [("reason", $0)], factory: factory) }
        self.nowMs = nowMs
        self.logger = logger
    }

    package func hit(_ limit: Limit) {
        hits[limit]?.increment()
        guard let times = timesToLog(.limit(limit)) else { return }
        logger.warning("\(limit.sentence)", metadata: ["limit": "\(limit.rawValue)", "limit.times": "\(times)"])
    }

    /// Counts an error answer if it is a refusal, and the limit that it is about. Codes come from the program, never from a
    /// caller.
    package func refused(_ error: RequestError) {
        if let limit = error.limit { hit(limit) }
        guard error.isRefusal else { return }
        refusals[error.code.rawValue].increment()
        guard let times = timesToLog(.refusal(reason: error.code.rawValue)) else { return }
        logger.notice(
            "Requests are refused.",
            metadata: [
                "refusal.reason": "\(error.code.rawValue)", "refusal.status": "\(error.status.code)", "refusal.times": "\(times)",
            ])
    }

    /// How many hits since the last line; nil if that was less than a minute ago. If the clock was set back, a new minute
    /// begins.
    private func timesToLog(_ subject: Subject) -> Int? {
        let nowMs = nowMs()
        return lines.withLock { lines in
            var line = lines[subject] ?? Line()
            line.times += 1
            defer { lines[subject] = line }
            if let loggedAtMs = line.loggedAtMs, (0..<Self.pauseMs).contains(nowMs - loggedAtMs) { return nil }
            defer { line = Line(loggedAtMs: nowMs) }
            return line.times
        }
    }
}
