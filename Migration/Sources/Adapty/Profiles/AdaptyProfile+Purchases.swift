// SPDX-License-Identifier: Apache-2.0

// Landfall keeps no purchases: ask StoreKit, or your backend. These types let code that reads purchases compile; their values
// are always empty.
extension AdaptyProfile {
    /// The content that a purchase unlocks.
    public struct AccessLevel: Hashable, Sendable {
        public let id: String
        public let isActive: Bool
        public let vendorProductId: String
    }

    /// A subscription of the App Store.
    public struct Subscription: Hashable, Sendable {
        public let vendorProductId: String
        public let isActive: Bool
    }

    /// A purchase that does not renew.
    public struct NonSubscription: Hashable, Sendable {
        public let purchaseId: String
        public let vendorProductId: String
    }

    /// Always empty.
    public var accessLevels: [String: AccessLevel] { [:] }
    /// Always empty.
    public var subscriptions: [String: Subscription] { [:] }
    /// Always empty.
    public var nonSubscriptions: [String: [NonSubscription]] { [:] }
}
