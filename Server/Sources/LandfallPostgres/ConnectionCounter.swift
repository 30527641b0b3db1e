// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// Counts what happens to the connections of a pool.
final class ConnectionCounter: Sendable {
    /// Why units are run again.
    static let causes = PostgresFailure.Consequence.allCases.filter { $0 != .final }

    private let state = Mutex(PoolCounts())

    var counts: PoolCounts { state.withLock(\.self) }

    func opened() { state.withLock { $0.opened += 1 } }

    func repeated(_ cause: PostgresFailure.Consequence) { state.withLock { $0.repeats[cause.rawValue, default: 0] += 1 } }
}
