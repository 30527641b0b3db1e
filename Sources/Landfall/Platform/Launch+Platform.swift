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
        case .networkPath(let isSatisfied, let isConstrained):
            networkPathChanged(isSatisfied: isSatisfied, isConstrained: isConstrained)
        case .storeCountry(let code): change { $0.learnStoreCountry(code) }
        }
    }

    func enteredForeground() {
        change { state, at in
            state.activated(now: at.now)
            state.resetRetries()
        }
    }

    func networkPathChanged(isSatisfied: Bool, isConstrained: Bool) {
        change { state in
            state.hasPath = isSatisfied
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
        if install != nil { planToken(now: now) }
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
