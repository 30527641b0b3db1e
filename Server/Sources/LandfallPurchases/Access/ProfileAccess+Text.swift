// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// As the store keeps it: JSON. The same value gives the same text. It contains instants and no state of now, so it need not be written anew when time passes.
extension ProfileAccess {
    package var text: String {
        let written = Written(
            entries: entries.isEmpty ? nil : entries.map(Written.Entry.init),
            subscriptions: subscriptions.isEmpty ? nil : subscriptions.map(Written.Subscription.init),
            singles: singles.isEmpty ? nil : singles.map(Written.Single.init), complete: isComplete ? true : nil)
        // Texts, integers and flags: nothing that JSON lacks.
        return (try? WireCoding.encode(written)).map { String(decoding: $0, as: UTF8.self) } ?? Self.none
    }

    /// Of a profile without purchases.
    package static let none = "{}"

    /// - Returns: nil for a text that ``text`` has not written.
    package init?(text: String) {
        guard let written = try? WireCoding.decode(Written.self, from: Data(text.utf8)) else { return nil }
        self.init(
            entries: (written.entries ?? []).compactMap(\.value), subscriptions: (written.subscriptions ?? []).compactMap(\.value),
            singles: (written.singles ?? []).compactMap(\.value), isComplete: written.complete ?? false)
    }
}

/// What is false or nothing is left out.
private struct Written: Codable {
    let entries: [Entry]?
    let subscriptions: [Subscription]?
    let singles: [Single]?
    let complete: Bool?

    struct Entry: Codable {
        /// Nil for a grant.
        let chain: String?
        let levels: [String]
        let state: String
        let from: Int64
        let until: Int64?
        let product: String
        let transaction: String
        let renews: Bool?
        let trial: Bool?
        let assumed: Bool?
        let owned: String?

        init(_ entry: ProfileAccess.Entry) {
            let period = entry.period
            chain = entry.chain?.description
            levels = period.levels.map(\.rawValue)
            state = period.state.rawValue
            (from, until, product, transaction) = (period.startsAtMs, period.endsAtMs, period.productID, period.transactionID)
            renews = entry.willRenew ? true : nil
            trial = period.isTrial ? true : nil
            assumed = period.isAssumed ? true : nil
            owned = period.ownership?.rawValue
        }

        var value: ProfileAccess.Entry? {
            let chain = self.chain.flatMap { ChainID($0) }
            guard let state = AccessPeriod.State(rawValue: state), (chain == nil) == (self.chain == nil) else { return nil }
            let period = AccessPeriod(
                levels: levels.map { AccessLevel(rawValue: $0) }, state: state, startsAtMs: from, endsAtMs: until, productID: product,
                transactionID: transaction, isTrial: trial ?? false, isAssumed: assumed ?? false,
                ownership: owned.map { Ownership(rawValue: $0) })
            return ProfileAccess.Entry(period: period, chain: chain, willRenew: renews ?? false)
        }
    }

    struct Subscription: Codable {
        let chain: String
        let product: String
        let group: String?
        let transaction: String
        let owned: String?
        let began: Int64
        let from: Int64
        let until: Int64
        let trial: Bool?
        let offer: String?
        let renews: Bool?
        let next: String?
        let intent: Int64?
        let agreed: Bool?

        init(_ subscription: ProfileAccess.Subscription) {
            let standing = subscription.standing
            chain = subscription.chain.description
            (product, group, transaction) = (standing.productID, standing.groupID, standing.transactionID)
            owned = standing.ownership?.rawValue
            (began, from, until) = (standing.startedAtMs, standing.periodStartsAtMs, standing.periodEndsAtMs)
            trial = standing.isTrial ? true : nil
            offer = standing.offerID
            renews = standing.willRenew ? true : nil
            (next, intent, agreed) = (standing.renewsAs, standing.expirationIntent?.rawValue, standing.agreedToPriceIncrease)
        }

        var value: ProfileAccess.Subscription? {
            guard let chain = ChainID(chain) else { return nil }
            let standing = SubscriptionStanding(
                productID: product, groupID: group, transactionID: transaction, ownership: owned.map { Ownership(rawValue: $0) },
                startedAtMs: began, periodStartsAtMs: from, periodEndsAtMs: until, isTrial: trial ?? false, offerID: offer,
                willRenew: renews ?? false, renewsAs: next, expirationIntent: intent.map { ExpirationIntent(rawValue: $0) },
                agreedToPriceIncrease: agreed)
            return ProfileAccess.Subscription(chain: chain, standing: standing)
        }
    }

    struct Single: Codable {
        let chain: String
        let transaction: String
        let product: String
        let type: String?
        let quantity: Int64?
        let at: Int64
        let refunded: Bool?

        init(_ single: ProfileAccess.Single) {
            let purchase = single.purchase
            chain = single.chain.description
            (transaction, product, type, at) = (purchase.transactionID, purchase.productID, purchase.type?.rawValue, purchase.purchasedAtMs)
            quantity = purchase.quantity == 1 ? nil : purchase.quantity
            refunded = purchase.isRefunded ? true : nil
        }

        var value: ProfileAccess.Single? {
            guard let chain = ChainID(chain) else { return nil }
            let purchase = OneTimePurchase(
                transactionID: transaction, productID: product, type: type.map { ProductType(rawValue: $0) }, quantity: quantity ?? 1,
                purchasedAtMs: at, isRefunded: refunded ?? false)
            return ProfileAccess.Single(chain: chain, purchase: purchase)
        }
    }
}
