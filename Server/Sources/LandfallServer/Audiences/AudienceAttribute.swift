// SPDX-License-Identifier: Apache-2.0
import LandfallWire

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
    case linkCampaign = "link.campaign"
    case linkAdGroup = "link.adGroup"
    case linkCreative = "link.creative"
    case linkChannel = "link.channel"
    case linkCode = "link.code"
    case country
    case language
    case platform

    /// True for what an answer that is still on its way can change.
    func isUnknown(while pending: Pending) -> Bool {
        switch self {
        case .country, .language, .platform: false
        case .linkCampaign, .linkAdGroup, .linkCreative, .linkChannel, .linkCode: pending == .deferredLink
        default: pending != .nothing
        }
    }

    /// How both sides of a comparison are written, so that `us` is `US`.
    func normalised(_ text: String) -> String {
        switch self {
        case .country, .attributionCountry: text.uppercased()
        case .language, .platform, .attributionSource, .attributionClaimType, .attributionConversionType: text.lowercased()
        case .linkCode: Self.code(text)
        default: text
        }
    }

    /// A code is host and path; people paste the whole address.
    private static func code(_ text: String) -> String {
        guard let address = try? LinkAddress(text.contains("://") ? text : "https://\(text)"), let host = address.host else {
            return text
        }
        return host + address.path
    }
}

/// What is still on its way when an audience is decided.
enum Pending: Hashable, Sendable, CaseIterable {
    case nothing
    /// Apple's answer: it can change every value of the attribution.
    case attribution
    /// The link that was tapped before the install: it can change the attribution as well.
    case deferredLink
}

/// The attributes that are compared as versions.
enum VersionAttribute: String, CaseIterable, Sendable {
    case app = "app.version"
    case os = "os.version"
}
