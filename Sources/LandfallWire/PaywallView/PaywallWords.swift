// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The texts of the ready paywall in one locale: the built-in ones, and the team's in their place.
struct PaywallWords: Hashable, Sendable {
    let locale: String
    /// False if they are English because there are none in the locale's language.
    let isOfLocale: Bool
    private var texts: [PaywallWord: String]
    private var ofCounts: [PaywallWord: [Int: String]] = [:]

    init(locale: String) {
        let builtIn = LocaleFallback.first(for: locale) { Self.builtIn[$0.lowercased()] }
        self.locale = locale
        isOfLocale = builtIn != nil
        texts = builtIn ?? Self.english
    }

    mutating func set(_ word: PaywallWord, to text: String) { texts[word] = text }
    mutating func set(_ word: PaywallWord, for count: Int, to text: String) { ofCounts[word, default: [:]][count] = text }

    /// - Parameters:
    ///   - word: the text.
    ///   - count: for a counted word; it fills `{count}`, and picks the text of that count if there is one.
    ///   - given: what fills the other placeholders.
    subscript(_ word: PaywallWord, count count: Int? = nil, values given: [String: String] = [:]) -> String {
        let text = count.flatMap { ofCounts[word]?[$0] } ?? texts[word] ?? ""
        var values = given
        if let count { values["count"] = count.formatted(IntegerFormatStyle<Int>(locale: Locale(identifier: locale))) }
        return Self.fill(text, with: values)
    }

    /// Puts values in the place of `{name}`; other braces stay as they are.
    static func fill(_ text: String, with values: [String: String]) -> String {
        guard !values.isEmpty, text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let isMixed = text.hasRightToLeft || values.values.contains { $0.hasRightToLeft }
        var filled = "", rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            let name = rest[rest.index(after: open)...].prefix { $0 != "}" && $0 != "{" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == "}", let value = values[String(name)] {
                // An isolate keeps its own direction, and the text around it keeps its order.
                filled += isMixed ? "\u{2068}\(value)\u{2069}" : value
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                filled += "{"
                rest = rest[rest.index(after: open)...]
            }
        }
        return filled + rest
    }
}

extension String {
    /// Has a letter or a mark that is written from right to left.
    var hasRightToLeft: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0590...0x08FF, 0x200F, 0x202B, 0x202E, 0x2067, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
                true
            default: false
            }
        }
    }
}
