// SPDX-License-Identifier: Apache-2.0
/// What a person may use by one access level. An end that passes raises no version of the profile: compare it with the server's time.
public struct WireAccessLevel: Hashable, Sendable, Codable {
    public var isActive: Bool
    public var state: WireAccessState
    /// Nil for a grant of the app's backend.
    public var productId: String?
    public var store: WireAccessStore
    /// When the period that decides began; of a closed level, its last period.
    public var startsAtMilliseconds: Int64
    /// When the level closes, with all periods that follow each other without a gap. Nil: never. Of a closed level: when it closed.
    public var endsAtMilliseconds: Int64?
    /// False also where Apple has not said it.
    public var willRenew: Bool
    public var isTrial: Bool
    /// The end is Landfall's own guess: Apple did not say it.
    public var isAssumed: Bool
    /// Bought in Apple's sandbox or in TestFlight.
    public var isSandbox: Bool

    public init(state: WireAccessState, isActive: Bool, store: WireAccessStore, startsAtMilliseconds: Int64, endsAtMilliseconds: Int64?) {
        self.state = state
        self.isActive = isActive
        self.store = store
        self.startsAtMilliseconds = startsAtMilliseconds
        self.endsAtMilliseconds = endsAtMilliseconds
        willRenew = false
        isTrial = false
        isAssumed = false
        isSandbox = false
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isActive, forKey: .isActive)
        try values.encode(state, forKey: .state)
        try values.encodeIfPresent(productId, forKey: .productId)
        try values.encode(store, forKey: .store)
        try values.encode(startsAtMilliseconds, forKey: .startsAtMilliseconds)
        // Null where it never ends: that is an answer, not a missing value.
        try values.encode(endsAtMilliseconds, forKey: .endsAtMilliseconds)
        try values.encode(willRenew, forKey: .willRenew)
        try values.encode(isTrial, forKey: .isTrial)
        try values.encode(isAssumed, forKey: .isAssumed)
        try values.encode(isSandbox, forKey: .isSandbox)
    }
}

/// Why a level is open, or why it no longer is.
public struct WireAccessState: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let active = WireAccessState("active")
    /// The payment failed, and the App Store still grants.
    public static let grace = WireAccessState("grace")
    /// The payment failed, and the App Store tries again.
    public static let billingRetry = WireAccessState("billingRetry")
    public static let expired = WireAccessState("expired")
    public static let revoked = WireAccessState("revoked")
    /// By the app's own backend, without a purchase.
    public static let granted = WireAccessState("granted")
}

/// Where access comes from.
public struct WireAccessStore: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let appStore = WireAccessStore("app_store")
    public static let grant = WireAccessStore("grant")
}

/// The newest period of a subscription, whatever it opens.
public struct WireSubscription: Hashable, Sendable, Codable {
    public var productId: String
    public var transactionId: String
    public var originalTransactionId: String
    public var isActive: Bool
    public var state: WireAccessState
    /// Since when the subscription is known.
    public var startedAtMilliseconds: Int64
    public var startsAtMilliseconds: Int64
    public var endsAtMilliseconds: Int64
    public var willRenew: Bool
    /// The product of the next period, if Apple has said it.
    public var renewsAs: String?
    public var isTrial: Bool
    public var offerId: String?
    /// Apple's number of why it does not renew.
    public var expirationIntent: Int64?
    public var isSandbox: Bool

    public init(
        productId: String, transactionId: String, originalTransactionId: String, state: WireAccessState, isActive: Bool,
        startedAtMilliseconds: Int64, startsAtMilliseconds: Int64, endsAtMilliseconds: Int64
    ) {
        self.productId = productId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.state = state
        self.isActive = isActive
        self.startedAtMilliseconds = startedAtMilliseconds
        self.startsAtMilliseconds = startsAtMilliseconds
        self.endsAtMilliseconds = endsAtMilliseconds
        willRenew = false
        isTrial = false
        isSandbox = false
    }
}

/// A purchase that does not renew. A consumable is credited once for its transaction, with the quantity.
public struct WireOneTimePurchase: Hashable, Sendable, Codable {
    public var transactionId: String
    public var productId: String
    /// Nil from a server that does not say it, and where Apple has not.
    public var type: WireProductType?
    public var quantity: Int64
    public var purchasedAtMilliseconds: Int64
    public var isRefunded: Bool
    public var isSandbox: Bool

    public init(
        transactionId: String, productId: String, quantity: Int64, purchasedAtMilliseconds: Int64, isRefunded: Bool, isSandbox: Bool
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.quantity = quantity
        self.purchasedAtMilliseconds = purchasedAtMilliseconds
        self.isRefunded = isRefunded
        self.isSandbox = isSandbox
    }
}

/// Apple's word for what kind of product it is.
public struct WireProductType: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Used up by the app: it opens nothing, and can be bought again.
    public static let consumable = WireProductType("Consumable")
}
