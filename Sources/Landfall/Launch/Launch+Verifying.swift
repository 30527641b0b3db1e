// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    func verifyPurchase(_ transactionID: String, of productID: String?, within limit: Duration) async throws -> PurchaseVerdict {
        guard let source = configuration.transactions else { throw LandfallError.noStore }
        let deadline = time.now() + limit.withinADay
        return try await until(deadline) { [self] in
            let install = try await knownInstall(until: deadline)
            try checkMayReport(as: install)
            // The last signature says most.
            let found = try await history(of: source).filter { $0.id == transactionID }.max { $0.signedAt < $1.signedAt }
            guard let found else { return .notFound }
            let verdict = try await personTurns.run { try await verify(found, as: install) }
            let isAnother = productID.map { $0 != found.signedProductID } ?? false
            return verdict == .genuine && isAnother ? .otherProduct : verdict
        }
    }

    private func verify(_ transaction: StoreTransaction, as install: Install) async throws -> PurchaseVerdict {
        let batch = PurchaseBatch(from: [transaction], atMost: 1, isWhole: false)
        // Nobody claims a purchase by asking about it.
        let answer = try await send(batch, .sync, as: install)
        return answer.results.first.map(PurchaseVerdict.init) ?? .notFound
    }
}
