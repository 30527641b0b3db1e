// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What is known of one install when its audience is decided, and the time of the decision. Make it once for several decisions: it
/// prepares the values that conditions compare.
package struct AudienceFacts: Sendable {
    package let values: FactValues
    /// By the server's clock.
    var nowMs: Int64

    package init(_ facts: KnownFacts, only compared: ComparedValues? = .all, nowMs: Int64) {
        values = FactValues(facts, only: compared)
        self.nowMs = nowMs
    }

    package init(_ values: FactValues, nowMs: Int64) {
        self.values = values
        self.nowMs = nowMs
    }

    /// - Parameters:
    ///   - link: the click that `link.…` reads.
    ///   - install: nil if the decision is about no install: then there are no dates, and no share of installs includes it.
    package init(
        attribution: Attribution, link: AttributionFact? = nil, device: DeviceFacts, attributes: [String: AttributeValue],
        install: InstallFacts? = nil, only compared: ComparedValues? = .all, nowMs: Int64 = 0
    ) {
        let facts = KnownFacts(attribution: attribution, link: link, device: device, attributes: attributes, install: install)
        self.init(facts, only: compared, nowMs: nowMs)
    }
}

/// What audiences read of an install itself.
package struct InstallFacts: Hashable, Sendable {
    /// In lower case.
    package let id: InstallID
    /// When the app was first opened.
    package var installedAtMs: Int64
    /// Nil if no audience compares it.
    package var lastSeenAtMs: Int64?
    /// The sources that brought the user here or back.
    package var sources: [AttributionSource] = []
    package var isTestDevice = false
    package var purchases = PurchaseFacts()

    package init(
        id: InstallID, installedAtMs: Int64, lastSeenAtMs: Int64?, sources: [AttributionSource] = [], isTestDevice: Bool = false,
        purchases: PurchaseFacts = PurchaseFacts()
    ) {
        self.id = id
        self.installedAtMs = installedAtMs
        self.lastSeenAtMs = lastSeenAtMs
        self.sources = sources
        self.isTestDevice = isTestDevice
        self.purchases = purchases
    }
}

/// The known values, before they are converted for comparisons.
package struct KnownFacts {
    let attribution: Attribution
    let link: AttributionFact?
    let device: DeviceFacts
    let attributes: [String: AttributeValue]
    let install: InstallFacts?
    /// The device's locale, in which paywalls are asked for.
    let locale: LocaleCode?

    package init(
        attribution: Attribution, link: AttributionFact?, device: DeviceFacts, attributes: [String: AttributeValue],
        install: InstallFacts?
    ) {
        self.attribution = attribution
        self.link = link
        self.device = device
        self.attributes = attributes
        self.install = install
        locale = device.locale.flatMap { LocaleCode(deviceLocale: $0) }
    }

    var unit: String? { install?.id.rawValue }

    func cell(_ attribute: AudienceAttribute, _ written: inout WrittenFacts) -> Cell {
        switch attribute {
        case .attributionSources: return written.list(install?.sources.map { attribute.normalised($0.rawValue) })
        case .attributionTest: return Cell(flag: details?.test ?? false)
        case .testDevice: return install.map { Cell(flag: $0.isTestDevice) } ?? .missing
        case .purchasesAny: return install.map { Cell(flag: !$0.purchases.products.isEmpty) } ?? .missing
        case .purchasesProducts: return written.list(install?.purchases.products)
        case .linkDate: return link.map { Cell(instant: $0.saidAtMs) } ?? .missing
        case .installDate: return install.map { Cell(instant: $0.installedAtMs) } ?? .missing
        case .installLastSeen: return (install?.lastSeenAtMs).map { Cell(instant: $0) } ?? .missing
        case .appVersion: return written.texts.version(device.appVersion)
        case .osVersion: return written.texts.version(device.osVersion)
        case .locale: return written.texts.locale(locale, else: device.locale)
        case .attributionCampaign: return written.texts.idOrText(details?.appleAds?.campaignId, details?.campaign)
        case .attributionAdGroup: return written.texts.idOrText(details?.appleAds?.adGroupId, details?.adGroup)
        case .attributionKeyword: return written.texts.idOrText(details?.appleAds?.keywordId, nil)
        case .attributionAd: return written.texts.idOrText(details?.appleAds?.adId, nil)
        default: return written.texts.text(text(attribute).map(attribute.normalised))
        }
    }

    private func text(_ attribute: AudienceAttribute) -> String? {
        switch attribute {
        case .attributionSource: details?.source.rawValue
        case .attributionStatus: status
        case .attributionChannel: details?.channel
        case .attributionAdSet: details?.adSet
        case .attributionCreative: details?.creative
        case .attributionClaimType: details?.appleAds?.claimType
        case .attributionConversionType: details?.appleAds?.conversionType
        case .attributionCountry: details?.appleAds?.countryOrRegion
        case .linkCampaign: link?.campaign
        case .linkAdGroup: link?.adGroup
        case .linkCreative: link?.creative
        case .linkChannel: link?.channel
        case .linkKeyword: link?.link?.keyword
        case .linkCode: link?.link?.code
        case .country: device.country(locale)
        case .language: locale?.language
        case .platform: device.platform
        case .deviceModel: device.model
        case .deviceClass: device.deviceClass?.rawValue
        default: nil
        }
    }

    private var details: AttributionDetails? { if case .attributed(let details) = attribution { details } else { nil } }

    private var status: String {
        switch attribution {
        case .pending: "pending"
        case .attributed: "attributed"
        case .notAttributed: "notAttributed"
        case .unavailable: "unavailable"
        }
    }
}

extension CellWriter {
    /// Apple's numeric id in digits, else the other provider's name.
    fileprivate mutating func idOrText(_ id: Int64?, _ text: String?) -> Cell { self.text(id.map { String($0) } ?? text) }
}

/// The kind of device, such as phone or tablet.
enum DeviceClass: String, CaseIterable, Sendable {
    case phone, tablet, desktop, tv, watch, headset
}

extension DeviceFacts {
    private static let classes: [(model: String, DeviceClass)] = [
        ("iPhone", .phone), ("iPod", .phone), ("iPad", .tablet), ("AppleTV", .tv), ("Watch", .watch), ("RealityDevice", .headset),
        ("Mac", .desktop), ("iMac", .desktop),
    ]

    /// By Apple's name of the model, else by the platform if it has only one kind.
    var deviceClass: DeviceClass? {
        if let model, let found = Self.classes.first(where: { model.utf8.starts(with: $0.model.utf8) }) { return found.1 }
        switch platform?.lowercased() {
        case "macos": return .desktop
        case "tvos": return .tv
        case "watchos": return .watch
        case "visionos": return .headset
        default: return nil
        }
    }
}

extension DeviceFacts {
    /// The country of the store if it is known, else that of the device's locale.
    fileprivate func country(_ locale: LocaleCode?) -> String? {
        // The region of a locale may be a part of the world, such as 419 (Latin America) in es-419: then there is no country.
        storeCountry.flatMap { $0.isEmpty ? nil : $0 } ?? locale?.region.flatMap { $0.utf8.count == 2 ? $0 : nil }
    }

    /// The same in the form that audiences compare: two capitals.
    package var country: String? { country(locale.flatMap { LocaleCode(deviceLocale: $0) })?.uppercased() }
}
