// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Time that only the test moves, in Unix milliseconds.
final class MovedClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_790_000_000_000)
    var now: Int64 { milliseconds.withLock(\.self) }
    func pass(_ length: Int64) { milliseconds.withLock { $0 += length } }
}
