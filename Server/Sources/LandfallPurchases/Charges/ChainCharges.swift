// SPDX-License-Identifier: Apache-2.0

/// The money of a chain: each purchase once, each refund as a booking of its own, and each free trial as what may become a purchase.
struct ChainCharges {
    /// Thousandths of a percent.
    private static let whole: Int64 = 100_000

    private let transactions: [ChainTransaction]
    private let timeline: SubscriptionTimeline
    private let periods: [String: SubscriptionPeriod]
    private let service: PaidService
    /// Transactions whose last period before was a free trial.
    private let afterTrial: Set<String>

    init(facts: ChainFacts, timeline: SubscriptionTimeline) {
        transactions = facts.transactions
        self.timeline = timeline
        periods = Dictionary(timeline.periods.map { ($0.payload.transactionID, $0) }) { first, _ in first }
        service = PaidService(
            timeline.periods, chain: transactions.first?.payload.originalTransactionID,
            recentStartMs: facts.renewal?.content.recentSubscriptionStartDateMs)
        let following = timeline.periods.map(\.transaction).filter { !$0.isSeatAddition }
        let pairs = zip(following, following.dropFirst()).filter { $0.isTrial && !$1.isTrial }
        afterTrial = Set(pairs.map(\.1.payload.transactionID))
    }

    func charges() -> [Charge] { transactions.flatMap(charges).sorted() }

    private func charges(of transaction: ChainTransaction) -> [Charge] {
        let payload = transaction.payload
        // Members of a family and people with an assigned seat paid nothing.
        guard payload.ownership == .purchased else { return [] }
        let seats = SeatPrices(payload.seats)
        guard let price = seats == nil ? payload.priceOfAll : seats?.total, price > 0 else { return trial(transaction) }
        guard let currency = payload.currency else { return [] }
        var charges = [charge(.purchase, transaction, currency: currency, milliunits: price, bookedAtMs: transaction.startMs)]
        var left = price
        for refund in seatRefunds(of: transaction, prices: seats) where refund.milliunits > 0 && refund.milliunits <= left {
            left -= refund.milliunits
            charges.append(
                charge(
                    .seatRefund, transaction, number: refund.seats, currency: currency, milliunits: refund.milliunits,
                    bookedAtMs: refund.atMs))
        }
        if let revokedAtMs = payload.revocationDateMs, left > 0, let part = revokedPart(of: payload) {
            charges.append(
                charge(.refund, transaction, currency: currency, milliunits: left, part: part, bookedAtMs: revokedAtMs))
        }
        return charges
    }

    private func trial(_ transaction: ChainTransaction) -> [Charge] {
        guard transaction.isSubscription, transaction.isTrial else { return [] }
        return [
            charge(.trial, transaction, currency: transaction.payload.currency ?? "", milliunits: 0, bookedAtMs: transaction.startMs)
        ]
    }

    /// Nil if no money came back. Refunds before 2026 say neither how nor how much: all of it.
    private func revokedPart(of payload: TransactionPayload) -> Charge.Fraction? {
        switch payload.revocationType {
        case RevocationType.family: return nil
        case RevocationType.prorated:
            let part = min(max(payload.revocationPercentage ?? Self.whole, 0), Self.whole)
            return part == 0 ? nil : Charge.Fraction(numerator: part, denominator: Self.whole)
        default: return Charge.Fraction(numerator: 1, denominator: 1)
        }
    }

    /// One booking for each time that Apple signed a larger number of seats, up to the number that it signed last.
    private func seatRefunds(
        of transaction: ChainTransaction, prices: SeatPrices?
    ) -> [(seats: Int64, milliunits: Int64, atMs: Int64)] {
        guard let prices, let last = transaction.payload.seats?.revoked else { return [] }
        var refunds: [(seats: Int64, milliunits: Int64, atMs: Int64)] = []
        var seats: Int64 = 0, paid: Int64 = 0
        for revocation in transaction.seatRevocations where min(revocation.seats, last) > seats {
            seats = min(revocation.seats, last)
            guard let price = prices.price(ofLast: seats) else { return refunds }
            refunds.append((seats, price - paid, revocation.signedAtMs))
            paid = price
        }
        return refunds
    }

    private func charge(
        _ kind: Charge.Kind, _ transaction: ChainTransaction, number: Int64 = 0, currency: String, milliunits: Int64,
        part: Charge.Fraction = Charge.Fraction(numerator: 1, denominator: 1), bookedAtMs: Int64
    ) -> Charge {
        let payload = transaction.payload, paidBeforeMs = service.beforeMs[payload.transactionID]
        let period = periods[payload.transactionID], isService = kind == .purchase || kind == .trial
        return Charge(
            kind: kind, transactionID: payload.transactionID, number: number, productID: payload.productID, type: payload.type,
            bookedAtMs: bookedAtMs, purchasedAtMs: transaction.startMs, currency: currency, milliunits: milliunits, part: part,
            quantity: max(1, payload.quantity ?? 1), storefront: payload.storefront, offerType: payload.offerType,
            offerDiscount: payload.offerDiscount, offerID: payload.offerID, reason: payload.reason,
            billingPlan: payload.billingPlan,
            groupID: payload.subscriptionGroupID, periodEndsAtMs: payload.expiresDateMs,
            serviceEndsAtMs: isService ? period.map(timeline.serviceEndMs) : nil,
            upgradeCredit: kind == .purchase ? period?.upgradeCredit : nil,
            paidBeforeMs: paidBeforeMs ?? 0,
            isPaidBeforeEstimated: paidBeforeMs != nil && service.isEstimated,
            followsTrial: kind == .purchase && afterTrial.contains(payload.transactionID))
    }
}

extension SubscriptionPeriod {
    /// The time that was paid for and not used, because another product took its place before the end.
    fileprivate var upgradeCredit: Charge.Fraction? {
        guard payload.revocationDateMs == nil, let next, next.payload.productID != payload.productID, let expiresMs,
            next.startMs < expiresMs, startMs < expiresMs
        else { return nil }
        return Charge.Fraction(numerator: expiresMs - max(next.startMs, startMs), denominator: expiresMs - startMs)
    }
}

extension Charge: Comparable {
    /// By booking, then by what tells charges of a chain apart.
    package static func < (left: Charge, right: Charge) -> Bool {
        if left.bookedAtMs != right.bookedAtMs { return left.bookedAtMs < right.bookedAtMs }
        return (left.transactionID, left.kind, left.number) < (right.transactionID, right.kind, right.number)
    }
}

extension TransactionPayload {
    /// The price of seats is the average of one, where their tiers cannot be read.
    fileprivate var priceOfAll: Int64? {
        guard seats != nil else { return priceMilliunits }
        return priceMilliunits.flatMap { price in
            let (product, isTooLarge) = price.multipliedReportingOverflow(by: max(1, quantity ?? 1))
            return isTooLarge ? nil : product
        }
    }
}
