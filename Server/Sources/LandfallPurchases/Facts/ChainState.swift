// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What all facts of a chain add up to. The same facts give the same state, byte for byte, in any order and however often each came.
package struct ChainState: Hashable, Sendable {
    package let chain: ChainID
    /// Ascending by start. Those that grant do not overlap, except for seats that were added.
    package let periods: [AccessPeriod]
    /// Nil for what is no auto-renewable subscription.
    package let subscription: SubscriptionStanding?
    /// Ascending by time.
    package let oneTimePurchases: [OneTimePurchase]
    /// Empty outside production. Ascending by booking, then by transaction and kind.
    package let charges: [Charge]
    /// Non-renewing products that opened nothing, because the configuration gives them no duration.
    package let withoutDuration: [String]

    /// - Parameter facts: of this chain; those of others are left out.
    package static func fold(_ facts: some Sequence<PurchaseFact>, of chain: ChainID, rules: PurchaseRules) -> ChainState {
        ChainState(chain: chain, periods: [], subscription: nil, oneTimePurchases: [], charges: [], withoutDuration: [])
    }
}
