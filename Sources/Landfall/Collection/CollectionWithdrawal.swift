// SPDX-License-Identifier: Apache-2.0

extension LaunchState {
    /// The new mode allows less. Requests that were made under the old one may still wait for a network: they are cancelled, and what the
    /// new mode allows is sent again. What the server has answered, at least in part, has left.
    mutating func withdrawRequests(from before: CollectionMode, to mode: CollectionMode) {
        let operations = [adToken.posting, outbox.flush, outbox.heldBack.retryable]
        cancelled += operations.compactMap(\.operation)
        takeFirstOpenBack()
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

extension PaywallState {
    /// Requests for matching paywalls name the device in the full mode. Their calls ask again.
    /// - Returns: the operations to cancel.
    fileprivate mutating func takeMatchingBack() -> [Operations.ID] {
        fetches.keys.filter { $0.kind == .matching }.compactMap { key in
            defer { fetches[key]?.retryable.operation = nil }
            return fetches[key]?.retryable.operation
        }
    }
}
