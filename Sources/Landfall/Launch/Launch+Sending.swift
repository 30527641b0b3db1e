// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Sends what waits now, and returns when all of it has left the outbox.
    func flush(within limit: Duration) async throws { try await send(nil, within: limit) }

    func setAttributes(_ changes: [String: AttributeValue?], within limit: Duration) async throws {
        guard let key = try setAttributes(changes) else { return }
        try await send([key.rawValue], within: limit)
    }

    /// - Parameter items: by their ids; nil: everything that waits.
    private func send(_ items: Set<String>?, within limit: Duration) async throws {
        let asked = time.now()
        let id = note { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let refusal: (any Error)? = change { state, _ in
                    if Task.isCancelled { return CancellationError() }
                    if state.isOver { return LandfallError(.shutDown) }
                    state.outbox.add(id, .init(items: items, asked: asked, deadline: asked + limit.withinADay, waiter: waiter))
                    state.links.retry.dueNow()
                    return nil
                }
                if let refusal { waiter.resume(throwing: refusal) }
            }
        } onCancel: {
            note { $0.outbox.calls.remove(id) }?.waiter.resume(throwing: CancellationError())
        }
    }

    /// Resumes the calls whose items have left, or cannot leave in time. Runs under the lock.
    func endSendingCalls(_ state: inout LaunchState, _ at: LaunchState.Instant) {
        let isRead = state.install != nil
        let waiting = isRead ? Set(outbox.pending.lazy.filter(\.isForFlush).map(\.id)) : nil
        let late = state.lateness(waiting?.count ?? 0)
        for (id, call) in state.outbox.calls.inOrder {
            guard let result = state.outbox.calls.take(id, waiting, now: at.now, late: late) else { continue }
            state.afterwards.append { call.waiter.resume(with: result.mapError { $0 }) }
        }
    }
}

extension LaunchState {
    /// Why a call ends whose items have not been tried.
    fileprivate func lateness(_ waiting: Int) -> LandfallError {
        guard isStarted else { return LandfallError(.notStarted) }
        guard install != nil else {
            return files.unavailable.map { LandfallError(.storageUnavailable, detail: $0.description) }
                ?? LandfallError(.storage, detail: "The installation could not be read.")
        }
        let reason = platform.isActivated ? "" : " The app has not been visible yet."
        return LandfallError(.network(TransportError(.timedOut, detail: "\(waiting) items wait.\(reason)")))
    }
}
