// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Calls that wait until items of the outbox have reached the server.
struct SendingCalls: Sendable {
    struct Call: Sendable {
        /// By their ids. Nil until the files have been read: then everything that waits.
        var items: Set<String>?
        let asked: Duration
        let deadline: Duration
        let waiter: CheckedContinuation<Void, any Error>
        /// Of the last try.
        var error: LandfallError?
        /// The server has refused an item for good, or it was dropped: it has left the outbox.
        var refusal: LandfallError?
        /// No other try comes in time, or none can help.
        var isHopeless = false

        var grace: Duration { Retry.grace(within: deadline - asked) }
    }

    private var calls: [Int: Call] = [:]

    var isEmpty: Bool { calls.isEmpty }
    var count: Int { calls.count }
    var inOrder: [(id: Int, call: Call)] { calls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    mutating func add(_ id: Int, _ call: Call) { calls[id] = call }

    mutating func remove(_ id: Int) -> Call? { calls.removeValue(forKey: id) }

    mutating func takeAll() -> [CheckedContinuation<Void, any Error>] {
        defer { calls = [:] }
        return calls.values.map(\.waiter)
    }

    /// When the next caller stops waiting.
    var deadline: Duration? { calls.values.lazy.map(\.deadline).min() }

    /// From when a first open that has not been answered is no reason to wait.
    func neededFrom(openedAt: Duration) -> Duration? { calls.values.lazy.map { max($0.asked, openedAt) + $0.grace }.min() }

    mutating func failed(_ error: LandfallError) {
        for id in calls.keys { calls[id]?.error = error }
    }

    /// These items leave the outbox, and the server does not have them.
    mutating func refused(_ items: Set<String>, _ error: LandfallError) {
        for (id, call) in calls where call.items?.isDisjoint(with: items) == false { calls[id]?.refusal = error }
    }

    /// A flush has ended with items left. The next one comes earlier than planned, if only that helps a caller.
    mutating func flushFailed(_ retry: inout Retry, now: Duration) {
        for call in calls.values { retry.comeForward(before: call.deadline, grace: call.grace, now: now) }
        for (id, call) in calls where call.deadline <= retry.notBefore || call.error?.isHopeless == true {
            calls[id]?.isHopeless = true
        }
    }

    /// What has become of this call; nil if it still waits.
    /// - Parameter waiting: the items in the outbox; nil until the files have been read.
    /// - Parameter late: the error of a call whose time is over without a failed try.
    mutating func take(_ id: Int, _ waiting: Set<String>?, now: Duration, late: LandfallError) -> Result<Void, LandfallError>? {
        guard let call = calls[id] else { return nil }
        let items = call.items ?? waiting
        calls[id]?.items = items
        let result: Result<Void, LandfallError>
        if let items, let waiting, items.isDisjoint(with: waiting) {
            result = call.refusal.map { .failure($0) } ?? .success(())
        } else if call.isHopeless || call.deadline <= now {
            result = .failure(call.error ?? late)
        } else {
            return nil
        }
        calls[id] = nil
        return result
    }
}

extension LandfallError {
    /// Another try within the time of a call cannot help.
    fileprivate var isHopeless: Bool {
        if case .network(let error) = kind { error.kind == .offline } else { isRefusal }
    }
}
