// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The server's only source of time. Rules use Unix milliseconds; waits are durations of a monotonic clock.
package struct ServerTime: Sendable {
    package let nowMs: @Sendable () -> Int64
    /// Returns after `for`, or throws `CancellationError`.
    package let sleep: @Sendable (_ for: Duration) async throws -> Void

    /// Of a clock that nobody sets, unlike the calendar.
    package let uptimeMs: @Sendable () -> Int64

    /// - Parameter uptimeMs: nil: the calendar is never set.
    package init(
        nowMs: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ for: Duration) async throws -> Void,
        uptimeMs: (@Sendable () -> Int64)? = nil
    ) {
        (self.nowMs, self.sleep, self.uptimeMs) = (nowMs, sleep, uptimeMs ?? nowMs)
    }

    private static let begun = ContinuousClock.now

    package static let live = ServerTime(
        nowMs: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
        sleep: { try await Task.sleep(for: $0) },
        uptimeMs: { begun.duration(to: .now).wholeMilliseconds }
    )
}

/// The calendar as it was at its making, moved on by the clock that nobody sets: what waits for a time of it waits as long as it meant to,
/// however the machine's calendar jumps meanwhile.
struct SteadyTime: Sendable {
    private let time: ServerTime
    private let aheadMs: Int64

    init(_ time: ServerTime) { (self.time, aheadMs) = (time, time.nowMs() - time.uptimeMs()) }

    func nowMs() -> Int64 { time.uptimeMs() + aheadMs }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
