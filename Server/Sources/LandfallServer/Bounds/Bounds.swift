// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Logging
import Metrics
import Synchronization

/// Where every bound that is hit and every request that is refused is counted, and logged at most once a minute each: an
/// attack shows in the log from its first minute on, and never fills it.
final class Bounds: Sendable {
    /// From one line about something to the next about the same.
    static let pauseMs: Int64 = 60_000

    private enum Subject: Hashable {
        case bound(Bound)
        case refusal(reason: String)
    }

    private struct Line {
        /// Nil before the first.
        var loggedAtMs: Int64?
        /// Since then.
        var times = 0
    }

    private let hits: [Bound: Counter]
    private let refusals: KnownMetrics<String, Counter>
    private let lines = Mutex([Subject: Line]())
    private let nowMs: @Sendable () -> Int64
    private let logger: Logger

    init(factory: any MetricsFactory, nowMs: @escaping @Sendable () -> Int64, logger: Logger) {
        // All of them from the start, so that an alert has a series to look at before the first attack.
        let pairs = Bound.allCases.map { bound in
            (bound, Counter(label: "landfall_bound_hit_total", dimensions: [("bound", bound.rawValue)], factory: factory))
        }
        hits = Dictionary(uniqueKeysWithValues: pairs)
        refusals = KnownMetrics { Counter(label: "landfall_refused_total", dimensions: [("reason", $0)], factory: factory) }
        self.nowMs = nowMs
        self.logger = logger
    }

    func hit(_ bound: Bound) {
        hits[bound]?.increment()
        guard let times = timesToLog(.bound(bound)) else { return }
        logger.warning("\(bound.sentence)", metadata: ["bound": "\(bound.rawValue)", "bound.times": "\(times)"])
    }

    /// Counts what was answered with an error, where that is a refusal, and the bound that it is about. Codes are the
    /// program's own, never a caller's.
    func refused(_ error: RequestError) {
        if let bound = error.bound { hit(bound) }
        guard error.isRefusal else { return }
        refusals[error.code.rawValue].increment()
        guard let times = timesToLog(.refusal(reason: error.code.rawValue)) else { return }
        logger.notice(
            "Requests are refused.",
            metadata: [
                "refusal.reason": "\(error.code.rawValue)", "refusal.status": "\(error.status.code)", "refusal.times": "\(times)",
            ])
    }

    /// How many times since the last line; nil where that was just now. A clock that was set back begins anew.
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
