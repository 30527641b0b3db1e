// SPDX-License-Identifier: Apache-2.0
/// A profile as the server sends it. Order is `(epoch, version)`: a higher epoch (server restored, person changed) always wins.
public struct WireProfile: Hashable, Sendable, Codable {
    public var id: ProfileID
    public var installId: InstallID
    public var epoch: Int64
    /// Grows with every visible change within one epoch.
    public var version: Int64
    /// Grows with every change of attribution; an input of paywall decisions.
    public var attributionVersion: Int64
    public var customerId: String?
    /// Sources that name an origin of the user, the winner first.
    public var appliedAttributionSources: [AttributionSource]
    /// The latest link tap that counts, whatever brought the user first; nil if no link brought them here or back.
    public var engagement: AttributionDetails?
    public var customAttributes: [String: AttributeValue]
    /// True if this device had the app before.
    public var isReinstall: Bool
    /// The server's time when it sent the profile, in Unix milliseconds. The same profile is sent at many times, so this says nothing of it.
    public var asOfMilliseconds: Int64?
    /// A UUID for StoreKit's `appAccountToken`: a purchase with it is this person's. Nil from a server that knows nothing of purchases, as
    /// the following.
    public var purchaseToken: String?
    /// A phone of this person has told its whole history of purchases.
    public var purchasesKnown: Bool?
    /// What the person may use, and what they might once.
    public var accessLevels: [String: WireAccessLevel]?
    public var subscriptions: [WireSubscription]?
    /// The newest, at most 100.
    public var oneTimePurchases: [WireOneTimePurchase]?

    public init(id: ProfileID, installId: InstallID, epoch: Int64, version: Int64, attributionVersion: Int64) {
        self.id = id
        self.installId = installId
        self.epoch = epoch
        self.version = version
        self.attributionVersion = attributionVersion
        self.appliedAttributionSources = []
        self.customAttributes = [:]
        self.isReinstall = false
    }
}

/// Answer of `GET /v1/profiles/me` and of every call that changes the profile.
public struct ProfileAnswer: Hashable, Sendable, Codable {
    public var profile: WireProfile
    public var attribution: Attribution

    public init(profile: WireProfile, attribution: Attribution) {
        self.profile = profile
        self.attribution = attribution
    }
}
