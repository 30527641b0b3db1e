// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    func restorePurchases(within limit: Duration) async throws -> Profile {
        guard let source = configuration.transactions else { throw LandfallError.noStore }
        let deadline = time.now() + limit.withinADay
        return try await until(deadline) { [self] in
            let install = try await knownInstall(until: deadline)
            try checkMayReport(as: install)
            do { try await abandoning { try await source.synchronize() } } catch {
                throw LandfallError(any: error) ?? CancellationError()
            }
            // Afterwards: what the server has then is not sent again.
            defer { change { $0.purchases.lookAgain() } }
            let batches = PurchaseBatch.batches(of: try await everything(in: source.history()))
            // Between calls that may change the person: all of it is one person's.
            return try await personTurns.run {
                var answer = try await send(batches[0], .restore, as: install)
                for batch in batches.dropFirst() { answer = try await send(batch, .restore, as: install) }
                return profile(answer.profile, read(\.profileState.attribution))
            }
        }
    }

    func verifyPurchase(_ transactionID: String, of productID: String?, within limit: Duration) async throws -> PurchaseVerdict {
        let (verdict, found) = try await send(transactionID, .sync, after: nil, within: limit)
        let isAnother = productID.map { $0 != found?.signedProductID } ?? false
        return verdict == .genuine && isAnother ? .otherProduct : verdict
    }

    func reportPurchase(_ transactionID: String, from shown: PaywallResult?, within limit: Duration) async throws -> PurchaseVerdict {
        let exposure = shown.flatMap { shown in read { $0.paywalls.exposures.event(of: shown) } }
        return try await send(transactionID, .purchase, after: exposure, within: limit).verdict
    }

    private func send(
        _ transactionID: String, _ reason: PurchaseReason, after exposure: String?, within limit: Duration
    ) async throws -> (verdict: PurchaseVerdict, found: StoreTransaction?) {
        guard let source = configuration.transactions else { throw LandfallError.noStore }
        let deadline = time.now() + limit.withinADay
        return try await until(deadline) { [self] in
            let install = try await knownInstall(until: deadline)
            try checkMayReport(as: install)
            // The last signature says most.
            let found = try await everything(in: source.history()).filter { $0.id == transactionID }.max { $0.signedAt < $1.signedAt }
            guard let found else { return (.notFound, nil) }
            let batch = PurchaseBatch(from: [found], atMost: 1, isWhole: false)
            let exposures = exposure.map { [found.id: $0] } ?? [:]
            let answer = try await personTurns.run { try await send(batch, reason, after: exposures, as: install) }
            return (answer.results.first.map(PurchaseVerdict.init) ?? .notFound, found)
        }
    }

    /// For a call that waits for the answer. It has its turn, because the answer may be about another person.
    /// - Parameter exposures: by the id of the transaction.
    private func send(
        _ batch: PurchaseBatch, _ reason: PurchaseReason, after exposures: [String: String] = [:], as install: Install
    ) async throws -> PurchaseAnswer {
        try checkMayReport(as: install)
        let answer = try await report(batch, reason, after: exposures, as: install)
        try checkMayReport(as: install)
        guard change({ state, at in state.settled(batch, answer, at) }) else {
            throw LandfallError(.network(TransportError(.connectionFailed, detail: "The answer is about other purchases.")))
        }
        return answer
    }

    private func checkMayReport(as install: Install) throws {
        if read(\.isOver) { throw LandfallError(.shutDown) }
        guard read(\.install?.id) == install.id else { throw LandfallError(.refused(.profileErased)) }
        guard read(\.collection) != .off else {
            throw LandfallError(.invalidArgument, detail: "Collection is off, so no purchase may be sent.")
        }
    }
}

extension LandfallError {
    fileprivate static var noStore: LandfallError {
        LandfallError(.invalidArgument, detail: "There is no store: LandfallConfiguration.transactions is nil.")
    }
}
