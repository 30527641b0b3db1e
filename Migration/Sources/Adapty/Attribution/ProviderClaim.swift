// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What another attribution provider told the app, read from the dictionary that apps pass on.
///
/// Keys: `status` (organic, non_organic, unknown), `channel`, `campaign`, `ad_group`, `ad_set`, `creative`; others are
/// ignored. Keys and statuses may be written in any case, and with `-` or a space for `_`. The limits are the client's.
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
        for (key, value) in attribution {
            guard let key = key.base as? String, let text = Self.text(of: value) else { continue }
            switch Self.folded(key) {
            case "status": status = AttributionStatus(rawValue: Self.folded(text)) ?? .unknown
            case "channel": channel = text
            case "campaign": campaign = text
            case "ad_group": adGroup = text
            case "ad_set": adSet = text
            case "creative": creative = text
            default: break
            }
        }
    }

    /// By the names under which they were given.
    var texts: [(name: String, text: String?)] {
        [("channel", channel), ("campaign", campaign), ("ad_group", adGroup), ("ad_set", adSet), ("creative", creative)]
    }

    /// - Throws: ``AdaptyError`` 3001 if the text is not a JSON object.
    init(json: String, source: String) throws(AdaptyError) {
        guard let attribution = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] else {
            throw AdaptyError(.wrongParam, "The attribution is no JSON object. Pass what the provider's SDK gave, unchanged.")
        }
        self.init(attribution, source: source)
    }

    private static func text(of value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    private static func folded(_ word: String) -> String {
        word.lowercased().replacingOccurrences(of: "-", with: "_").replacingOccurrences(of: " ", with: "_")
    }
}
