// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Sold transactions on their way to the server, and back to the store.
extension Launch {
    /// Hears the store as long as the client lives, whichever installation it serves.
    func listenToSales() {
        guard let source = configuration.products else { return }
        operations.run(for: .platform) { [weak self] _ in
            for await sold in source.updates() { self?.change { $0.found([sold], isAll: false) } }
        }
    }

    func readUnfinished(operation: Operations.ID) async {
        guard let source = configuration.products else { return }
        // If cancelled, the installation that it was read for has ended.
        guard let unfinished = try? await everything(in: source.unfinished()) else { return }
        change { state in
            if state.sales.reading == operation { state.found(unfinished, isAll: true) }
        }
    }

    func send(_ sale: SaleReport, operation: Operations.ID) async {
        guard let install = read(\.install), let source = configuration.products else { return }
        let id = sale.sold.transaction.id
        let result = await Result {
            try await self.report(sale.batch, sale.reason, after: sale.exposure.map { [id: $0] } ?? [:], as: install)
        }
        let isStored = change { state, at in
            // Of an installation that has ended.
            guard state.sales.sending.operation == operation else { return false }
            switch result {
            case .success(let answer): return state.answered(sale, answer, at)
            case .failure(let error):
                state.failed(sale, error, at)
                return false
            }
        }
        // A kill before it, and the next launch reports the transaction again: then the answer is `duplicate`.
        if isStored { try? await abandoning { await source.finish(id) } }
    }
}

extension LaunchState {
    fileprivate mutating func found(_ transactions: [SoldTransaction], isAll: Bool) {
        if sales.found(transactions, isAll: isAll) { files.changed(.sales) }
    }

    /// - Returns: true if the server has the transaction for good.
    fileprivate mutating func answered(_ sale: SaleReport, _ answer: PurchaseAnswer, _ at: Instant) -> Bool {
        learn(answer.profile, nil, now: at.now)
        guard let result = answer.results.first, answer.results.count == 1 else {
            sales.failed(now: at.now, chance: at.chance)
            return false
        }
        // The observed history need not bring it again.
        if let codes = purchases.learned(sale.batch, answer.results, of: answer.profile.id) {
            acknowledged(sale.batch, rejections: codes)
        }
        let profile = profile(answer.profile, profileState.attribution, at.now, at.date)
        sales.answered(sale, result.status == .rejected ? .rejected(result.code ?? .invalidValue) : .stored(profile))
        files.changed(.sales)
        return result.isStored
    }

    fileprivate mutating func failed(_ sale: SaleReport, _ error: any Error, _ at: Instant) {
        guard let error = LandfallError(any: error) else { return sales.sending.operation = nil }
        if error.isRefusal {
            sales.refused(sale, isAboutContent: error.isAboutContent)
        } else {
            sales.failed(now: at.now, chance: at.chance)
        }
        noticed(error, by: .purchases, now: at.now)
    }
}
