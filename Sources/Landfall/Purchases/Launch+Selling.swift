// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the store sells, and the call that sells it.
extension Launch {
    /// How long the store's sheet waits for the files and for the first profile: a purchase without the person's token is theirs too,
    /// because this phone reports it.
    static let patienceBeforeSale: Duration = .seconds(2)
    /// And how long for a disk that does not store the offer.
    private static let patienceOfOffer: Duration = .seconds(1)

    private func productSource() throws -> any ProductSource {
        guard let source = configuration.products else {
            throw LandfallError(.invalidArgument, detail: "There is no store: LandfallConfiguration.products is nil.")
        }
        return source
    }

    func products(of shown: PaywallResult, within limit: Duration) async throws -> [StoreProduct] {
        let source = try productSource()
        guard let paywall = shown.paywall, !paywall.productIDs.isEmpty else { return [] }
        let found = try await until(time.now() + limit.withinADay) {
            do { return try await abandoning { try await source.products(paywall.productIDs) } } catch {
                throw PurchaseError(any: error) ?? CancellationError()
            }
        }
        let products = paywall.sold(found), missing = paywall.productIDs.filter { id in !products.contains { $0.id == id } }
        if products.isEmpty { throw PurchaseError.notForSale(missing) }
        if !missing.isEmpty {
            let text = "Paywall '\(paywall.name)': \(PurchaseError.notForSale(missing)) The others are shown."
            configuration.log(LogLine(.warning, text, category: .purchases))
        }
        return products
    }

    func promotedPurchases() -> AsyncStream<PromotedPurchase> {
        let (stream, voice) = AsyncStream<PromotedPurchase>.makeStream()
        guard let source = configuration.products, !read(\.isOver) else {
            voice.finish()
            return stream
        }
        let hearing = operations.run(for: .platform) { _ in
            for await promoted in source.promotedPurchases() { voice.yield(promoted) }
            voice.finish()
        }
        voice.onTermination = { [operations] _ in operations.cancel(hearing) }
        return stream
    }

    /// The purchase runs by itself, and its callers wait for it: one that gives up does not close the store's sheet.
    func purchase(_ name: String, from shown: PaywallResult?, within limit: Duration) async throws -> PurchaseResult {
        let source = try productSource()
        let productID = try shown?.paywall?.productID(named: name) ?? name
        let exposure = shown.flatMap { shown in read { $0.paywalls.exposures.event(of: shown) } }
        if let shown, shown.paywall != nil, exposure == nil, collection != .off {
            let text = "The purchase of \(productID) cannot be told from which paywall: its exposure was not recorded."
            configuration.log(LogLine(.warning, "\(text) Call recordExposure(of:) when the person sees it.", category: .purchases))
        }
        let id = note { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (caller: SaleState.Caller) in
                let begins: Result<Bool, any Error> = note { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isOver { return .failure(LandfallError(.shutDown)) }
                    return Result { try state.sales.join(id, caller, for: productID) }
                }
                switch begins {
                case .failure(let error): caller.resume(throwing: error)
                case .success(false): return
                case .success(true):
                    operations.run(for: .call) { [weak self] _ in await self?.sell(productID, after: exposure, by: source, within: limit) }
                }
            }
        } onCancel: {
            note { $0.sales.leave(id) }?.resume(throwing: CancellationError())
        }
    }

    private func sell(_ productID: String, after exposure: String?, by source: any ProductSource, within limit: Duration) async {
        let result = await Result { try await self.sale(of: productID, after: exposure, by: source, within: limit) }
        for caller in note({ $0.sales.takeCallers() }) { caller.resume(with: result) }
    }

    private func sale(
        of productID: String, after exposure: String?, by source: any ProductSource, within limit: Duration
    ) async throws -> PurchaseResult {
        let patience = time.now() + Self.patienceBeforeSale
        let install = try await until(patience) { [self] in try await knownInstall(until: patience) }
        let token = try await purchaseToken(until: patience)
        change { state, at in
            state.sales.offer(productID, after: exposure, at: at.date)
            state.files.changed(.sales)
        }
        // Before the sheet opens: behind it the process may end.
        try? await until(time.now() + Self.patienceOfOffer) { [self] in
            try await turns.run { try await StoredFile(.sales, in: storage).write(read(\.sales.memory)) }
        }
        try Task.checkCancellation()
        switch try await answer(to: productID, token, by: source) {
        case .bought(let sold): return try await settled(sold, as: install, within: limit)
        case .unverified(let reason): throw PurchaseError.unverified(reason)
        case .pending: return .pending
        case .cancelled:
            withdraw(productID)
            return .cancelled
        }
    }

    /// The offer has sold nothing, and will not.
    private func withdraw(_ productID: String) {
        change { state in
            state.sales.withdraw(productID)
            state.files.changed(.sales)
        }
    }

    private func answer(to productID: String, _ token: UUID?, by source: any ProductSource) async throws -> StorePurchase {
        do { return try await abandoning { try await source.purchase(productID, token: token) } } catch {
            guard let error = PurchaseError(any: error) else { throw CancellationError() }
            // After the other errors there may be a transaction.
            switch error {
            case .notForSale, .notAllowed: withdraw(productID)
            default: break
            }
            throw error
        }
    }

    /// The token of the person who is here. Only for the first profile there is anything to wait for.
    private func purchaseToken(until deadline: Duration) async throws -> UUID? {
        if let profile { return profile.purchaseToken }
        let first = try? await until(deadline) { [self] in
            for await profile in profiles() { return profile }
            throw CancellationError()
        }
        try Task.checkCancellation()
        return first?.purchaseToken
    }

    /// The person has paid, whatever the server says and when.
    private func settled(_ sold: SoldTransaction, as install: Install, within limit: Duration) async throws -> PurchaseResult {
        let deadline = time.now() + limit.withinADay
        let (outcomes, listener) = AsyncStream<SaleOutcome>.makeStream()
        change { state in
            state.sales.sold(sold, telling: listener)
            state.files.changed(.sales)
            // Only when somebody allows it.
            if state.collection == .off { listener.finish() }
        }
        let outcome = try? await until(deadline) {
            for await outcome in outcomes { return outcome }
            return .unanswered
        }
        switch outcome {
        case .stored(let profile): return .purchased(profile)
        case .rejected(.purchaseOwned): throw PurchaseError.ownedByAnother
        case .rejected(let code): throw PurchaseError.rejected(code)
        case .unanswered, nil:
            return .purchased(
                profile
                    ?? Profile(
                        id: "", installID: install.id, epoch: 0, version: 0, attributionVersion: 0, attribution: attribution))
        }
    }
}
