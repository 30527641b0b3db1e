// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    func forget(within limit: Duration) async throws {
        // Nothing more is collected, whatever happens next. A first open that this cancels is not sent again: it could create the
        // installation anew, behind its erasure.
        note { $0.erasure.isAskedByApp = true }
        collection = .off
        // Even if the caller was cancelled: the person has asked for it.
        try await erasure(until: time.now() + limit.withinADay) { $0.erasure.ask() }
    }

    func resetInstall(within limit: Duration) async throws {
        let deadline = time.now() + limit.withinADay
        _ = try await knownInstall(until: deadline)
        let chosen = configuration.collection
        try await erasure(until: deadline) { state in
            // An erasure that the person has asked for is not given up: it ends the installation too.
            if state.erasure.isWanted || state.install?.isToBeErased == true { return state.erasure.ask() }
            state.collectionChoice = CollectionChoice(chosen)
            state.stored.collection = chosen
            // The server is not asked to erase anything.
            state.erasure.erased()
        }
    }

    /// Returns when the installation has ended.
    private func erasure(until deadline: Duration, _ begin: @escaping (inout LaunchState) -> Void) async throws {
        let id = note { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let refusal: (any Error)? = change { state, _ in
                    if state.isOver { return LandfallError(.shutDown) }
                    begin(&state)
                    if Task.isCancelled { return CancellationError() }
                    state.erasure.wait(id, .init(deadline: deadline, waiter: waiter))
                    return nil
                }
                if let refusal { waiter.resume(throwing: refusal) }
            }
        } onCancel: {
            note { $0.erasure.stopWaiting(id) }?.waiter.resume(throwing: CancellationError())
        }
    }

    /// A later launch continues the erasure.
    private func remember(_ install: Install) async throws {
        guard install.isToBeErased != true, !read(\.erasure.isErased) else { return }
        var marked = install
        marked.isToBeErased = true
        do {
            try await turns.run { [marked] in try await StoredFile(.install, in: storage).write(marked) }
            note { if $0.install?.id == marked.id { $0.install?.isToBeErased = true } }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            configuration.log(
                LogLine(
                    .warning,
                    "The request of forget() cannot be stored. \(error.inWords) This launch goes on with the erasure; nothing to do.",
                    category: .storage))
        }
    }

    /// The server reports that the installation with this credential is erased.
    func wasErased(_ credential: String) {
        let isNews = change { state, _ in
            guard state.install?.credential == credential, !state.erasure.isErased else { return false }
            state.erasure.erased()
            return true
        }
        guard isNews else { return }
        configuration.log(
            LogLine(.warning, "This installation was erased on the server. The SDK begins as a new one; nothing to do."))
    }

    /// Erases on the server, then here.
    func requestErasure(operation: Operations.ID) async {
        guard let install = read(\.install) else { return }
        do {
            try await remember(install)
            if !read(\.erasure.isErased) { try await eraseOnServer(install) }
            change { state, _ in
                state.erasure.erased()
                state.forgetStored()
            }
            do { try await wipe() } catch is CancellationError { throw CancellationError() } catch {
                throw LandfallError(.storage, detail: error.inWords)
            }
            left(operation)
        } catch {
            guard let error = LandfallError(any: error) else { return }
            let waiters = change { state, at in
                state.erasure.retryable.operation = nil
                state.erasure.retryable.retry.failed(now: at.now, chance: at.chance)
                state.noticed(error, by: .forgetting, now: at.now)
                return state.erasure.takeWaiters()
            }
            for waiter in waiters { waiter.resume(throwing: error.kept) }
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

    /// The installation last: until it is deleted, a launch after a kill repeats all of this.
    private func wipe() async throws {
        try await turns.run {
            // Removed first: a write would keep values that a later release has stored about the person.
            for name in [StorageName.profile, .paywalls, .experiments, .linkRules, .purchases, .sales] { try await storage.remove(name) }
            try await StoredFile(.profile, in: storage).write(read(\.stored))
            // Copies of files that could not be understood, and half-written ones.
            for name in try await storage.names() where name.isLeftOver { try await storage.remove(name) }
        }
        try await outbox.clear()
        if let deviceIDs = configuration.deviceIDs {
            let fresh = UUIDv7.text(date: time.date(), random: configuration.randomBytes(10))
            do { try await abandoning { try await deviceIDs.write(fresh) } } catch is DeviceIDUnavailable {}
        }
        try await turns.run { try await storage.remove(.install) }
    }

    private func left(_ operation: Operations.ID) {
        // Operations under way belong to the erased person.
        operations.cancelAll(but: operation)
        let waiters = change { state, _ in
            let waiters = state.erasure.takeWaiters()
            state.beginAgain(configuration, collection: state.collection)
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
