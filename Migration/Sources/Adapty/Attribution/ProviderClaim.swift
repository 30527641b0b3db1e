// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What another attribution provider told the app, read from the dictionary that apps pass on.
///
/// Keys: `status` (organic, non_organic, unknown), `channel`, `campaign`, `ad_group`, `ad_set`, `creative`; others are
/// ignored. Keys and statuses may be written in any case, and with `-` or a space for `_`.
struct ProviderClaim: Equatable {
    static let textCharacters = 50

    var source: AttributionSource
    var status = AttributionClaim.Status.unknown
    var channel: String?
    var campaign: String?
    var adGroup: String?
    var adSet: String?
    var creative: String?

    /// - Throws: ``AdaptyError`` 3001 for a source that is none or the server's own, and for a value that is too long.
    init(_ attribution: [AnyHashable: Any], source name: String) throws(AdaptyError) {
        source = try Self.source(named: name)
        for (key, value) in attribution {
            guard let key = key.base as? String, let text = Self.text(of: value) else { continue }
            guard text.count <= Self.textCharacters else {
                throw AdaptyError(
                    .wrongParam, "The value of '\(key)' has more than \(Self.textCharacters) characters. Shorten it.")
            }
            switch Self.folded(key) {
            case "status": status = AttributionClaim.Status(rawValue: Self.folded(text)) ?? .unknown
            case "channel": channel = text
            case "campaign": campaign = text
            case "ad_group": adGroup = text
            case "ad_set": adSet = text
            case "creative": creative = text
            default: break
            }
        }
    }

    /// - Throws: ``AdaptyError`` 3001 where the text is no JSON object.
    init(json: String, source: String) throws(AdaptyError) {
        guard let attribution = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] else {
            throw AdaptyError(.wrongParam, "The attribution is no JSON object. Pass what the provider's SDK gave, unchanged.")
        }
        try self.init(attribution, source: source)
    }

    private static func source(named name: String) throws(AdaptyError) -> AttributionSource {
        let source = AttributionSource(name.lowercased())
        let isWellFormed =
            (1...64).contains(name.count)
            && source.rawValue.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default:
                    false
                }
            }
        guard isWellFormed else {
            throw AdaptyError(.wrongParam, "'\(name)' names no attribution provider: use 1 to 64 of a-z 0-9 . _ -")
        }
        guard !AttributionSource.reserved.contains(source) else {
            throw AdaptyError(.wrongParam, "The server itself finds out about '\(name)'. Only other providers are passed on.")
        }
        return source
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
