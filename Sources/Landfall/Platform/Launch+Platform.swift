// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Listens for as long as the client lives. Operations of their own, because a source may say nothing for days.
    func listenToPlatform() {
        for source in configuration.platform {
            operations.run(for: .launch) { [weak self] _ in
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
            state.resetRetries()
        }
    }

    /// The system gives an app that leaves a few seconds: what waits is sent and stored in them.
    func enteredBackground() {
        change { state in
            state.outbox.retry.reset()
            state.storing.retry.reset()
        }
    }

    func networkPathChanged(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool) {
        change { state in
            state.hasPath = isSatisfied
            state.isPathDenied = isDenied && !isSatisfied
            state.isConstrained = isConstrained
            if isSatisfied { state.resetRetries() }
        }
    }
}

extension LaunchState {
    /// From now on this launch is an open: the token is asked for and the first open may leave.
    mutating func activated(now: Duration) {
        guard !isActivated else { return }
        isActivated = true
        attributionBegins(now: now)
        if install != nil { planToken(now: now) }
    }

    /// The wait for attribution counts from the moment at which both are true: started, and seen.
    mutating func attributionBegins(now: Duration) {
        if isStarted, isActivated { attributionAwaitedUntil = attributionLimit.map { now + $0 } }
    }

    fileprivate mutating func learnStoreCountry(_ code: String) {
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) })
        else { return }
        storeCountry = code.uppercased()
        // Kept, so that the next launch's first open carries it from the start.
        guard stored.storeCountry != storeCountry else { return }
        stored.storeCountry = storeCountry
        dirty.insert(.profile)
    }

    /// What the phone says of itself, with what became known since the client was made.
    func completed(_ facts: DeviceFacts) -> LandfallWire.DeviceFacts {
        var facts = facts.wire
        facts.storeCountry = storeCountry ?? facts.storeCountry ?? stored.storeCountry
        return facts
    }
}
