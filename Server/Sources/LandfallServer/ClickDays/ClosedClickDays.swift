// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Sums of days of clicks that are over, so that a page which is opened again and again adds up only the days that are not: the
/// overview's links of 90 days are a megabyte of cells.
///
/// Such days do not change, unless a recount puts one right: its reports have that within ``kept``.
final class ClosedClickDays: Sendable {
    struct Question: Hashable {
        let app: AppID
        let zone: String
        /// Of which days, all of them over.
        let days: ClosedRange<Int64>
        let by: [LinkReport.Field]
    }

    private struct Known {
        let sums: DaySums
        let since: Duration
        var used: Duration
    }

    static let kept = Duration.seconds(60)
    /// Of all sums together: about 10 MB.
    static let mostCells = 100_000
    /// Sums of few cells take memory too.
    static let most = 64

    private let known = Mutex<[Question: Known]>([:])
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: any clock that only moves forward.
    init(uptime: (@Sendable () -> Duration)? = nil) {
        let begun = ContinuousClock.now
        self.uptime = uptime ?? { begun.duration(to: .now) }
    }

    func sums(_ question: Question) -> DaySums? {
        let now = uptime()
        return known.withLock { known in
            guard let found = known[question], now - found.since < Self.kept else { return nil }
            known[question]?.used = now
            return found.sums
        }
    }

    func keep(_ sums: DaySums, for question: Question) {
        guard sums.table.count <= Self.mostCells else { return }
        let now = uptime()
        known.withLock { known in
            known = known.filter { now - $1.since < Self.kept }
            known[question] = Known(sums: sums, since: now, used: now)
            var cells = known.values.reduce(0) { $0 + $1.sums.table.count }
            while cells > Self.mostCells || known.count > Self.most {
                guard let unused = known.filter({ $0.key != question }).min(by: { $0.value.used < $1.value.used }) else { return }
                cells -= unused.value.sums.table.count
                known[unused.key] = nil
            }
        }
    }
}
