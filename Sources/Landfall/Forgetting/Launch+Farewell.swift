// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    func forget() async throws {
        // Nothing more is collected, whatever comes of the rest.
        collection = .off
        let install = try await knownInstall()
        remember(install)
        try await farewell { $0.farewell.ask() }
    }

    func resetInstall() async throws {
        _ = try await knownInstall()
        guard storage.isOwner else { throw LandfallError(.storage, detail: "Another process owns the files.") }
        let chosen = configuration.collection
        try await farewell { state in
            state.chosenCollection = chosen
            state.stored.collection = chosen
            // The server is not asked to erase anything.
            state.farewell.erased()
        }
    }

    /// Returns when the installation has ended.
    private func farewell(_ begin: @escaping (inout LaunchState) -> Void) async throws {
        let id = note { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let refusal: (any Error)? = change { state, _ in
                    begin(&state)
                    if Task.isCancelled { return CancellationError() }
                    if state.isOver { return LandfallError(.shutDown) }
                    state.farewell.wait(id, waiter)
                    return nil
                }
                if let refusal { waiter.resume(throwing: refusal) }
            }
        } onCancel: {
            note { $0.farewell.stopWaiting(id) }?.resume(throwing: CancellationError())
        }
    }

    /// A later launch goes on with it.
    private func remember(_ install: Install) {
        guard storage.isOwner else { return }
        var marked = install
        marked.isToBeErased = true
        do { try StoredFile(.install, in: storage).write(marked) } catch {
            configuration.log(
                LogLine(
                    .warning,
                    "The wish to be forgotten cannot be stored: \(error). This launch goes on with it; nothing to do.",
                    category: .storage))
        }
    }

    /// The server says that the installation with this credential is gone.
    func wasErased(_ credential: String) {
        let isNews = change { state, _ in
            guard state.install?.credential == credential, !state.farewell.isErased else { return false }
            state.farewell.erased()
            return true
        }
        guard isNews else { return }
        configuration.log(
            LogLine(.warning, "This installation was erased on the server. The SDK begins as a new one; nothing to do."))
    }

    /// Erases on the server, then here.
    func sayFarewell(operation: Operations.ID) async {
        guard let install = read(\.install) else { return }
        do {
            if !read(\.farewell.isErased) { try await eraseOnServer(install) }
            change { state, _ in
                state.farewell.erased()
                if storage.isOwner { state.forgetStored() }
            }
            // Another process owns the files: it hears of it with its next call.
            guard storage.isOwner else { return left(begins: false, operation: operation) }
            do { try await wipe() } catch is CancellationError { throw CancellationError() } catch {
                throw LandfallError(.storage, detail: "\(error)")
            }
            left(begins: true, operation: operation)
        } catch {
            guard let error = LandfallError(any: error) else { return }
            let waiters = change { state, at in
                state.farewell.errand.operation = nil
                state.farewell.errand.retry.failed(now: at.now, chance: at.chance)
                state.noticed(error, by: .forgetting, now: at.now)
                return state.farewell.takeWaiters()
            }
            for waiter in waiters { waiter.resume(throwing: error) }
        }
    }

    private func eraseOnServer(_ install: Install) async throws {
        do {
            let request = calls.request("DELETE", WirePath.profile, as: install)
            _ = try await calls.answer(ErasureAnswer.self, to: request)
        } catch let error as LandfallError where error.kind == .refused(.profileErased) {
            return
        }
    }

    /// The installation last: until it is gone, a launch after a kill does all of it again.
    private func wipe() async throws {
        try StoredFile(.profile, in: storage).write(read(\.stored))
        try storage.remove(.paywalls)
        try outbox.clear()
        if let deviceIDs = configuration.deviceIDs {
            let fresh = UUIDv7.text(date: time.date(), random: configuration.randomBytes(10))
            do { try await abandoning { try await deviceIDs.write(fresh) } } catch is DeviceIDUnavailable {}
        }
        try storage.remove(.install)
    }

    private func left(begins: Bool, operation: Operations.ID) {
        // What is under way is about somebody who is gone.
        if begins { operations.cancelAll(but: operation) }
        let waiters = change { state, _ in
            let waiters = state.farewell.takeWaiters()
            if begins {
                state.beginAgain(configuration, collection: state.collection)
            } else {
                state.farewell = Farewell()
            }
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
