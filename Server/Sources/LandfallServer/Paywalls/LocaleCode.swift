// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A locale in its canonical form: `en`, `en-US`, `zh-Hant-TW`. Case and `_` against `-` make no difference.
struct LocaleCode: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// Bytes. The longest code that BCP 47 asks everyone to take.
    static let longest = 35

    let rawValue: String
    var description: String { rawValue }

    init?(rawValue: String) {
        guard (2...Self.longest).contains(rawValue.utf8.count) else { return nil }
        let parts = rawValue.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard parts[0].utf8.allSatisfy(\.isASCIILetter), (2...8).contains(parts[0].utf8.count),
            parts.dropFirst().allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) })
        else { return nil }
        self.rawValue = parts.enumerated().map { Self.canonical($1, isLanguage: $0 == 0) }.joined(separator: "-")
    }

    /// Reads what a device calls its locale, which may carry more than a locale code: `en_US@calendar=japanese`, `C.UTF-8`.
    init?(deviceLocale: String) {
        let code = deviceLocale.prefix { $0 != "@" && $0 != "." }
        self.init(rawValue: String(code))
    }

    /// Nil stays nil: no locale was asked for.
    /// - Throws: `invalid_locale`.
    static func canonical(_ text: String?) throws(LocaleRefusal) -> LocaleCode? {
        guard let text else { return nil }
        guard let code = LocaleCode(rawValue: text) else { throw LocaleRefusal() }
        return code
    }

    /// Lower case: `en`, `zh`.
    var language: String { String(rawValue.prefix { $0 != "-" }) }

    /// `US` of `en-US`; nil where the code names none.
    var region: String? {
        rawValue.split(separator: "-").dropFirst().first(where: Self.isRegion).map(String.init)
    }

    /// The same code without its last part: `zh-Hant` of `zh-Hant-TW`; nil for a language alone.
    var parent: LocaleCode? {
        rawValue.lastIndex(of: "-").map { LocaleCode(canonical: rawValue[..<$0]) }
    }

    private init(canonical: Substring) { rawValue = String(canonical) }

    private static func canonical(_ part: Substring, isLanguage: Bool) -> String {
        if isLanguage { return part.lowercased() }
        if isRegion(part) { return part.uppercased() }
        return part.utf8.count == 4 ? part.capitalised : part.lowercased()
    }

    private static func isRegion(_ part: Substring) -> Bool {
        part.utf8.count == 2 && part.utf8.allSatisfy(\.isASCIILetter)
            || part.utf8.count == 3 && part.utf8.allSatisfy(\.isASCIIDigit)
    }
}

/// A locale was asked for that is none.
struct LocaleRefusal: Refusal, Hashable {
    var code: ErrorCode { .invalidLocale }
    var description: String {
        "The locale is not a language code such as 'en' or 'pt-BR' of at most \(LocaleCode.longest) characters. "
            + "Correct it, or leave it out for the paywall's default."
    }
}

extension Substring {
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst().lowercased() }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
