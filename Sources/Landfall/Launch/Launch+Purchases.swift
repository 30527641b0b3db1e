// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    func observePurchases() {
        if isOver(for: "observePurchases()", .purchases) { return }
        change { state, at in
            guard state.purchases.hasSource else {
                let text = "observePurchases() has no store to observe. Set LandfallConfiguration.transactions, or import LandfallApple."
                return state.log.add(.warning, text, .purchases)
            }
            if state.purchases.observe() { state.announcePurchases(now: at.now) }
        }
    }

    /// Hears the store as long as the client lives, whichever installation it serves.
    func listenToStore() {
        guard let source = configuration.transactions else { return }
        operations.run(for: .platform) { [weak self] _ in
            for await transaction in source.updates() {
                self?.change { $0.purchases.found([transaction], isWhole: false) }
            }
        }
    }

    func readTransactions(operation: Operations.ID) async {
        guard let source = configuration.transactions else { return }
        // If cancelled, the installation that it was read for has ended.
        guard let history = try? await history(of: source) else { return }
        change { state in
            if state.purchases.reading == operation { state.purchases.found(history, isWhole: true) }
        }
    }

    /// - Throws: `CancellationError`: a cancelled stream ends early, and has only a part.
    func history(of source: any TransactionSource) async throws -> [StoreTransaction] {
        var history: [StoreTransaction] = []
        for await transaction in source.history() { history.append(transaction) }
        try Task.checkCancellation()
        return history
    }

    /// - Parameter exposures: by the id of the transaction.
    func report(
        _ batch: PurchaseBatch, _ reason: PurchaseReason, after exposures: [String: String] = [:], as install: Install
    ) async throws -> PurchaseAnswer {
        let body = try WireCoding.encode(batch.report(reason, key: makeKey(), exposures: exposures))
        let request = calls.request("POST", WirePath.purchases, body: body, as: install)
        return try await calls.answer(PurchaseAnswer.self, to: request)
    }

    func send(_ batch: PurchaseBatch, operation: Operations.ID) async {
        guard let install = read(\.install) else { return }
        let result = await Result { try await self.report(batch, .sync, as: install) }
        change { state, at in
            // Of an installation that has ended.
            guard state.purchases.sending.operation == operation else { return }
            switch result {
            case .success(let answer): state.answered(batch, answer, at)
            case .failure(let error):
                guard let error = LandfallError(any: error) else { return state.purchases.sending.operation = nil }
                if error.isRefusal {
                    state.purchases.refused(batch, isAboutContent: error.isAboutContent)
                    if !state.purchases.isHistoryComing { state.profileState.purchasesAreComplete() }
                } else {
                    state.purchases.failed(now: at.now, chance: at.chance)
                }
                state.noticed(error, by: .purchases, now: at.now)
            }
        }
    }
}

extension LaunchState {
    /// The first open says that they are coming, if it is sent in time.
    mutating func announcePurchases(now: Duration) {
        if purchases.isHistoryComing, collection != .off { profileState.purchasesAreComing(now: now) }
    }

    /// The files have been read.
    mutating func openedPurchases(_ memory: PurchaseMemory?, of install: InstallID) {
        purchases.opened(memory, of: install)
        if let person = profileState.wire?.id, purchases.belongs(to: person) { files.changed(.purchases) }
        guard purchases.isObserving else { return }
        if !purchases.isHistoryComing || collection == .off { profileState.purchasesAreComplete() }
    }

    fileprivate mutating func answered(_ batch: PurchaseBatch, _ answer: PurchaseAnswer, _ at: Instant) {
        learn(answer.profile, nil, now: at.now)
        guard let codes = purchases.answered(batch, answer.results, to: answer.profile.id) else {
            return purchases.failed(now: at.now, chance: at.chance)
        }
        acknowledged(batch, rejections: codes)
    }

    /// A part of what the person asked to restore has arrived.
    /// - Returns: false if the answer says nothing about it.
    mutating func restored(_ batch: PurchaseBatch, _ answer: PurchaseAnswer, _ at: Instant) -> Bool {
        learn(answer.profile, nil, now: at.now)
        guard let codes = purchases.learned(batch, answer.results, of: answer.profile.id) else { return false }
        acknowledged(batch, rejections: codes)
        return true
    }

    mutating func acknowledged(_ batch: PurchaseBatch, rejections codes: [ErrorCode]) {
        files.changed(.purchases)
        if batch.isComplete { profileState.purchasesAreComplete() }
        guard !codes.isEmpty else { return }
        let reasons = Set(codes.map(\.rawValue)).sorted().joined(separator: ", ")
        let text = "The server does not take \(codes.count) of \(batch.transactions.count) transactions (\(reasons))."
        log.add(.warning, "\(text) The next launch sends them again; docs/features/purchases.md has the codes.", .purchases)
    }
}

extension LandfallError {
    /// The server cannot read the request, or not all of it.
    var isAboutContent: Bool {
        switch kind {
        case .refused(.bodyTooLarge), .refused(.invalidValue), .refused(.malformedRequest), .refused(.malformedJSON),
            .refused(.forbiddenCharacter):
            true
        default: false
        }
    }
}
