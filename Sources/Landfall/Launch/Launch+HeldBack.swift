// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

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
