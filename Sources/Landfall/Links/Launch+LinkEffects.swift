// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Runs under the lock: it starts operations, and notes what to cancel and whom to resume after the lock is released.
    func perform(_ effect: LinkDesk.Effect, _ state: inout LaunchState) {
        switch effect {
        case .ask(let key): state.links.questions[key]?.operation = run { await $0.ask(key) }
        case .cancel(let operation): cancelAfterwards(operation, &state)
        case .answer(let call, let link): state.afterwards.append { call.waiter.resume(returning: link) }
        case .handOver(let listener, let link): handOver(link) { listener.waiter.resume(returning: link) }
        case .answerDeferred(let call, .link(let link)): handOver(link) { call.waiter.resume(returning: .link(link)) }
        case .answerDeferred(let call, let result): state.afterwards.append { call.waiter.resume(returning: result) }
        case .askDeferred(let token): state.links.deferred.errand.operation = run { await $0.askDeferred(token) }
        case .forget(let ids): run { $0.forget(ids) }
        case .leaveClick: break  // // The code that found it handles it.
        }
    }

    /// Stored first: if the app is killed while it handles the link, the next launch marks it. Off the caller's thread.
    private func handOver(_ link: ReceivedLink, _ resume: @escaping @Sendable () -> Void) {
        // An operation starts even if it was cancelled before.
        operations.run(for: .launch) { [weak self, outbox] _ in
            let isStored = outbox.handOver(link.id)
            resume()
            if !isStored { self?.storeLater() }
        }
    }
}

extension LinkDesk {
    /// The client ends: returns the callbacks of all waiting calls.
    mutating func end() -> [@Sendable () -> Void] {
        defer {
            calls = [:]
            deferred.calls = [:]
        }
        var ends: [@Sendable () -> Void] = inbox.stopListening().map { listener in { listener.waiter.resume(returning: nil) } }
        for call in calls.values {
            let link = opened(call.link, LinkFinding(status: .timedOut, link: call.link))
            ends.append { call.waiter.resume(returning: link) }
        }
        for call in deferred.calls.values { ends.append { call.waiter.resume(returning: .pending) } }
        return ends
    }
}
