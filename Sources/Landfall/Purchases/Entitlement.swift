// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the store on the phone says that its customer has, as it is kept: times in Unix milliseconds.
struct Entitlement: Hashable, Sendable, Codable {
    let transaction: String
    /// The id of its first transaction: the same for each period of a subscription.
    let chain: String
    let product: String
    let signed: Int64
    let starts: Int64
    /// nil: never.
    let ends: Int64?
    let isSandbox: Bool

    init(_ listed: StoreEntitlement) {
        transaction = listed.transactionID
        chain = listed.originalTransactionID
        product = listed.productID
        signed = listed.signedAt.unixMilliseconds
        starts = listed.startsAt.unixMilliseconds
        ends = listed.endsAt?.unixMilliseconds
        isSandbox = listed.isSandbox
    }

    func hasEnded(at time: Int64) -> Bool { ends.map { $0 <= time } ?? false }
}

extension WireProfile {
    /// The server has spoken of this period of the purchase, or of a later one.
    func speaks(of entitlement: Entitlement) -> Bool {
        let isSubscription = subscriptions?.contains {
            $0.originalTransactionId == entitlement.chain && $0.startsAtMilliseconds >= entitlement.starts
        }
        return isSubscription == true || oneTimePurchases?.contains { $0.transactionId == entitlement.transaction } == true
    }
}
