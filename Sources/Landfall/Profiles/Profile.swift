// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// A person as the server knows them, on this install. Two profiles that differ only in attribution are not equal.
public struct Profile: Hashable, Sendable {
    public let id: ProfileID
    public let installID: InstallID
    /// A higher epoch always wins: the server was restored, or the person changed.
    public let epoch: Int64
    /// Grows with every change within one epoch.
    public let version: Int64
    /// Grows with every change of attribution; an input of paywall decisions.
    public let attributionVersion: Int64
    public let customerID: String?
    /// Sources that name an origin of the user, the winner first. Empty both while pending and when organic: ``attribution``
    /// distinguishes the two.
    public let appliedAttributionSources: [AttributionSource]
    /// The latest link tap that counts; nil if no link brought the user here or back. ``attribution`` says what brought them
    /// first, and no later tap changes that.
    public let engagement: AttributionDetails?
    public let customAttributes: [String: AttributeValue]
    /// True if this device had the app before.
    public let isReinstall: Bool
    public let attribution: Attribution
    /// For StoreKit's `appAccountToken`: a purchase with it is this person's, on whichever phone. nil until the server has said it.
    public let purchaseToken: UUID?
    private let levels: [String: Access]

    /// What the person may use by this access level of the configuration, at the moment at which this profile was read: from what the
    /// server has verified, and until the end that it named, offline too. Read ``LandfallClient/profile`` anew, or follow
    /// ``LandfallClient/profiles``, which tells an end when it comes.
    /// - Returns: ``Access/State/none`` for a level that nothing has ever opened, or that the configuration does not have.
    public func access(_ level: String) -> Access { levels[level] ?? Access(isActive: false, state: .none) }

    /// Whether any level is open.
    package var hasAccess: Bool { levels.values.contains(where: \.isActive) }

    /// A profile for previews and tests.
    public init(
        id: ProfileID, installID: InstallID, epoch: Int64 = 1, version: Int64 = 1, attributionVersion: Int64 = 1,
        customerID: String? = nil, appliedAttributionSources: [AttributionSource] = [], engagement: AttributionDetails? = nil,
        customAttributes: [String: AttributeValue] = [:], isReinstall: Bool = false, access: [String: Access] = [:],
        purchaseToken: UUID? = nil, attribution: Attribution
    ) {
        self.id = id
        self.installID = installID
        self.epoch = epoch
        self.version = version
        self.attributionVersion = attributionVersion
        self.customerID = customerID
        self.appliedAttributionSources = appliedAttributionSources
        self.engagement = engagement
        self.customAttributes = customAttributes
        self.isReinstall = isReinstall
        self.levels = access
        self.purchaseToken = purchaseToken
        self.attribution = attribution
    }

    init(_ wire: WireProfile, attribution: LandfallWire.Attribution) {
        self.id = wire.id
        self.installID = wire.installId
        self.epoch = wire.epoch
        self.version = wire.version
        self.attributionVersion = wire.attributionVersion
        self.customerID = wire.customerId
        self.appliedAttributionSources = wire.appliedAttributionSources
        self.engagement = wire.engagement.map(AttributionDetails.init)
        self.customAttributes = wire.customAttributes
        self.isReinstall = wire.isReinstall
        self.levels = wire.accessLevels?.mapValues(Access.init) ?? [:]
        self.purchaseToken = wire.purchaseToken.flatMap(UUID.init(uuidString:))
        self.attribution = Attribution(attribution)
    }
}
