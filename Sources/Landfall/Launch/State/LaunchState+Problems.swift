// SPDX-License-Identifier: Apache-2.0

/// What is wrong, for people to read.
extension LaunchState {
    mutating func failed(_ name: RetryableOperationName, _ error: some Error, now: Duration) {
        lastErrors.note(error, of: name, now: now)
    }

    /// Notes a failure of a request, and logs what the server has refused.
    mutating func noticed(_ error: LandfallError, by name: RetryableOperationName, now: Duration) {
        failed(name, error, now: now)
        // Once an installation has reached the server, its name is right, whatever this network says of it.
        if name == .firstOpen, platform.hasPath, profileState.wire == nil {
            setup.unknownServer(after: error).map { report($0) }
        }
        guard error.isRefusal else { return }
        if case .refused(.placementUnknown) = error.kind, case .paywall(let key) = name {
            report(.unknownPlacement(key.placement))
        } else {
            log.add(.error, error.description, name.category)
        }
    }

    mutating func report(_ trap: SetupTrap) {
        if setup.isNew(trap) { log.add(trap.level, trap.message, .setup) }
    }

    func setupCircumstances(_ now: Duration) -> SetupCircumstances {
        SetupCircumstances(
            now: now, isStarted: isStarted, isActivated: platform.isActivated, isPaywallAwaited: paywalls.isAwaited,
            isElseAwaited: !installWaiters.calls.isEmpty || !links.calls.isEmpty || !links.deferred.calls.isEmpty,
            hasListeners: links.inbox.hasListeners || !profileListeners.isEmpty,
            lacksListener: links.inbox.hasWaitingButNoListener,
            isConnected: links.isConnected || links.inbox.wasListenedTo, hasTokenSource: adToken.hasSource,
            collection: collection
        )
    }

    /// Checks a call that ended before the first open could be sent.
    mutating func checkSetup(of call: PaywallCall, _ result: Result<PaywallResult, LandfallError>, _ now: Duration) {
        guard isStarted, !platform.isActivated, !setup.bundle.isExtension else { return }
        if case .success = result, now < call.deadline { return }
        report(.neverSeen)
    }
}
