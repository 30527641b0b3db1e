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
