// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

@testable import LandfallReports
@testable import LandfallRules

/// A chain of the tests of revenue: what Apple signed about it, at noon of numbered days.
struct SoldChain {
    static let day: Int64 = 86_400_000
    /// 2024-10-07, a Monday.
    static let monday: Int64 = 20_003

    /// Figures are in euros; no other currency has a rate.
    static let euros = {
        var rules = MoneyRules()
        rules.currency = "EUR"
        return rules
    }()

    /// Noon, so many days after ``monday``.
    static func noon(_ number: Int64) -> Int64 { (monday + number) * day + day / 2 }

    let id: ChainID
    private var facts: [PurchaseFact] = []

    init(_ id: String) { self.id = ChainID(environment: .production, originalTransactionID: id) }

    /// A period of a subscription.
    mutating func sell(
        _ transaction: String, _ product: String = "month", on number: Int64, days: Int64 = 30, milliunits: Int64 = 9_990,
        currency: String = "EUR", _ change: (inout TransactionPayload) -> Void = { _ in }
    ) {
        var payload = TransactionPayload(transactionID: transaction, originalTransactionID: id.originalTransactionID, productID: product)
        payload.type = .autoRenewable
        payload.purchaseDateMs = Self.noon(number)
        payload.originalPurchaseDateMs = Self.noon(number)
        payload.expiresDateMs = Self.noon(number + days)
        payload.ownership = .purchased
        (payload.priceMilliunits, payload.currency, payload.quantity) = (milliunits, currency, 1)
        change(&payload)
        add(.transaction(payload), signedAtMs: Self.noon(number))
    }

    mutating func tryFree(_ transaction: String, on number: Int64, days: Int64 = 7) {
        sell(transaction, on: number, days: days, milliunits: 0) { $0.offerDiscount = .freeTrial }
    }

    mutating func fail(on number: Int64, graceUntil end: Int64) {
        var payload = RenewalPayload(originalTransactionID: id.originalTransactionID)
        (payload.isInBillingRetry, payload.gracePeriodExpiresDateMs) = (true, Self.noon(end))
        add(.renewal(payload), signedAtMs: Self.noon(number))
    }

    private mutating func add(_ content: PurchaseFact.Content, signedAtMs: Int64) {
        facts.append(PurchaseFact(chain: id, content: content, signedAtMs: signedAtMs, hash: [UInt8(facts.count)]))
    }

    /// Its periods and trials.
    var running: [RunningCharge] { charges.compactMap { RunningCharge(DatedCharge($0, of: id)) } }

    var charges: [Charge] { ChainState.fold(facts, of: id, rules: PurchaseRules()).charges }
}

extension RevenueRequest {
    /// Days after ``SoldChain/monday``.
    init(_ view: RevenueView, by: [RevenueDimension]? = nil, _ numbers: ClosedRange<Int64>) throws {
        self.init(
            view, by: by,
            try ReportDays(SoldChain.monday + numbers.lowerBound, SoldChain.monday + numbers.upperBound, in: .utc))
    }
}
