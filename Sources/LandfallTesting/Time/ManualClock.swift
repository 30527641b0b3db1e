// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// Time that moves only when a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let shown = Task { try await client.paywall(for: "onboarding", within: .seconds(5)) }
/// await clock.waitForSleeper()
/// clock.advance(by: .seconds(5))
/// ```
/// Callable from any thread.
public final class ManualClock: Clock, Sendable {
    /// A point on this clock: how far it has been moved since it was made.
    public struct Instant: InstantProtocol {
        /// How far the clock had been moved.
        public let offset: Duration
        /// A point that far from the clock's first instant.
        public init(offset: Duration) { self.offset = offset }
        /// The point that much later; earlier if negative.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How much later the other point is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// True if the left point is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper: Sendable {
        let deadline: Instant
        let wake: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var date: Date
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state: Watched<State>

    /// - Parameter date: the initial date of the phone's calendar; it moves along with ``advance(by:)``.
    public init(date: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
        state = Watched(State(date: date))
    }

    /// How far the clock has been moved.
    public var now: Instant { state.withLock { $0.now } }
    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The phone's calendar.
    public var date: Date { state.withLock { $0.date } }

    /// How many tasks sleep on this clock. A cancelled task stops counting at once.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// How many sleeps have begun so far. A test that sees it grow knows that its code has come to the next wait.
    public var begunSleepCount: Int { state.withLock(\.lastID) }

    /// This clock and its calendar, as `LandfallConfiguration.time` takes them. Zero is the instant of this call.
    public var time: LandfallTime { LandfallTime(self, date: { self.date }) }

    /// Moves the clock and the calendar, then wakes every task whose deadline has come, the earliest first. The woken tasks run
    /// after this call, and all of them see the new time.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "A monotonic clock does not go back; use moveCalendar(by:) for the calendar.")
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            state.date += duration / .seconds(1)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline.offset, $0.key) < ($1.value.deadline.offset, $1.key) }
        }
        for sleeper in due { sleeper.value.wake.resume() }
    }

    /// The earliest deadline.
    var nextDeadline: Instant? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Moves the clock to the earliest deadline. Returns false and moves nothing if no task sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        let distance = state.withLock { state in
            state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
        }
        guard let distance else { return false }
        advance(by: distance)
        return true
    }

    /// Moves only the calendar, forwards or backwards, as a person can in the settings.
    public func moveCalendar(by duration: Duration) {
        state.withLock { $0.date += duration / .seconds(1) }
    }

    /// Returns once a task sleeps on this clock, or the calling task is cancelled.
    public func waitForSleeper() async { await waitForSleepers(1) }

    /// Returns once at least this number of tasks sleeps on this clock, or the calling task is cancelled.
    public func waitForSleepers(_ count: Int) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Returns once the test has moved the clock that far; at once if it is there already. Tolerance is ignored.
    /// - Throws: `CancellationError`, at once when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, wake: wake)
                    return nil
                }
                if let answer { wake.resume(with: answer) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake.resume(throwing: CancellationError())
        }
    }
}
