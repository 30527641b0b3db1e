// SPDX-License-Identifier: Apache-2.0

/// The one clock by which nodes put in order what they store: the database's. The clocks of nodes may differ by seconds.
package struct StoreClock: Sendable {
    /// Of the only node on its store.
    package static let own = StoreClock { 0 }

    private let aheadMs: @Sendable () -> Int64

    /// - Parameter aheadMs: how far this node's clock is ahead of it. It is asked for each call, and must not wait.
    package init(aheadMs: @escaping @Sendable () -> Int64) { self.aheadMs = aheadMs }

    /// - Parameter nowMs: of this node's clock, now.
    func ms(at nowMs: Int64) -> Int64 { nowMs - aheadMs() }
}
