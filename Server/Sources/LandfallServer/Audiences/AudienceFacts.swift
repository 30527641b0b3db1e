// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What is known of one install when its audience is decided. Make it once for several decisions: it prepares the values
/// that conditions compare.
struct AudienceFacts: Sendable {
    let attributes: [String: AttributeValue]
    private let attribution: Attribution
    private let appleIDs: AppleIDs
    private let link: AttributionFact?
    private let device: DeviceValues

    /// - Parameter link: the click that `link.…` reads.
    init(
        attribution: Attribution, link: AttributionFact? = nil, device: DeviceFacts, attributes: [String: AttributeValue]
    ) {
        self.init(attribution: attribution, link: link, device: DeviceValues(device), attributes: attributes)
    }

    init(attribution: Attribution, link: AttributionFact?, device: DeviceValues, attributes: [String: AttributeValue]) {
        self.attributes = attributes
        self.attribution = attribution
        self.link = link
        self.device = device
        appleIDs = AppleIDs(attribution)
    }

    /// The value in the attribute's normal form; nil if there is no value.
    func text(_ attribute: TextAttribute) -> String? {
        switch attribute {
        case .country: device.country
        case .language: device.language
        case .platform: device.platform
        case .attributionStatus: status
        case .linkCampaign: link?.campaign
        case .linkAdGroup: link?.adGroup
        case .linkCreative: link?.creative
        case .linkChannel: link?.channel
        case .linkCode: link?.link?.code
        default: details.flatMap { text(attribute, of: $0) }
        }
    }

    func version(_ attribute: VersionAttribute) -> SemanticVersion? {
        switch attribute {
        case .app: device.appVersion
        case .os: device.osVersion
        }
    }

    private var details: AttributionDetails? {
        if case .attributed(let details) = attribution { details } else { nil }
    }

    private var status: String {
        switch attribution {
        case .pending: "pending"
        case .attributed: "attributed"
        case .notAttributed: "notAttributed"
        case .unavailable: "unavailable"
        }
    }

    private func text(_ attribute: TextAttribute, of details: AttributionDetails) -> String? {
        let text: String? =
            switch attribute {
            case .attributionSource: details.source.rawValue
            case .attributionChannel: details.channel
            case .attributionCampaign: appleIDs.campaign ?? details.campaign
            case .attributionAdGroup: appleIDs.adGroup ?? details.adGroup
            case .attributionAdSet: details.adSet
            case .attributionCreative: details.creative
            case .attributionKeyword: appleIDs.keyword
            case .attributionAd: appleIDs.ad
            case .attributionClaimType: details.appleAds?.claimType
            case .attributionConversionType: details.appleAds?.conversionType
            case .attributionCountry: details.appleAds?.countryOrRegion
            default: nil
            }
        return text.map(attribute.normalised)
    }
}

/// What conditions and paywalls read of a phone, in the form in which they compare it.
struct DeviceValues: Sendable {
    let locale: LocaleCode?
    let country: String?
    let language: String?
    let platform: String?
    let appVersion: SemanticVersion?
    let osVersion: SemanticVersion?

    init(_ device: DeviceFacts) {
        locale = device.locale.flatMap { LocaleCode(deviceLocale: $0) }
        let storeCountry = device.storeCountry.flatMap { $0.isEmpty ? nil : $0 }
        country = (storeCountry ?? locale?.region).map(TextAttribute.country.normalised)
        language = locale?.language
        platform = device.platform.map(TextAttribute.platform.normalised)
        appVersion = device.appVersion.flatMap(SemanticVersion.init)
        osVersion = device.osVersion.flatMap(SemanticVersion.init)
    }
}

/// Apple's numeric ids as the text that conditions compare. Up to 15 digits fit into a string without allocation.
private struct AppleIDs {
    let campaign: String?
    let adGroup: String?
    let keyword: String?
    let ad: String?

    init(_ attribution: Attribution) {
        let answer: AppleAdsAnswer? = if case .attributed(let details) = attribution { details.appleAds } else { nil }
        campaign = answer?.campaignId.map { String($0) }
        adGroup = answer?.adGroupId.map { String($0) }
        keyword = answer?.keywordId.map { String($0) }
        ad = answer?.adId.map { String($0) }
    }
}
