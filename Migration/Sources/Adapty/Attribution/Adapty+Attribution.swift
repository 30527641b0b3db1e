// SPDX-License-Identifier: Apache-2.0
import Landfall

extension Adapty {
    /// Reports another provider's attribution. Kept on the phone until the server has it.
    ///
    /// Keys that count: `status` (organic, non_organic, unknown), `channel`, `campaign`, `ad_group`, `ad_set`, `creative`; and,
    /// where they are missing, those of Adjust's, AppsFlyer's, Branch's and Apple's own dictionaries
    /// (docs/migrating/from-adapty.md has the table). Texts that the app writes have at most 50 characters each; those of a
    /// provider are cut to 200 bytes. Apple Ads is not passed on: the server asks Apple itself.
    /// - Parameter source: the provider, for example `appsflyer`: 1…64 of `[A-Za-z0-9._-]`.
    /// - Parameter isolation: leave it out: values that are not safe to share stay with the caller.
    /// - Throws: ``AdaptyError`` 3001 for an argument outside its limits, 2002.
    public static func updateAttribution(
        _ attribution: [AnyHashable: Any], source: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(AdaptyError) {
        try await Activation.current.report(ProviderClaim(attribution, source: source))
    }

    /// As ``updateAttribution(_:source:)-([AnyHashable:Any],_)``, for a provider's text of a JSON object.
    public static func updateAttribution(_ attributionJson: String, source: String) async throws(AdaptyError) {
        try await Activation.current.report(ProviderClaim(json: attributionJson, source: source))
    }
}

extension Activation {
    func report(_ claim: ProviderClaim) async throws(AdaptyError) {
        if claim.isAppleAds { return log.say(.appleAds) }
        if claim.isOwn {
            for (name, text) in claim.texts { try DocumentedText.check(text, of: name) }
        }
        let claim = claim.cut
        let client = try await client()
        try AdaptyError.translating {
            try client.reportAttribution(
                source: claim.source,
                status: claim.status,
                channel: claim.channel,
                campaign: claim.campaign,
                adGroup: claim.adGroup,
                adSet: claim.adSet,
                creative: claim.creative
            )
        }
    }
}

extension Notice {
    static let appleAds = Notice(
        "updateAttribution for Apple Ads is not passed on: the server asks Apple itself. Leave the call out.")
}
