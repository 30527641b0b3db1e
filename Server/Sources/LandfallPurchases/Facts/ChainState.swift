// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What all facts of a chain add up to. The same facts give the same state, byte for byte, in any order and however often each came.
package struct ChainState: Hashable, Sendable {
    package let chain: ChainID
    /// Of the first purchase, as far as the App Store says it; in Unix milliseconds. Nil without transactions.
    package let beganAtMs: Int64?
    /// When the App Store has to have said more; in Unix milliseconds. Nil if it is over.
    package let newsDueAtMs: Int64?
    /// Ascending by start. Those that grant do not overlap, except for seats that were added.
    package let periods: [AccessPeriod]
    /// Nil for a chain without a subscription that renews.
    package let subscription: SubscriptionStanding?
    /// Ascending by time.
    package let oneTimePurchases: [OneTimePurchase]
    /// Empty outside production. Ascending by booking, then by transaction and kind.
    package let charges: [Charge]
    /// Non-renewing products that opened nothing, because the configuration gives them no duration.
    package let withoutDuration: [String]

    /// - Parameter facts: of this chain; those of others are left out.
    package static func fold(_ facts: some Sequence<PurchaseFact>, of chain: ChainID, rules: PurchaseRules) -> ChainState {
        let facts = ChainFacts(facts, of: chain)
        let timeline = SubscriptionTimeline(
            periods: SubscriptionPeriod.periods(of: facts.transactions), renewal: facts.renewal, notices: facts.notices,
            rules: rules)
        let single = facts.transactions.filter { !$0.isSubscription }
        let access = single.map { OneTimeAccess($0, rules: rules) }
        return ChainState(
            chain: chain,
            beganAtMs: facts.beganAtMs,
            newsDueAtMs: NewsDue.atMs(facts, of: chain),
            periods: (timeline.access() + access.flatMap(\.periods)).sorted(),
            subscription: timeline.standing(),
            oneTimePurchases: single.map(OneTimePurchase.init),
            charges: chain.environment == .production ? ChainCharges(facts: facts, timeline: timeline).charges() : [],
            withoutDuration: Set(zip(single, access).filter(\.1.lacksDuration).map(\.0.payload.productID)).sorted())
    }
}

extension OneTimePurchase {
    fileprivate init(_ transaction: ChainTransaction) {
        let payload = transaction.payload
        self.init(
            transactionID: payload.transactionID, productID: payload.productID, type: payload.type,
            quantity: max(1, payload.quantity ?? 1), purchasedAtMs: transaction.startMs,
            isRefunded: payload.revocationDateMs != nil)
    }
}
