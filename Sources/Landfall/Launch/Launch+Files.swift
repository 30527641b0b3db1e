// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    /// Reads what earlier launches stored, or begins an installation. Files that cannot be read for certain are tried again
    /// later; until then nothing is written.
    func openFiles() async {
        readFallback()
        do {
            // First, so that everything that `receive` accepts from now on is on disk when it returns.
            try? await outbox.openForAppending()
            let stored = try await StoredFile<StoredProfileState>(.profile, in: storage).read(log: configuration.log)
            let opening = InstallLoader(
                storage: storage, deviceIDs: configuration.deviceIDs, earlierUse: earlierUse(stored), date: time.date,
                randomBytes: configuration.randomBytes, log: configuration.log,
                onBegin: { [weak self] in self?.askForTokenAhead(stored) }
            )
            let install = try await opening.install()
            let cache = try await StoredFile<PaywallCache>(.paywalls, in: storage).read(log: configuration.log)
            let experiments = try await StoredFile<ExperimentMemory>(.experiments, in: storage).read(log: configuration.log)
            let rules = try await StoredFile<KnownLinkRules>(.linkRules, in: storage).read(log: configuration.log)
            let purchases = try await StoredFile<PurchaseMemory>(.purchases, in: storage).read(log: configuration.log)
            let sales = try await StoredFile<SaleMemory>(.sales, in: storage).read(log: configuration.log)
            try await outbox.open()
            let mode = read { $0.collectionChoice.mode(stored: stored?.collection) }
            if mode != .full { forgetWhatIsNotAllowed(in: mode) }
            let entries = outbox.entries
            let hasItems = entries.contains { $0.item.isForFlush }
            let forgotten = change { state, at in
                state.opened(install, stored, cache, experiments, now: at.now)
                state.openedPurchases(purchases, of: install.id)
                state.sales.opened(sales, of: install.id)
                // Of this launch they are newer.
                if state.links.routing.known == nil, let rules, rules.rules.isValid { state.links.learn(rules) }
                if state.experiments.know(decisionsAmong: entries, by: state.profileState.wire?.epoch ?? 0) {
                    state.files.changed(.experiments)
                }
                state.outbox.hasItems = state.outbox.hasItems || hasItems
                return state.opened(entries)
            }
            forget(forgotten)
            // The token is on its way: what the first request needs is ready when it comes.
            (configuration.transport as? URLSessionTransport)?.prepare()
        } catch {
            let unavailable = error as? StorageUnavailable
            if !(error is CancellationError), unavailable == nil || read({ $0.files.unavailable != unavailable }) {
                let text =
                    unavailable?.description ?? "The SDK's files cannot be read yet. \(error.inWords) \(Self.filesAdvice)"
                configuration.log(LogLine(unavailable == nil ? .warning : .error, text, category: .storage))
            }
            change { state, at in
                state.failed(.files, error, now: at.now)
                state.files.failedToOpen(unavailable, now: at.now, chance: at.chance)
            }
        }
    }

    /// What was before an installation that has ended is no evidence about the next one.
    private func earlierUse(_ stored: StoredProfileState?) -> EarlierUse {
        guard stored?.isAfterErasure != true else { return EarlierUse() }
        return EarlierUse(said: configuration.usedBefore, shown: configuration.earlierUse)
    }

    func forgetWhatIsNotAllowed(in mode: CollectionMode) {
        forget(Set(outbox.pending.filter { !$0.isAllowed(in: mode) }.map(\.id)))
    }

    func setFallback(_ data: Data) throws {
        let file = try FallbackFile(data)
        change { $0.paywalls.fallback = file }
        logBroken(file)
    }

    /// Off the caller's thread, or by the first call that needs it. Where both come at the same time, both read it, and neither
    /// waits for the other.
    func readFallback() {
        guard let data = configuration.fallback, read(\.paywalls.needsFallback) else { return }
        let found = Result { try FallbackFile(data) }
        let isFirst = change { state, _ in state.paywalls.readFallback(try? found.get()) }
        guard isFirst else { return }
        switch found {
        case .success(let file): logBroken(file)
        case .failure(let error):
            configuration.log(LogLine(.error, "The bundled fallback file is not used. \(error.inWords)", category: .paywalls))
        }
    }

    private func logBroken(_ file: FallbackFile) {
        guard !file.broken.isEmpty else { return }
        let names = file.broken.map(\.rawValue).joined(separator: ", ")
        let text = "The fallback file's placements \(names) cannot be read; the others are used. Export the file again."
        configuration.log(LogLine(.warning, text, category: .paywalls))
    }
}

extension LaunchState {
    mutating func opened(
        _ install: Install, _ found: StoredProfileState?, _ cache: PaywallCache?, _ memory: ExperimentMemory?, now: Duration
    ) {
        files.opened()
        collectionChoice.decide(stored: found?.collection)
        self.install = install
        if install.isToBeErased == true {
            collectionChoice.choose(.off)
            erasure.ask()
        }
        if let cache { paywalls.cache.merge(olderThanHere: cache) }
        experiments = memory.flatMap { $0.install == install.id ? $0 : nil } ?? ExperimentMemory(of: install.id)
        var found = found ?? StoredProfileState()
        if let profile = found.profile, profile.installId == install.id {
            profileState.apply(profile, found.attribution, isStored: true, now: now)
        } else {
            found.profile = nil
            found.attribution = nil
            found.freshTokenLaunchesLeft = nil
            found.isTokenDelivered = nil
            found.deferredLink = nil
        }
        if let country = platform.storeCountry, found.storeCountry != country {
            found.storeCountry = country
            files.changed(.profile)
        }
        if found.isAfterErasure == true {
            found.isAfterErasure = nil
            files.changed(.profile)
        }
        stored = found
        if let chosen = collectionChoice.chosen, stored.collection != chosen {
            stored.collection = chosen
            files.changed(.profile)
        }
        planToken(now: now)
    }
}
