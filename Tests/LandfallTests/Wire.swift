// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire

extension WireProfile {
    static func anna(epoch: Int64 = 1, version: Int64 = 1, attributionVersion: Int64 = 0, id: String = "anna") -> WireProfile {
        WireProfile(
            id: ProfileID(id), installId: InstallID("anna"), epoch: epoch, version: version,
            attributionVersion: attributionVersion
        )
    }
}

extension LandfallWire.Attribution {
    static let appleAds = Self.attributed(
        .init(source: .appleAds, verified: true, attributedAtMilliseconds: 1_790_000_000_000)
    )
    static let byLink = Self.attributed(
        .init(source: .link, verified: true, attributedAtMilliseconds: 1_790_000_000_000)
    )
    static let pending = Self.pending(nextAnswerNotBefore: 0)
}

/// The same as an app sees them.
extension Landfall.Attribution {
    static let appleAds = Self.attributed(
        .init(source: .appleAds, attributedAt: Date(timeIntervalSince1970: 1_790_000_000))
    )
    static let byLink = Self.attributed(.init(source: .link, attributedAt: Date(timeIntervalSince1970: 1_790_000_000)))
}

extension PaywallAnswer {
    /// What Apple Ads users see.
    static func targeted(version: Int64 = 2, attributionVersion: Int64 = 1, epoch: Int64 = 1, profile: String = "anna")
        -> PaywallAnswer
    {
        PaywallAnswer(
            placement: .onboarding, locale: "en-US", kind: .matching, audience: .appleAds, revision: 7,
            profileId: ProfileID(profile), epoch: epoch, profileVersion: version, attributionVersion: attributionVersion,
            final: true, paywall: WirePaywall(name: .appleAds, variationId: VariationID("apple-ads"), productIds: ["year"])
        )
    }

    /// The matching answer for a user without an audience: everyone's paywall.
    static func untargeted(
        final: Bool, version: Int64 = 1, attributionVersion: Int64 = 0, epoch: Int64 = 1, profile: String = "anna"
    ) -> PaywallAnswer {
        PaywallAnswer(
            placement: .onboarding, locale: "en-US", kind: .matching, audience: .everyone, revision: 7,
            profileId: ProfileID(profile), epoch: epoch, profileVersion: version, attributionVersion: attributionVersion,
            final: final, paywall: WirePaywall(name: .default, variationId: VariationID("default"), productIds: ["month"])
        )
    }

    /// The answer to a call for the default audience.
    static func everyone(_ name: String = "default") -> PaywallAnswer {
        PaywallAnswer(
            placement: .onboarding, locale: "en-US", kind: .default, audience: .everyone, revision: 7, profileId: nil,
            epoch: 0, profileVersion: 0, attributionVersion: 0, final: true,
            paywall: WirePaywall(name: PaywallID(name), variationId: VariationID(name))
        )
    }
}

extension AudienceID {
    static let appleAds = AudienceID("apple-ads-users")
}

extension PaywallID {
    static let appleAds = PaywallID("apple-ads")
    static let `default` = PaywallID("default")
    static let bundled = PaywallID("bundled")
}

extension [FirstOpenLine] {
    /// The first lines of an open whose attribution is not known yet.
    static let undecided: [FirstOpenLine] = [.profile(.anna()), .attribution(.pending), .paywall(.untargeted(final: false))]

    /// Apple has answered: this person came from an ad.
    static let becomesTargeted: [FirstOpenLine] = [
        .profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds), .paywall(.targeted()), .end(.final),
    ]

    /// Apple has answered: this install is organic.
    static let becomesOrganic: [FirstOpenLine] = [
        .profile(.anna(version: 2, attributionVersion: 1)), .attribution(.notAttributed),
        .paywall(.untargeted(final: true, version: 2, attributionVersion: 1)), .end(.final),
    ]
}
