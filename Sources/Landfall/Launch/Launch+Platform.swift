// SPDX-License-Identifier: Apache-2.0

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
        case .storeCountry(let code): change { $0.learn(storeCountry: code) }
        }
    }

    func enteredForeground() {
        change { state, at in
            state.activated(now: at.now)
            state.purchases.lookAgain()
            state.sales.lookAgain()
            state.firstOpen.returned(now: at.now)
            state.resetRetries(now: at.now)
        }
    }

    /// The system gives an app that leaves the screen a few seconds: waiting items are sent and stored in that time.
    func enteredBackground() {
        change { state in
            state.outbox.resetRetries()
            state.files.storing.retry.reset()
        }
    }

    func networkPathChanged(isSatisfied: Bool, isDenied: Bool, isConstrained: Bool) {
        change { state, at in
            state.platform.pathChanged(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained)
            if isSatisfied { state.resetRetries(now: at.now) }
        }
    }
}

extension LaunchState {
    /// From now on this launch is an open: the token is requested and the first open may be sent.
    mutating func activated(now: Duration) {
        guard !platform.isActivated else { return }
        platform.isActivated = true
        announcePurchases(now: now)
        attributionBegins(now: now)
        if install != nil { planToken(now: now) }
    }

    /// The wait for attribution counts from the moment at which both are true: started, and visible.
    mutating func attributionBegins(now: Duration) {
        guard isStarted, platform.isActivated else { return }
        attributionWait.begins(now: now)
    }

    fileprivate mutating func learn(storeCountry code: String) {
        // Stored, so that the next launch's first open contains it from the start.
        guard let country = platform.learn(storeCountry: code), stored.storeCountry != country else { return }
        stored.storeCountry = country
        files.changed(.profile)
    }
}
