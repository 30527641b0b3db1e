// SPDX-License-Identifier: Apache-2.0
public import Landfall

extension ManualClock {
    /// Runs an operation while time passes by itself: whenever all tasks wait, the clock moves to the next deadline. So a call
    /// that takes five seconds takes exactly five seconds of the clock, and a tenth of a second of the test. All tasks wait
    /// when none has gone to sleep or woken for 10 ms.
    ///
    /// - Parameters:
    ///   - limit: how far the clock may move, default an hour. Then the operation is cancelled.
    ///   - operation: the operation to run.
    /// - Throws: what the operation throws; `CancellationError` after the limit.
    public func run<Value: Sendable>(
        upTo limit: Duration = .seconds(3_600), _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let end = now.advanced(by: limit)
        let isOver = Watched(false)
        let running = Task {
            defer { isOver.withLock { $0 = true } }
            return try await operation()
        }
        return try await withTaskCancellationHandler {
            while !isOver.withLock({ $0 }) {
                await settle(unless: { isOver.withLock(\.self) })
                guard !isOver.withLock({ $0 }), let next = nextDeadline else { continue }
                if next > end { running.cancel() }
                advanceToNextSleeper()
            }
            return try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    /// Lets time pass: moves the clock to every deadline within that span, one after the other, and then to its end. Every task
    /// that is woken runs until it waits again, before time goes on: so each step happens at its own time of the clock.
    /// ``advance(by:)`` instead moves at once, even if tasks still run.
    ///
    /// - Parameter duration: how far the clock moves, at least zero. It stays where it is if the calling task is cancelled.
    public func pass(_ duration: Duration) async {
        let end = now.advanced(by: duration)
        while true {
            await settle(unless: { Task.isCancelled })
            if Task.isCancelled { return }
            let next = min(nextDeadline ?? end, end), left = now.duration(to: next)
            if left <= .zero { return }
            advance(by: left)
        }
    }

    /// Lets every task run that can: returns when none has gone to sleep or woken for 10 ms of real time. Counting yields would
    /// not work: on a busy machine the thread with the next step may not be running. So time in which this task itself came late
    /// does not count, for half a second at most, and where tasks have come late lately it takes longer.
    private func settle(unless isOver: () -> Bool) async {
        var calm = 0
        var last = (begunSleepCount, sleeperCount)
        let begun = ContinuousClock.now
        var calmSince = begun
        while !isOver() {
            let asleep = ContinuousClock.now
            try? await Task.sleep(for: .milliseconds(2))
            let late = asleep.duration(to: .now) - .milliseconds(2)
            let patience = lateness.withLock { $0.patience(after: late) }
            let isLate = late > .milliseconds(6) && begun.duration(to: .now) < .milliseconds(500)
            for _ in 0..<50 { await Task.yield() }
            let turns = (begunSleepCount, sleeperCount)
            if turns == last, !isLate {
                calm += 1
            } else {
                (calm, calmSince, last) = (0, .now, turns)
            }
            if calm >= 5, calmSince.duration(to: .now) >= patience { return }
        }
    }
}

/// One for all tests of the process.
private let lateness = Watched(Lateness())

/// How late tasks have come back from a short sleep in the last two seconds. On a machine that others use too, a thread may be
/// paused for as long.
private struct Lateness: Sendable {
    private var most = Duration.zero
    private var until = ContinuousClock.now

    /// How long no task may go to sleep or wake.
    mutating func patience(after late: Duration) -> Duration {
        let now = ContinuousClock.now
        if late >= most || until < now { (most, until) = (late, now + .seconds(2)) }
        return min(max(.milliseconds(10), most), .milliseconds(30))
    }
}

extension LandfallClient {
    /// Returns once this number of calls waits for this client, or the calling task is cancelled: then the test can move time.
    public func waitForCalls(_ count: Int = 1) async {
        while runningOperations < count, !Task.isCancelled { await Task.yield() }
    }
}
