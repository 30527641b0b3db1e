// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import LandfallWire

extension Profile {
    /// The newest period of a subscription, whatever it opens: ``access(_:)`` says what the person may use.
    public struct Subscription: Hashable, Sendable {
        public let productID: String
        public let transactionID: String
        public let originalTransactionID: String
        public let isActive: Bool
        public let state: Access.State
        /// Of the first period that is known.
        public let startedAt: Date
        /// Of the newest period.
        public let startsAt: Date
        public let endsAt: Date
        /// False also where Apple has not said it.
        public let willRenew: Bool
        /// The product of the next period; nil if Apple has not said it.
        public let renewsAs: String?
        public let isTrial: Bool
        /// Of the offer that this period was bought with; nil for none, and for an introductory one.
        public let offerID: String?
        /// Apple's number of why it does not renew: 1 cancelled, 2 the payment failed, 3 the price rose, 4 no longer sold, 5 other.
        public let expirationIntent: Int?
        /// Bought in Apple's sandbox or in TestFlight.
        public let isSandbox: Bool

        /// A subscription for previews and tests.
        public init(
            productID: String, transactionID: String, originalTransactionID: String, isActive: Bool, state: Access.State,
            startedAt: Date, startsAt: Date, endsAt: Date, willRenew: Bool = false, renewsAs: String? = nil, isTrial: Bool = false,
            offerID: String? = nil, expirationIntent: Int? = nil, isSandbox: Bool = false
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.originalTransactionID = originalTransactionID
            self.isActive = isActive
            self.state = state
            self.startedAt = startedAt
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.willRenew = willRenew
            self.renewsAs = renewsAs
            self.isTrial = isTrial
            self.offerID = offerID
            self.expirationIntent = expirationIntent
            self.isSandbox = isSandbox
        }
    }

    /// A purchase that does not renew. Credit a consumable once for its transaction, with the quantity.
    public struct OneTimePurchase: Hashable, Sendable {
        public let transactionID: String
        public let productID: String
        public let quantity: Int
        public let purchasedAt: Date
        public let isRefunded: Bool
        /// nil if the server has not said it.
        public let isConsumable: Bool?
        /// Bought in Apple's sandbox or in TestFlight.
        public let isSandbox: Bool

        /// A purchase for previews and tests.
        public init(
            transactionID: String, productID: String, quantity: Int = 1, purchasedAt: Date, isRefunded: Bool = false,
            isConsumable: Bool? = nil, isSandbox: Bool = false
        ) {
            self.transactionID = transactionID
            self.productID = productID
            self.quantity = quantity
            self.purchasedAt = purchasedAt
            self.isRefunded = isRefunded
            self.isConsumable = isConsumable
            self.isSandbox = isSandbox
        }
    }
}

extension Profile.Subscription {
    init(_ wire: WireSubscription) {
        self.init(
            productID: wire.productId, transactionID: wire.transactionId, originalTransactionID: wire.originalTransactionId,
            isActive: wire.isActive, state: Access.State(rawValue: wire.state.rawValue),
            startedAt: Date(unixMilliseconds: wire.startedAtMilliseconds), startsAt: Date(unixMilliseconds: wire.startsAtMilliseconds),
            endsAt: Date(unixMilliseconds: wire.endsAtMilliseconds), willRenew: wire.willRenew, renewsAs: wire.renewsAs,
            isTrial: wire.isTrial, offerID: wire.offerId, expirationIntent: wire.expirationIntent.map(Int.init(clamping:)),
            isSandbox: wire.isSandbox)
    }
}

extension Profile.OneTimePurchase {
    init(_ wire: WireOneTimePurchase) {
        self.init(
            transactionID: wire.transactionId, productID: wire.productId, quantity: Int(clamping: wire.quantity),
            purchasedAt: Date(unixMilliseconds: wire.purchasedAtMilliseconds), isRefunded: wire.isRefunded,
            isConsumable: wire.type.map { $0 == .consumable }, isSandbox: wire.isSandbox)
    }
}

extension WireProfile {
    /// A server that knows nothing of purchases takes nothing away.
    mutating func keepPurchases(of before: WireProfile?) {
        guard accessLevels == nil, id == before?.id else { return }
        (accessLevels, subscriptions, oneTimePurchases) = (before?.accessLevels, before?.subscriptions, before?.oneTimePurchases)
    }
}

extension WireSubscription {
    /// Nil where the server knew the end of the period when it called it active, and in grace, where only the levels say until when
    /// the App Store grants.
    func end(after said: Int64) -> Int64? {
        isActive && state != .grace && endsAtMilliseconds > said ? endsAtMilliseconds : nil
    }

    /// As it is at the server's time: only the server gives access.
    /// - Parameter said: when the server said what there is.
    func ended(at serverTime: Int64, said: Int64) -> WireSubscription {
        guard let end = end(after: said), end <= serverTime else { return self }
        var subscription = self
        subscription.isActive = false
        subscription.state = .expired
        return subscription
    }
}
