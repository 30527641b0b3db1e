// SPDX-License-Identifier: Apache-2.0

extension Launch {
    var collection: CollectionMode {
        get { read(\.collection) }
        set {
            change { state, at in state.choose(newValue, now: at.now) }
            if newValue != .full { forgetWhatIsNotAllowed(in: newValue) }
        }
    }

    func change(collection new: CollectionChange) {
        let mode = change { state, at in
            if state.install == nil, state.collectionChoice.wait(new) {
                state.files.changed(.profile)
            } else {
                state.choose(new.applied(to: state.collection), now: at.now)
            }
            return state.collection
        }
        if mode != .full { forgetWhatIsNotAllowed(in: mode) }
    }
}

extension LaunchState {
    var collection: CollectionMode { collectionChoice.mode(stored: stored.collection) }

    fileprivate mutating func choose(_ mode: CollectionMode, now: Duration) {
        let before = collection
        let isChanged = before != mode
        collectionChoice.choose(mode)
        stored.collection = mode
        files.changed(.profile)
        if mode == .off, experiments.forgetReports() { files.changed(.experiments) }
        if isChanged, before == .full || mode == .off { withdrawRequests(from: before, to: mode) }
        if isChanged, install != nil { planToken(now: now) }
    }

    /// The new mode allows less. Requests that were made under the old one may still wait for a network: they are cancelled, and what the
    /// new mode allows is sent again. What the server has answered, at least in part, has left.
    mutating func withdrawRequests(from before: CollectionMode, to mode: CollectionMode) {
        let operations = [adToken.posting, outbox.flush, outbox.heldBack.retryable]
        cancelled += operations.compactMap(\.operation)
        takeFirstOpenBack()
        if mode == .off {
            profileState.purchasesAreComplete()
            cancelled += [purchases.sending.operation, sales.sending.operation].compactMap(\.self)
        }
        if mode == .off, links.deferred.token == nil, let operation = links.deferred.retryable.operation {
            cancelled.append(operation)
            links.deferred.retryable.operation = nil
        }
        if before == .full { cancelled += paywalls.takeMatchingBack() }
    }

    /// A first open that the server has not begun to answer goes no further. It is decided anew, as if it had not been sent.
    mutating func takeFirstOpenBack() {
        guard !firstOpen.hasFirstLine, let operation = firstOpen.retryable.operation else { return }
        cancelled.append(operation)
        firstOpen.takenBack()
    }
}
