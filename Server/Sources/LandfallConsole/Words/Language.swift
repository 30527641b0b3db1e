// SPDX-License-Identifier: Apache-2.0

/// The languages of the console.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"
    case chinese = "zh-Hans"

    /// In the language itself.
    var name: String {
        switch self {
        case .english: "English"
        case .japanese: "日本語"
        case .chinese: "简体中文"
        }
    }

    /// The first language of an `Accept-Language` field that the console speaks; English if there is none.
    init(accepting field: String?) {
        let wishes = (field ?? "").utf8.prefix(500).split(separator: UInt8(ascii: ",")).compactMap { part -> (Language, Double)? in
            let pieces = part.split(separator: UInt8(ascii: ";"))
            guard let tag = pieces.first else { return nil }
            let name = String(decoding: tag.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self).lowercased()
            let quality = pieces.dropFirst().first.map { String(decoding: $0.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) }
            let weight = quality.map { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) ?? 0 : 0 } ?? 1
            return Self.spoken(name).map { ($0, weight) }
        }
        var best: (Language, Double)?
        for wish in wishes where wish.1 > 0 && wish.1 > best?.1 ?? 0 { best = wish }
        self = best?.0 ?? .english
    }

    private static func spoken(_ tag: String) -> Language? {
        switch tag.prefix(while: { $0 != "-" }) {
        case "en": .english
        case "ja": .japanese
        case "zh": .chinese
        default: nil
        }
    }
}
