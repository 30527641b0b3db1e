// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What a condition can look at beside custom attributes. The raw values are the names in `landfall.yaml`; the order is that of
/// the cells in ``FactValues``.
package enum AudienceAttribute: String, CaseIterable, Sendable {
    case attributionSource = "attribution.source"
    case attributionSources = "attribution.sources"
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
    case attributionTest = "attribution.test"
    case linkCampaign = "link.campaign"
    case linkAdGroup = "link.adGroup"
    case linkCreative = "link.creative"
    case linkChannel = "link.channel"
    case linkKeyword = "link.keyword"
    case linkCode = "link.code"
    case linkDate = "link.date"
    case country
    case language
    case locale
    case platform
    case appVersion = "app.version"
    case osVersion = "os.version"
    case deviceModel = "device.model"
    case deviceClass = "device.class"
    case installDate = "install.date"
    case installLastSeen = "install.lastSeen"
    case testDevice
    case purchasesAny = "purchases.any"
    case purchasesProducts = "purchases.products"

    package var kind: ValueKind {
        switch self {
        case .attributionSources, .purchasesProducts: .list
        case .attributionTest, .testDevice, .purchasesAny: .boolean
        case .linkDate, .installDate, .installLastSeen: .date
        case .locale: .locale
        case .appVersion, .osVersion: .version
        default: .text
        }
    }

    /// The pending answer that can change the value. While it is on its way, the value is unknown.
    package var changedBy: Pending {
        switch self {
        case .linkCampaign, .linkAdGroup, .linkCreative, .linkChannel, .linkKeyword, .linkCode, .linkDate: .deferredLink
        case .purchasesAny, .purchasesProducts: .purchases
        default: rawValue.utf8.starts(with: "attribution.".utf8) ? [.attribution, .deferredLink] : []
        }
    }

    /// The normal form of both sides of a comparison, so that `us` equals `US`. It does not depend on a language.
    func normalised(_ text: String) -> String {
        switch self {
        case .country, .attributionCountry: text.uppercased()
        case .language, .platform, .deviceClass, .attributionSource, .attributionSources, .attributionClaimType,
            .attributionConversionType:
            text.lowercased()
        case .linkCode: Self.code(text)
        default: text
        }
    }

    /// True for free texts, of which a part can be compared.
    var isFreeText: Bool {
        switch self {
        case .attributionStatus, .country, .attributionCountry, .language, .platform, .deviceClass: false
        default: kind == .text
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

/// How values are compared.
package enum ValueKind: String, Sendable {
    case text, number, boolean, version, date, list, locale
}

/// Answers that are still on their way when an audience is decided. The values that they can change are unknown.
package struct Pending: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let nothing: Pending = []
    /// Apple's answer: it can change every value of the attribution.
    package static let attribution = Pending(rawValue: 1)
    /// The link that was tapped before the install: it can change the attribution as well.
    package static let deferredLink = Pending(rawValue: 2)
    /// The purchases that the phone is about to report.
    package static let purchases = Pending(rawValue: 4)

    /// The wire's word for it.
    package var kinds: [PendingKind] {
        (contains(.attribution) ? [.attribution] : []) + (contains(.deferredLink) ? [.deferredLink] : [])
            + (contains(.purchases) ? [.purchases] : [])
    }
}
