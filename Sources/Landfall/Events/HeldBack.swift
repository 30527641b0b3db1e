// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Items that a flush leaves to an operation of their own, so that no other item waits for them: clicks whose link another server must
/// unwrap first, and events that the server's answer has left out.
struct HeldBack: Sendable {
    /// Not tried yet: due at once.
    private var fresh: Set<String> = []
    /// Tried in vain: they wait for the retry.
    private var failed: Set<String> = []
    private var current: String?
    var retryable = RetryableOperation()

    /// Flushes leave these out.
    var ids: Set<String> { fresh.union(failed).union([current].compactMap { $0 }) }

    /// When the operation is due; nil if there is nothing to do, or it runs.
    var dueAt: Duration? {
        if retryable.isRunning || fresh.isEmpty && failed.isEmpty { return nil }
        return fresh.isEmpty ? retryable.retry.notBefore : .zero
    }

    /// An item that has not been tried yet.
    mutating func hold(_ id: String) { fresh.insert(id) }

    /// Items that a flush has tried in vain.
    mutating func hold(failed ids: Set<String>, now: Duration, chance: Double) {
        failed.formUnion(ids)
        restIfDue(now: now, chance: chance)
    }

    /// The next item to send, the oldest first; items that were never tried come before all others.
    /// - Parameter left: what this run has tried in vain.
    mutating func next(after left: Set<String>, now: Duration) -> String? {
        current = fresh.min() ?? (retryable.retry.notBefore <= now ? failed.subtracting(left).min() : nil)
        if let current {
            fresh.remove(current)
            failed.remove(current)
        }
        return current
    }

    mutating func answered(_ verdict: OutboxVerdict) {
        guard let id = current else { return }
        current = nil
        switch verdict {
        case .taken, .refused, .elsewhere: break
        case .laterAlone: failed.insert(id)
        // No item reaches the server now: the untried ones wait too.
        case .later:
            failed.formUnion(fresh)
            failed.insert(id)
            fresh = []
        }
    }

    /// The run was cancelled: its current item had no try.
    mutating func interrupted() {
        retryable.operation = nil
        current.map { _ = fresh.insert($0) }
        current = nil
    }

    /// - Parameter left: what the run has tried in vain.
    mutating func ended(left: Set<String>, now: Duration, chance: Double) {
        retryable.operation = nil
        if failed.isEmpty {
            retryable.retry.reset()
        } else if !left.isEmpty {
            restIfDue(now: now, chance: chance)
        }
    }

    /// A pause that has begun is neither renewed nor made longer.
    private mutating func restIfDue(now: Duration, chance: Double) {
        if retryable.retry.notBefore <= now { retryable.retry.failed(now: now, chance: chance) }
    }
}

extension Launch {
    /// Sends what flushes have held back, one by one. Flushes go on meanwhile.
    func sendHeldBack(operation: Operations.ID) async {
        guard let install = read(\.install) else { return }
        var left: Set<String> = []
        while let id = nextHeldBack(after: left, operation) {
            let verdict = await outbox.send(id, as: install.id) { [self] call in try await deliver(call, as: install) }
            if Task.isCancelled {
                return change { if $0.outbox.heldBack.retryable.operation == operation { $0.outbox.heldBack.interrupted() } }
            }
            if verdict == .later || verdict == .laterAlone { left.insert(id) }
            // After a cancellation the state may belong to another installation.
            note { if $0.outbox.heldBack.retryable.operation == operation { $0.outbox.heldBack.answered(verdict) } }
            // The question that was to bring this click may have ended before the flush could see that it is held back no more.
            if verdict == .elsewhere { change { $0.outbox.hasItems = true } }
            if verdict == .later { break }
        }
        change { state, at in
            guard state.outbox.heldBack.retryable.operation == operation else { return }
            state.outbox.heldBack.ended(left: left, now: at.now, chance: at.chance)
            // The files may not say yet that the sent items are done.
            state.files.changed(.outbox)
        }
    }

    private func nextHeldBack(after left: Set<String>, _ operation: Operations.ID) -> String? {
        let now = time.now()
        return note { state in
            guard state.outbox.heldBack.retryable.operation == operation else { return nil }
            return state.outbox.heldBack.next(after: left, now: now)
        }
    }

    /// True for what a flush leaves out: attribute changes while a call may change the person; a click whose link another server
    /// must unwrap first, because its question brings it or it is held back.
    func isLeftOut(_ call: OutboxCall) -> Bool {
        if case .attributes = call {
            return note { !$0.person.flushSendsAttributes() }
        }
        guard case .click(let click) = call, let link = LinkAddress(resolvedBy: click.url),
            configuration.links.route(of: link) == .unwrap
        else { return false }
        return change { state, _ in
            if state.collection == .off { return false }
            if !state.links.bringsClick(click.key) { state.outbox.heldBack.hold(click.key.rawValue) }
            return true
        }
    }
}
