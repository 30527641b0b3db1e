// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What another attribution provider told the app, read from the dictionary that apps pass on.
///
/// The documented keys count first: `status` (organic, non_organic, unknown), `channel`, `campaign`, `ad_group`, `ad_set`,
/// `creative`. Where one is missing, the providers' own keys count, see ``ProviderKeys``; others are ignored. Keys may be written
/// in any case, with or without `_`, `-`, `~`, `+` and spaces.
struct ProviderClaim: Equatable {
    var source: AttributionSource
    var status = AttributionStatus.unknown
    var channel: String?
    var campaign: String?
    var adGroup: String?
    var adSet: String?
    var creative: String?

    init(_ attribution: [AnyHashable: Any], source: String) {
        self.source = AttributionSource(source.lowercased())
        var values: [String: Any] = [:]
        // Two spellings of one key: the first in the alphabet counts, so that the answer is the same at each launch.
        let named = attribution.compactMap { key, value in (key.base as? String).map { ($0, value) } }
        for (key, value) in named.sorted(by: { $0.0 < $1.0 }) where values[Self.folded(key)] == nil {
            values[Self.folded(key)] = value
        }
        let given = GivenValues(values)
        let tracker = given.text(["trackername"])?.components(separatedBy: "::") ?? []
        func part(_ place: Int) -> String? { tracker.indices.contains(place) ? given.bounded(tracker[place]) : nil }

        channel = given.text(ProviderKeys.channel) ?? part(0) ?? (given.isAppleAds ? "Apple Ads" : nil)
        campaign = given.text(ProviderKeys.campaign) ?? part(1)
        adGroup = given.text(ProviderKeys.adGroup) ?? part(2)
        adSet = given.text(ProviderKeys.adSet)
        creative = given.text(ProviderKeys.creative) ?? (given.isAppleAds ? given.text(ProviderKeys.appleCreative) : nil) ?? part(3)
        status = given.status(network: given.text(["network"]) ?? part(0))
    }

    /// - Throws: ``AdaptyError`` 3001 if the text is not a JSON object.
    init(json: String, source: String) throws(AdaptyError) {
        guard let attribution = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] else {
            throw AdaptyError(.wrongParam, "The attribution is not a JSON object. Pass what the provider's SDK gave, unchanged.")
        }
        self.init(attribution, source: source)
    }

    /// By the names that the app gave.
    var texts: [(name: String, text: String?)] {
        [("channel", channel), ("campaign", campaign), ("ad_group", adGroup), ("ad_set", adSet), ("creative", creative)]
    }

    /// True if the app itself wrote the dictionary: then a text that is too long is the app's mistake. A provider's text is cut.
    var isOwn: Bool { !Self.providers.contains(source.rawValue) }
    /// True for Apple Ads: the server asks Apple itself.
    var isAppleAds: Bool { Self.appleAds.contains(source.rawValue) }

    static let providers: Set<String> = ["adjust", "appsflyer", "branch", "tenjin", "singular", "kochava", "airbridge"]
    static let appleAds: Set<String> = ["apple_search_ads", "apple_ads"]

    /// The claim with every text within the client's limit of 200 bytes.
    var cut: ProviderClaim {
        var claim = self
        claim.channel = claim.channel?.prefix(bytes: 200)
        claim.campaign = claim.campaign?.prefix(bytes: 200)
        claim.adGroup = claim.adGroup?.prefix(bytes: 200)
        claim.adSet = claim.adSet?.prefix(bytes: 200)
        claim.creative = claim.creative?.prefix(bytes: 200)
        return claim
    }

    static func folded(_ key: String) -> String {
        key.lowercased().filter { !"_-~+ ".contains($0) }
    }
}

/// The keys of the providers' dictionaries, folded, in the order in which they count. Sources: each provider's own
/// documentation of what its SDK gives the app.
enum ProviderKeys {
    /// The documented key; Adjust; AppsFlyer; Branch's partner.
    static let channel = ["channel", "network", "mediasource", "afchannel", "advertisingpartnername"]
    /// The documented key, also AppsFlyer's, Adjust's and Branch's; AppsFlyer's id; Apple's.
    static let campaign = ["campaign", "campaignname", "afc", "iadcampaignname", "campaignid", "afcid", "iadcampaignid"]
    /// The documented key, also Adjust's `adgroup` and AppsFlyer's; Apple's.
    static let adGroup = ["adgroup", "adgroupname", "iadadgroupname", "adgroupid", "iadadgroupid"]
    /// The documented key; AppsFlyer; Branch.
    static let adSet = ["adset", "afadset", "adsetname", "adsetid", "afadsetid"]
    /// The documented key, also Adjust's; AppsFlyer; Branch; Apple.
    static let creative = ["creative", "afad", "creativename", "adname", "iadcreativesetname", "afadid"]
    /// Apple's key. With Adjust the same key is the id of the install, which does not belong to an attribution.
    static let appleCreative = ["adid"]
}

/// The values of a dictionary by folded key.
private struct GivenValues {
    private let values: [String: Any]

    init(_ values: [String: Any]) {
        // Apple's older dictionaries hold their fields in an inner one.
        let inner = values["version3.1"] as? [String: Any] ?? [:]
        self.values = values.merging(inner.map { (ProviderClaim.folded($0.key), $0.value) }) { outer, _ in outer }
    }

    /// The first of these keys that has a text or a number.
    func text(_ keys: [String]) -> String? {
        for key in keys {
            if let value = values[key], let text = Self.text(of: value), let text = bounded(text) { return text }
        }
        return nil
    }

    /// nil for an empty text.
    func bounded(_ text: some StringProtocol) -> String? { text.isEmpty ? nil : String(text) }

    /// Apple's own dictionary: `attribution` beside `campaignId`, or the older `iad-attribution`.
    var isAppleAds: Bool {
        (flag("attribution") != nil && values["campaignid"] != nil) || flag("iadattribution") != nil
    }

    /// - Parameter network: Adjust's network, or the first part of its tracker's name.
    func status(network: String?) -> AttributionStatus {
        for key in ["status", "afstatus"] {
            if let word = text([key]) {
                return switch ProviderClaim.folded(word) {
                case "organic": .organic
                case "nonorganic": .nonOrganic
                default: .unknown
                }
            }
        }
        if let isAttributed = flag("iadattribution") ?? flag("attribution") { return isAttributed ? .nonOrganic : .organic }
        if let isFromLink = flag("clickedbranchlink") {
            // A later launch without a tap does not say where the person came from.
            return isFromLink ? .nonOrganic : flag("isfirstsession") == true ? .organic : .unknown
        }
        guard let network else { return .unknown }
        return switch ProviderClaim.folded(network) {
        case "organic": .organic
        // Adjust's own names for people without an attribution.
        case "unattributed", "nouserconsent", "untrusteddevices": .unknown
        default: .nonOrganic
        }
    }

    private func flag(_ key: String) -> Bool? {
        switch values[key] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: ["true": true, "1": true, "false": false, "0": false][text.lowercased()]
        default: nil
        }
    }

    private static func text(of value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }
}

extension String {
    /// The longest beginning of whole characters that has at most this number of bytes of UTF-8.
    fileprivate func prefix(bytes limit: Int) -> String {
        var size = 0
        return String(
            prefix {
                size += $0.utf8.count; return size <= limit
            })
    }
}
