// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Synchronization

/// Sums of days of clicks that are over, so that a page which is opened again and again adds up only the days that are not: the
/// overview's links of 90 days are a megabyte of cells.
///
/// Such days do not change, unless a recount puts one right: reports show that after ``kept`` at the latest.
package final class ClosedClickDays: Sendable {
    struct Question: Hashable {
        let app: AppID
        let zone: String
        /// Of which days, all of them over.
        let days: ClosedRange<Int64>
        let by: [LinkReport.Dimension]
        var only: [LinkReport.Dimension: [UInt8]] = [:]
    }

    private struct Known {
        let sums: DaySums
        let since: Duration
        var used: Duration
    }

    static let kept = Duration.seconds(60)
    /// Of all sums together. A cell of links takes about 150 bytes; strangers can write longer labels.
    package static let mostBytes = 32 << 20
    /// Sums of few cells take memory too.
    static let most = 64

    private let known = Mutex<[Question: Known]>([:])
    private let mostBytes: Int
    private let uptime: @Sendable () -> Duration

    /// - Parameter uptime: any clock that only moves forward.
    package init(mostBytes: Int = mostBytes, uptime: (@Sendable () -> Duration)? = nil) {
        self.mostBytes = mostBytes
        let begun = ContinuousClock.now
        self.uptime = uptime ?? { begun.duration(to: .now) }
    }

    func sums(_ question: Question) -> DaySums? {
        let now = uptime()
        return known.withLock { known in
            known = known.filter { now - $1.since < Self.kept }
            guard let found = known[question] else { return nil }
            known[question]?.used = now
            return found.sums
        }
    }

    func keep(_ sums: DaySums, for question: Question) {
        guard sums.table.byteCount <= mostBytes else { return }
        let now = uptime()
        known.withLock { known in
            known = known.filter { now - $1.since < Self.kept }
            known[question] = Known(sums: sums, since: now, used: now)
            var bytes = known.values.reduce(0) { $0 + $1.sums.table.byteCount }
            while bytes > mostBytes || known.count > Self.most {
                guard let unused = known.filter({ $0.key != question }).min(by: { $0.value.used < $1.value.used }) else { return }
                bytes -= unused.value.sums.table.byteCount
                known[unused.key] = nil
            }
        }
    }
}
