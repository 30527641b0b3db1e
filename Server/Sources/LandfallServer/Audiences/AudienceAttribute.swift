// SPDX-License-Identifier: Apache-2.0
/// What a condition can look at. The raw values are the names in `landfall.yaml`.
enum TextAttribute: String, CaseIterable, Sendable {
    case attributionSource = "attribution.source"
    case attributionStatus = "attribution.status"
    case attributionChannel = "attribution.channel"
    case attributionCampaign = "attribution.campaign"
    case attributionAdGroup = "attribution.adGroup"
    case attributionAdSet = "attribution.adSet"
    case attributionCreative = "attribution.creative"
    case attributionKeyword = "attribution.keyword"
    case attributionAd = "attribution.ad"
    case attributionClaimType = "attribution.claimType"
    case attributionConversionType = "attribution.conversionType"
    case attributionCountry = "attribution.country"
    case country
    case language
    case platform

    /// True for what an answer that is still on its way can change.
    var waitsForAttribution: Bool {
        switch self {
        case .country, .language, .platform: false
        default: true
        }
    }

    /// How both sides of a comparison are written, so that `us` is `US`.
    func normalised(_ text: String) -> String {
        switch self {
        case .country, .attributionCountry: text.uppercased()
        case .language, .platform, .attributionSource, .attributionClaimType, .attributionConversionType: text.lowercased()
        default: text
        }
    }
}

/// The attributes that are compared as versions.
enum VersionAttribute: String, CaseIterable, Sendable {
    case app = "app.version"
    case os = "os.version"
}
