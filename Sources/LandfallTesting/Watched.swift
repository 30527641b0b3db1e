// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// State behind a lock that a test can wait for, so that no test has to sleep.
///
/// `@unchecked Sendable`: `lock` guards `state`, `waiters` and `lastID`.
final class Watched<State: Sendable>: @unchecked Sendable {
    private struct Waiter {
        let isFulfilled: @Sendable (State) -> Bool
        let wake: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private var state: State
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    init(_ state: State) { self.state = state }

    /// Changes the state. Tasks that wait for the new state continue afterwards, outside the lock.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, fulfilled) = try lock.withLock {
            let result = try body(&state)
            let fulfilled = waiters.filter { $0.value.isFulfilled(state) }
            for id in fulfilled.keys { waiters[id] = nil }
            return (result, fulfilled.sorted { $0.key < $1.key })
        }
        for waiter in fulfilled { waiter.value.wake.resume() }
        return result
    }

    /// Returns as soon as the condition holds, or the calling task is cancelled.
    func wait(until isFulfilled: @escaping @Sendable (State) -> Bool) async {
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wake in
                let isOver = lock.withLock {
                    let isOver = Task.isCancelled || isFulfilled(state)
                    if !isOver { waiters[id] = Waiter(isFulfilled: isFulfilled, wake: wake) }
                    return isOver
                }
                if isOver { wake.resume() }
            }
        } onCancel: {
            lock.withLock { waiters.removeValue(forKey: id) }?.wake.resume()
        }
    }
}
