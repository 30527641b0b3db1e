// SPDX-License-Identifier: Apache-2.0
/// The locales that are tried, in order, for a text in one locale: the exact locale, then its language in the same script, then its
/// language. `zh-TW` is `zh-Hant-TW`, then `zh-Hant`, then `zh`, and never `zh-Hans`. The server and the SDK share this rule.
public enum LocaleFallback {
    /// The result of `find` for the first locale that has one; nil if the default is to be used.
    /// - Parameters:
    ///   - locale: parts with `-` between them; case does not count.
    ///   - find: is asked for at most a few codes more than the locale has parts. A script that the locale implies is written
    ///     `Hant`, everything else as in `locale`.
    public static func first<Found>(for locale: String, where find: (String) -> Found?) -> Found? {
        if let found = find(locale) { return found }
        let parts = LocaleSubtags(locale)
        // Variants and extensions go first, the last one before the others.
        var shorter = locale[...]
        while shorter.endIndex > parts.end, let dash = shorter.lastIndex(of: "-") {
            shorter = shorter[..<dash]
            if let found = find(String(shorter)) { return found }
        }
        if let region = parts.region {
            if let script = parts.script {
                let isImplied = impliedScript(ofLanguage: parts.language, region: region)?.hasSameLetters(as: script) == true
                if isImplied, let found = find("\(parts.language)-\(region)") { return found }
                if let found = find("\(parts.language)-\(script)") { return found }
            } else if let script = impliedScript(ofLanguage: parts.language, region: region) {
                if let found = find("\(parts.language)-\(script)-\(region)") { return found }
                if let found = find("\(parts.language)-\(script)") { return found }
            }
            return find(String(parts.language))
        }
        if parts.script != nil { return find(String(parts.language)) }
        return impliedScript(ofLanguage: parts.language).flatMap { find("\(parts.language)-\($0)") }
    }

    /// The script of a language whose locale names no script: `Hant` for `zh-TW`, `Hans` for `zh`. Nil for a
    /// language that is written in one script.
    ///
    /// From the likely subtags of Unicode CLDR, of languages that people write in several scripts.
    public static func impliedScript(ofLanguage language: some StringProtocol, region: (some StringProtocol)?) -> String? {
        guard (2...3).contains(language.utf8.count), let scripts = scripts[language.lowercased()] else { return nil }
        return region.flatMap { scripts.inRegion[$0.uppercased()] } ?? scripts.usual
    }

    /// The same for a language without a region.
    public static func impliedScript(ofLanguage language: some StringProtocol) -> String? {
        impliedScript(ofLanguage: language, region: String?.none)
    }

    private struct Scripts {
        let usual: String
        var inRegion: [String: String] = [:]
    }

    private static let scripts: [String: Scripts] = [
        "az": Scripts(usual: "Latn", inRegion: ["IQ": "Arab", "IR": "Arab", "RU": "Cyrl"]),
        "bs": Scripts(usual: "Latn"),
        "ha": Scripts(usual: "Latn", inRegion: ["CM": "Arab", "SD": "Arab"]),
        "kk": Scripts(usual: "Cyrl", inRegion: ["AF": "Arab", "CN": "Arab", "IR": "Arab", "MN": "Arab"]),
        "ku": Scripts(usual: "Latn", inRegion: ["IQ": "Arab", "IR": "Arab"]),
        "ky": Scripts(usual: "Cyrl", inRegion: ["CN": "Arab", "TR": "Latn"]),
        "mn": Scripts(usual: "Cyrl", inRegion: ["CN": "Mong"]),
        "ms": Scripts(usual: "Latn", inRegion: ["CC": "Arab"]),
        "pa": Scripts(usual: "Guru", inRegion: ["PK": "Arab"]),
        "sd": Scripts(usual: "Arab", inRegion: ["IN": "Deva"]),
        "sr": Scripts(usual: "Cyrl", inRegion: ["ME": "Latn", "RO": "Latn", "TR": "Latn"]),
        "tg": Scripts(usual: "Cyrl", inRegion: ["PK": "Arab"]),
        "ug": Scripts(usual: "Arab", inRegion: ["KZ": "Cyrl", "MN": "Cyrl"]),
        "uz": Scripts(usual: "Latn", inRegion: ["AF": "Arab", "CN": "Cyrl"]),
        "yue": Scripts(usual: "Hant", inRegion: ["CN": "Hans"]),
        "zh": Scripts(usual: "Hans", inRegion: ["HK": "Hant", "MO": "Hant", "TW": "Hant"]),
    ]
}

/// Language, script and region of a locale code. Variants and extensions follow them.
public struct LocaleSubtags: Hashable, Sendable {
    public let language: Substring
    /// Four letters, as written.
    public let script: Substring?
    /// Two letters or three digits, as written.
    public let region: Substring?
    /// The position after the last of them in the code.
    let end: String.Index

    /// - Parameter code: parts with `-` between them. Any text is accepted: the part before its first dash is the language.
    public init(_ code: String) {
        var rest = code[...]
        func next() -> Substring { Substring(rest.utf8.prefix { $0 != UInt8(ascii: "-") }) }
        func after(_ part: Substring) -> Substring {
            part.endIndex < code.endIndex ? code[code.utf8.index(after: part.endIndex)...] : code[code.endIndex...]
        }
        language = next()
        var end = language.endIndex
        rest = after(language)
        let script = next()
        if script.utf8.count == 4, script.utf8.allSatisfy(\.isASCIILetter) {
            self.script = script
            end = script.endIndex
            rest = after(script)
        } else {
            self.script = nil
        }
        let region = next()
        if Self.isRegion(region.utf8) {
            self.region = region
            end = region.endIndex
        } else {
            self.region = nil
        }
        self.end = end
    }

    private static func isRegion(_ part: some Collection<UInt8>) -> Bool {
        part.count == 2 && part.allSatisfy(\.isASCIILetter) || part.count == 3 && part.allSatisfy(\.isASCIIDigit)
    }
}

extension StringProtocol {
    /// Upper and lower case of ASCII are the same.
    fileprivate func hasSameLetters(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { $0 == $1 || $0.isASCIILetter && $0 | 0x20 == $1 | 0x20 }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
