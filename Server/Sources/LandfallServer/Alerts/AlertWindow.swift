// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How much counters have grown within the last hour, from what they were at each look. In memory: after a start the hour begins anew.
final class AlertWindow: Sendable {
    static let lengthMs: Int64 = 3_600_000
    /// A look a minute, and some more.
    private static let most = 120

    private let samples = Mutex<[(atMs: Int64, counts: [Int64])]>([])

    /// - Parameter counts: of counters that only grow, in one order.
    /// - Returns: by how much each has grown since the oldest look within the hour; nil at the first look.
    func growth(_ counts: [Int64], nowMs: Int64) -> [Int64]? {
        samples.withLock { samples in
            samples.removeAll { $0.atMs < nowMs - Self.lengthMs || $0.atMs > nowMs }
            if samples.count >= Self.most { samples.removeFirst() }
            samples.append((nowMs, counts))
            guard let first = samples.first, samples.count > 1 else { return nil }
            return zip(counts, first.counts).map { max($0 - $1, 0) }
        }
    }

    /// Whether the looks cover about the whole hour: before, few may be few because the looks have just begun.
    func isWhole(nowMs: Int64) -> Bool {
        samples.withLock { samples in samples.first.map { $0.atMs <= nowMs - Self.lengthMs + 5 * 60_000 } ?? false }
    }
}
