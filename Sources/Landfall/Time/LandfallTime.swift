// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The SDK's only source of time: a monotonic clock for every wait, and the calendar for ages that must survive a relaunch.
public struct LandfallTime: Sendable {
    /// Time since an origin that is fixed for the life of this value.
    public let now: @Sendable () -> Duration
    /// Returns at that time, with zero tolerance, or throws `CancellationError`.
    public let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// The phone's calendar; may jump, so it only ever measures ages, clamped.
    public let date: @Sendable () -> Date

    /// - Parameters:
    ///   - clock: moves all waits; `ContinuousClock` unless a test moves time itself.
    ///   - date: the calendar's time.
    public init<C: Clock>(_ clock: C, date: @escaping @Sendable () -> Date = { Date() }) where C.Duration == Duration {
        let origin = clock.now
        self.now = { origin.duration(to: clock.now) }
        self.sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: .zero) }
        self.date = date
    }

    /// Real time; goes on while the phone sleeps.
    public static let live = LandfallTime(ContinuousClock())
}
