// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

/// What charges add up to. Each is priced and rounded by itself, so sums of any groups agree to the milliunit.
struct RevenueSums: Hashable, Sendable {
    // Wider than any amount: no number of charges is too large for them.
    private var purchases: Int128 = 0
    private(set) var gross: Int128 = 0
    private(set) var refunds: Int128 = 0
    private(set) var proceeds: Int128 = 0
    private var credit: Int128 = 0
    private var trialsStarted: Int128 = 0
    private var trialsPaid: Int128 = 0
    private var refunded: Int128 = 0
    /// Of the money; see ``RevenueValues/payers``.
    private var payers: Set<Int>?

    init() {}

    /// - Parameter price: of one of them; nil for trials.
    init(_ charge: RevenueCharge, _ price: Pricing.Price?) {
        let count = Int128(charge.count)
        payers = charge.terms.kind == .trial ? charge.payers.map { _ in [] } : charge.payers
        switch charge.terms.kind {
        case .trial: trialsStarted = count
        case .purchase:
            purchases = count
            if charge.followsTrial { trialsPaid = count }
        case .refund, .seatRefund: refunded = charge.isRefundedBefore ? 0 : count
        }
        guard let price else { return }
        gross = Int128(price.gross) * count
        refunds = Int128(price.refunds) * count
        proceeds = Int128(price.proceeds) * count
        credit = Int128(price.upgradeCredit) * count
    }

    static func += (sums: inout RevenueSums, other: RevenueSums) {
        sums.purchases &+= other.purchases
        sums.gross &+= other.gross
        sums.refunds &+= other.refunds
        sums.proceeds &+= other.proceeds
        sums.credit &+= other.credit
        sums.trialsStarted &+= other.trialsStarted
        sums.trialsPaid &+= other.trialsPaid
        sums.refunded &+= other.refunded
        guard let more = other.payers else { return }
        let payers = sums.payers ?? []
        sums.payers = payers.count < Int(RevenueDocument.leastPayers) ? payers.union(more) : payers
    }

    var net: Int128 { gross &- refunds }

    /// In the order of the view's columns. What is too large for a number of 64 bits is not known.
    var values: RevenueValues {
        let sums: [RevenueColumn: Int128] = [
            .purchases: purchases, .grossMilliunits: gross, .refundsMilliunits: refunds, .netMilliunits: net,
            .proceedsEstimatedMilliunits: proceeds, .upgradeCreditEstimatedMilliunits: credit, .trialsStarted: trialsStarted,
            .trialsPaid: trialsPaid, .refunds: refunded,
        ]
        var values = RevenueValues(RevenueColumn.list(.purchase), numbers: sums.compactMapValues { Int64(exactly: $0) })
        values.payers = payers
        return values
    }
}
