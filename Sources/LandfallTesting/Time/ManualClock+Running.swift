// SPDX-License-Identifier: Apache-2.0
public import Landfall

extension ManualClock {
    /// Runs an operation while time passes by itself: whenever everybody waits, the clock moves to the next one whose time comes.
    /// So a call that takes five seconds takes exactly five seconds of the clock, and a tenth of a second of the test. Everybody
    /// waits when nobody has gone to sleep or woken for 10 ms.
    ///
    /// - Parameters:
    ///   - limit: how far the clock may move, default an hour. Then the operation is cancelled.
    ///   - operation: what is run.
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
                await settle(unless: isOver)
                guard !isOver.withLock({ $0 }), let next = nextDeadline else { continue }
                if next > end { running.cancel() }
                advanceToNextSleeper()
            }
            return try await running.value
        } onCancel: {
            running.cancel()
        }
    }

    /// Lets every task run that can: returns when nobody has gone to sleep or woken for 10 ms of the machine's own time. A count of
    /// yields would not do: on a busy machine the thread that has the next step may not be running.
    private func settle(unless isOver: Watched<Bool>) async {
        var calm = 0
        var last = sleepTurns
        while calm < 5, !isOver.withLock({ $0 }) {
            try? await Task.sleep(for: .milliseconds(2))
            for _ in 0..<50 { await Task.yield() }
            calm = sleepTurns == last ? calm + 1 : 0
            last = sleepTurns
        }
    }
}

extension LandfallClient {
    /// Returns once so many calls wait for this client, or the calling task is cancelled: then time may move.
    public func waitForCalls(_ count: Int = 1) async {
        while runningOperations < count, !Task.isCancelled { await Task.yield() }
    }
}
