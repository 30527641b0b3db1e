// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Listens as long as the client lives. Each source has its own operation, because it may be silent for days.
    func listenToPlatform() {
        for source in configuration.platform {
            operations.run(for: .platform) { [weak self] _ in
                for await signal in source.signals() { self?.hear(signal) }
            }
        }
    }

    private func hear(_ signal: PlatformSignal) {
        switch signal.kind {
        case .enteredForeground: enteredForeground()
        case .enteredBackground: enteredBackground()
        case .networkPath(let isSatisfied, let isDenied, let isConstrained):
            networkPathChanged(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained)
        case .storeCountry(let code): change { $0.learnStoreCountry(code) }
        }
    }

    func enteredForeground() {
        change { state, at in
            state.activated(now: at.now)
            state.firstOpen.returned(now: at.now)
            state.resetRetries(now: at.now)
        }
    }

    /// The system gives an app that leaves the screen a few seconds: waiting items are sent and stored in that time.
    func enteredBackground() {
        change { state in
            state.outbox.retry.reset()
            state.heldBack.retryable.retry.dueNow()
            state.storing.retry.reset()
        }
    }

    func networkPathChanged(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool) {
        change { state, at in
            state.hasPath = isSatisfied
            state.isPathDenied = isDenied && !isSatisfied
            state.isConstrained = isConstrained
            if isSatisfied { state.resetRetries(now: at.now) }
        }
    }
}

extension LaunchState {
    /// From now on this launch is an open: the token is requested and the first open may be sent.
    mutating func activated(now: Duration) {
        guard !isActivated else { return }
        isActivated = true
        attributionBegins(now: now)
        if install != nil { planToken(now: now) }
    }

    /// The wait for attribution counts from the moment at which both are true: started, and visible.
    mutating func attributionBegins(now: Duration) {
        guard isStarted, isActivated else { return }
        attributionAwaitedUntil = attributionLimit.map { now + $0 }
        ownTimer.begins(now: now)
    }

    fileprivate mutating func learnStoreCountry(_ code: String) {
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) })
        else { return }
        storeCountry = code.uppercased()
        // Stored, so that the next launch's first open contains it from the start.
        guard stored.storeCountry != storeCountry else { return }
        stored.storeCountry = storeCountry
        dirty.insert(.profile)
    }

    /// The device facts, completed with what became known since the client was made.
    func completed(_ facts: DeviceFacts) -> LandfallWire.DeviceFacts {
        var facts = facts.wire
        facts.storeCountry = storeCountry ?? facts.storeCountry ?? stored.storeCountry
        return facts
    }
}
