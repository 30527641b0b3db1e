// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// What the server has verified, in the words of these names. What it does not know is nil.
extension AdaptyProfile.Purchases {
    init(_ profile: Profile) {
        // Of several subscriptions to one product the one that is active, then the one that ends last.
        let newest = Dictionary(grouping: profile.subscriptions, by: \.productID).compactMapValues { all in
            all.max { ($0.isActive ? 1 : 0, $0.endsAt) < ($1.isActive ? 1 : 0, $1.endsAt) }
        }
        self.init(
            accessLevels: Dictionary(
                uniqueKeysWithValues: profile.accessLevels.map { id, access in
                    (id, AdaptyProfile.AccessLevel(id, access, bought: profile.subscription(behind: access)))
                }),
            subscriptions: newest.mapValues { AdaptyProfile.Subscription($0) },
            nonSubscriptions: Dictionary(grouping: profile.oneTimePurchases, by: \.productID).mapValues { all in
                all.map { AdaptyProfile.NonSubscription($0) }
            })
    }
}

extension Profile {
    /// The subscription that most probably opens it: a level names its product and no transaction.
    fileprivate func subscription(behind access: Access) -> Subscription? {
        subscriptions.filter { $0.productID == access.productID && $0.isSandbox == access.isSandbox }.max { $0.endsAt < $1.endsAt }
    }
}

extension AdaptyProfile.AccessLevel {
    fileprivate init(_ id: String, _ access: Access, bought: Profile.Subscription?) {
        let start = access.startsAt ?? Date(timeIntervalSince1970: 0)
        let offer = ActiveOffer(isActive: access.isActive, isTrial: access.isTrial, id: bought?.offerID)
        self.init(
            id: id, isActive: access.isActive, vendorProductId: access.productID ?? "",
            // The words that existing code compares with.
            store: access.productID == nil ? "adapty" : "app_store",
            activatedAt: bought.map { min($0.startedAt, start) } ?? start,
            renewedAt: bought?.renewedAt, expiresAt: access.endsAt, isLifetime: access.isActive && access.endsAt == nil,
            activeIntroductoryOfferType: offer.introductoryType, activePromotionalOfferType: offer.promotionalType,
            activePromotionalOfferId: offer.id, offerId: nil, willRenew: access.willRenew,
            isInGracePeriod: access.state == .grace, unsubscribedAt: nil,
            billingIssueDetectedAt: access.unpaidSince, startsAt: access.isActive ? access.startsAt : nil,
            cancellationReason: CancellationReason.text(access.state, bought?.expirationIntent), isRefund: access.state == .revoked)
    }
}

extension AdaptyProfile.Subscription {
    fileprivate init(_ bought: Profile.Subscription) {
        let offer = ActiveOffer(isActive: bought.isActive, isTrial: bought.isTrial, id: bought.offerID)
        self.init(
            store: "app_store", vendorProductId: bought.productID, vendorTransactionId: bought.transactionID,
            vendorOriginalTransactionId: bought.originalTransactionID, isActive: bought.isActive, isLifetime: false,
            activatedAt: bought.startedAt, renewedAt: bought.renewedAt, expiresAt: bought.endsAt, startsAt: bought.startedAt,
            unsubscribedAt: nil, billingIssueDetectedAt: bought.state.isUnpaid ? bought.endsAt : nil,
            isInGracePeriod: bought.state == .grace, isSandbox: bought.isSandbox, isRefund: bought.state == .revoked,
            willRenew: bought.willRenew, activeIntroductoryOfferType: offer.introductoryType,
            activePromotionalOfferType: offer.promotionalType, activePromotionalOfferId: offer.id, offerId: nil,
            cancellationReason: CancellationReason.text(bought.state, bought.expirationIntent))
    }
}

extension AdaptyProfile.NonSubscription {
    fileprivate init(_ bought: Profile.OneTimePurchase) {
        self.init(
            purchaseId: bought.transactionID, store: "app_store", vendorProductId: bought.productID,
            vendorTransactionId: bought.transactionID, purchasedAt: bought.purchasedAt, isSandbox: bought.isSandbox,
            isRefund: bought.isRefunded, isConsumable: bought.isConsumable ?? false)
    }
}

extension Profile.Subscription {
    /// nil in its first period.
    fileprivate var renewedAt: Date? { startsAt > startedAt ? startsAt : nil }
}

extension Access {
    /// Grace begins where what was paid ends, and without grace the level closed there.
    fileprivate var unpaidSince: Date? { state.isUnpaid ? (isActive ? startsAt : endsAt) : nil }
}

extension Access.State {
    /// The App Store tries to get its money again.
    fileprivate var isUnpaid: Bool { self == .grace || self == .billingRetry }
}

/// The offer of the current period. Its price is not known, unless it is a free trial.
private struct ActiveOffer {
    let introductoryType: String?
    let promotionalType: String?
    let id: String?

    init(isActive: Bool, isTrial: Bool, id: String?) {
        let freeTrial = isActive && isTrial ? "free_trial" : nil
        // An introductory offer has no id.
        introductoryType = id == nil ? freeTrial : nil
        promotionalType = id == nil ? nil : freeTrial
        self.id = isActive ? id : nil
    }
}

private enum CancellationReason {
    static func text(_ state: Access.State, _ intent: Int?) -> String? {
        if state == .revoked { return "refund" }
        return switch intent {
        case nil: nil
        case 1: "voluntarily_cancelled"
        case 2: "billing_error"
        case 3: "price_increase"
        case 4: "product_was_not_available"
        default: "unknown"
        }
    }
}
