// SPDX-License-Identifier: Apache-2.0

/// The end of an installation: requested by the app, or reported by the server.
struct ErasureState: Sendable {
    /// The person has asked for it in this launch: no first open is sent.
    var isAskedByApp = false
    /// Nothing of this installation is to be kept.
    private(set) var isWanted = false
    /// The server has erased it.
    private(set) var isErased = false
    var retryable = RetryableOperation()
    private var waiters: [Int: Waiter] = [:]

    /// A caller that waits. The request itself never expires.
    struct Waiter: Sendable {
        let deadline: Duration
        let waiter: CheckedContinuation<Void, any Error>
    }

    mutating func ask() { isWanted = true }

    /// The server has reported that the installation is erased.
    mutating func erased() {
        isWanted = true
        isErased = true
    }

    /// - Parameter waiter: gets the result of the next try, which begins at once.
    mutating func wait(_ id: Int, _ waiter: Waiter) {
        isWanted = true
        waiters[id] = waiter
        retryable.retry.reset()
    }

    mutating func stopWaiting(_ id: Int) -> Waiter? { waiters.removeValue(forKey: id) }

    mutating func takeWaiters() -> [CheckedContinuation<Void, any Error>] {
        defer { waiters = [:] }
        return waiters.values.map(\.waiter)
    }

    /// - Returns: the callers whose wait is over.
    mutating func takeLate(_ now: Duration) -> [CheckedContinuation<Void, any Error>] {
        let late = waiters.filter { $0.value.deadline <= now }
        for id in late.keys { waiters[id] = nil }
        return late.values.map(\.waiter)
    }

    /// When the next caller stops waiting.
    var deadline: Duration? { waiters.values.lazy.map(\.deadline).min() }

    /// From when to try; nil if it is not requested, or is being tried.
    var wakeAt: Duration? { isWanted && !retryable.isRunning ? retryable.retry.notBefore : nil }
}
