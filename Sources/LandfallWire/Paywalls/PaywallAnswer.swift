// SPDX-License-Identifier: Apache-2.0
/// Which paywall one placement shows this profile: a line of the first-open stream, and the plain call's answer.
public struct PaywallAnswer: Hashable, Sendable, Codable {
    public enum AudienceKind: String, Sendable, Codable { case matching, `default` }

    public var placement: PlacementID
    /// The locale that was asked for, in canonical form.
    public var locale: String
    public var kind: AudienceKind
    public var audience: AudienceID
    /// Version of the configuration that decided.
    public var revision: Int64
    public var profileId: ProfileID?
    public var epoch: Int64
    public var profileVersion: Int64
    public var attributionVersion: Int64
    /// True when nothing that is scheduled before the end of the hold can change this answer.
    public var final: Bool
    public var paywall: WirePaywall

    public init(
        placement: PlacementID, locale: String, kind: AudienceKind, audience: AudienceID, revision: Int64,
        profileId: ProfileID?, epoch: Int64, profileVersion: Int64, attributionVersion: Int64, final: Bool, paywall: WirePaywall
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
        self.paywall = paywall
    }
}
