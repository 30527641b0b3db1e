// SPDX-License-Identifier: Apache-2.0

/// When the outbox is sent in this launch, and the calls that wait until it has been.
struct OutboxState: Sendable {
    enum Effect: Sendable {
        case flush
        case sendHeldBack
    }

    var flush = RetryableOperation()
    /// For the next flush.
    var hasItems = false
    var heldBack = HeldBack()
    var calls = SendingCalls()

    var mayHaveItems: Bool { hasItems || !heldBack.ids.isEmpty }

    /// If only held-back items wait, the next try is theirs.
    var retryable: RetryableOperation { hasItems || flush.isRunning || heldBack.ids.isEmpty ? flush : heldBack.retryable }

    /// Under way, or due: what waits now is on its way to the server.
    func isLeaving(_ now: Duration) -> Bool { flush.isRunning || flush.retry.notBefore <= now }

    /// What is sent, each with the time from which it is due.
    /// - Parameter allowed: the first open does not bring these items any more.
    func plannedEffects(allowedFrom allowed: Duration) -> [(from: Duration, effect: Effect)] {
        let from = max(allowed, flush.retry.notBefore)
        var planned: [(from: Duration, effect: Effect)] = []
        if hasItems, !flush.isRunning { planned.append((from, .flush)) }
        if let due = heldBack.dueAt { planned.append((max(from, due), .sendHeldBack)) }
        return planned
    }

    /// A call waits for what is sent: there is a new reason to try.
    mutating func add(_ id: Int, _ call: SendingCalls.Call) {
        calls.add(id, call)
        flush.retry.dueNow()
        heldBack.retryable.retry.dueNow()
    }

    mutating func begun(_ operation: Operations.ID) {
        hasItems = false
        flush.operation = operation
    }

    /// - Parameter isCancelled: no failure: what was cancelled is sent again at once, as far as it may be.
    mutating func flushed(_ rest: OutboxRest, isCancelled: Bool, now: Duration, chance: Double) {
        flush.operation = nil
        switch rest {
        case .nothing: flush.retry.reset()
        case .items(let ids):
            flush.retry.reset()
            heldBack.hold(failed: ids, now: now, chance: chance)
        case .everything where isCancelled: hasItems = true
        case .everything:
            hasItems = true
            flush.retry.failed(now: now, chance: chance)
            calls.flushFailed(&flush.retry, now: now)
        }
    }

    /// The app came back or leaves, or the network came back.
    mutating func resetRetries() {
        flush.retry.reset()
        heldBack.retryable.retry.dueNow()
    }
}
