// SPDX-License-Identifier: Apache-2.0
/// The paywall of one placement for this profile: a line of the first-open stream, and the plain call's answer.
public struct PaywallAnswer: Hashable, Sendable, Codable {
    public enum AudienceKind: String, Sendable, Codable { case matching, `default` }

    public var placement: PlacementID
    /// The requested locale, in canonical form.
    public var locale: String
    public var kind: AudienceKind
    public var audience: AudienceID
    /// The version of the configuration that decided.
    public var revision: Int64
    public var profileId: ProfileID?
    public var epoch: Int64
    public var profileVersion: Int64
    public var attributionVersion: Int64
    /// True if nothing that is scheduled before the end of the hold can change this answer.
    public var final: Bool
    /// What can still change it, in any order; empty if it is final.
    public var pending: [PendingKind]
    /// What to show. Nil: nothing; the wire writes `"nothing": true` in place of `paywall`.
    public var paywall: WirePaywall?
    /// The variation that decided what is shown; nil if no experiment chose this answer.
    public var assignment: Assignment?
    /// The install's attribution when this was decided. Only in a plain call's answer that asked for it: in a stream it is a line of
    /// its own.
    public var attribution: Attribution?
    /// Only in a plain call's answer to a phone that has other rules: in a stream they are a line of their own.
    public var linkRules: WireLinkRules?
    /// The name of this device if the configuration lists it as a test device and chooses its answers; nil for all others.
    public var testDevice: String?

    public init(
        placement: PlacementID, locale: String, kind: AudienceKind, audience: AudienceID, revision: Int64,
        profileId: ProfileID?, epoch: Int64, profileVersion: Int64, attributionVersion: Int64, final: Bool,
        pending: [PendingKind] = [], paywall: WirePaywall?
    ) {
        self.placement = placement
        self.locale = locale
        self.kind = kind
        self.audience = audience
        self.revision = revision
        self.profileId = profileId
        self.epoch = epoch
        self.profileVersion = profileVersion
        self.attributionVersion = attributionVersion
        self.final = final
        self.pending = pending
        self.paywall = paywall
    }
}

extension PaywallAnswer {
    private enum CodingKeys: String, CodingKey {
        case placement, locale, kind, audience, revision, profileId, epoch, profileVersion, attributionVersion, final, pending
        case paywall, nothing, assignment, attribution, linkRules, testDevice
    }

    /// Only `"nothing": true` means that nothing is shown: an answer with neither field is broken.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isNothing = try container.decodeIfPresent(Bool.self, forKey: .nothing) ?? false
        placement = try container.decode(PlacementID.self, forKey: .placement)
        locale = try container.decode(String.self, forKey: .locale)
        kind = try container.decode(AudienceKind.self, forKey: .kind)
        audience = try container.decode(AudienceID.self, forKey: .audience)
        revision = try container.decode(Int64.self, forKey: .revision)
        profileId = try container.decodeIfPresent(ProfileID.self, forKey: .profileId)
        epoch = try container.decode(Int64.self, forKey: .epoch)
        profileVersion = try container.decode(Int64.self, forKey: .profileVersion)
        attributionVersion = try container.decode(Int64.self, forKey: .attributionVersion)
        final = try container.decode(Bool.self, forKey: .final)
        pending = try container.decodeIfPresent([PendingKind].self, forKey: .pending) ?? []
        // An assignment, an attribution or rules of an unknown form must not hide the paywall.
        assignment = try? container.decodeIfPresent(Assignment.self, forKey: .assignment)
        attribution = try? container.decodeIfPresent(Attribution.self, forKey: .attribution)
        linkRules = try? container.decodeIfPresent(WireLinkRules.self, forKey: .linkRules)
        testDevice = try container.decodeIfPresent(String.self, forKey: .testDevice)
        paywall = isNothing ? nil : try container.decode(WirePaywall.self, forKey: .paywall)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(placement, forKey: .placement)
        try container.encode(locale, forKey: .locale)
        try container.encode(kind, forKey: .kind)
        try container.encode(audience, forKey: .audience)
        try container.encode(revision, forKey: .revision)
        try container.encodeIfPresent(profileId, forKey: .profileId)
        try container.encode(epoch, forKey: .epoch)
        try container.encode(profileVersion, forKey: .profileVersion)
        try container.encode(attributionVersion, forKey: .attributionVersion)
        try container.encode(final, forKey: .final)
        if !pending.isEmpty { try container.encode(pending, forKey: .pending) }
        try container.encodeIfPresent(paywall, forKey: .paywall)
        try container.encodeIfPresent(assignment, forKey: .assignment)
        try container.encodeIfPresent(attribution, forKey: .attribution)
        try container.encodeIfPresent(linkRules, forKey: .linkRules)
        try container.encodeIfPresent(testDevice, forKey: .testDevice)
        if paywall == nil { try container.encode(true, forKey: .nothing) }
    }
}
