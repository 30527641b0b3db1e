// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A locale in its canonical form: `en`, `en-US`, `zh-Hant-TW`. Case and `_` against `-` make no difference.
package struct LocaleCode: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// In bytes: the longest code that BCP 47 requires everyone to accept.
    package static let longest = 35

    package let rawValue: String
    package var description: String { rawValue }

    package init?(rawValue: String) {
        var text = rawValue
        guard let code = text.withUTF8({ LocaleCode(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = code
    }

    package init?(utf8 text: UnsafeRawBufferPointer) {
        guard let canonical = LocaleForm.canonical(text) else { return nil }
        rawValue = canonical
    }

    /// Reads a device's name of its locale, which may contain more than a locale code: `en_US@calendar=japanese`, `C.UTF-8`.
    package init?(deviceLocale: String) {
        let code = deviceLocale.utf8.prefix { $0 != UInt8(ascii: "@") && $0 != UInt8(ascii: ".") }
        self.init(rawValue: String(Substring(code)))
    }

    /// Nil stays nil: no locale was asked for.
    /// - Throws: `invalid_locale`.
    package static func canonical(_ text: String?) throws(LocaleRefusal) -> LocaleCode? {
        guard let text else { return nil }
        guard let code = LocaleCode(rawValue: text) else { throw LocaleRefusal() }
        return code
    }

    /// Lower case: `en`, `zh`.
    var language: String { String(Substring(rawValue.utf8.prefix { $0 != UInt8(ascii: "-") })) }

    /// `US` of `en-US`; nil if the code names none.
    var region: String? { LocaleSubtags(rawValue).region.map { String($0) } }

    /// `Hant` of `zh-Hant` and of `zh-TW`, which implies it; nil if the code names none and its language has one script.
    var script: String? {
        let parts = LocaleSubtags(rawValue)
        return parts.script.map { String($0) } ?? LocaleFallback.impliedScript(ofLanguage: parts.language, region: parts.region)
    }

    /// The first of the locales that stand for this one, by ``LocaleFallback``.
    func first<Found>(where find: (LocaleCode) -> Found?) -> Found? {
        LocaleFallback.first(for: rawValue) { find(LocaleCode(canonical: $0)) }
    }

    private init(canonical: String) { rawValue = canonical }
}

/// Writes the parts of a locale in canonical form. Reads bytes and makes one string, because it runs for every requested paywall.
private enum LocaleForm {
    private static let separator = UInt8(ascii: "-")

    /// Nil if the text is not a locale code.
    static func canonical(_ text: UnsafeRawBufferPointer) -> String? {
        guard (2...LocaleCode.longest).contains(text.count) else { return nil }
        var isLocale = true
        let canonical = String(unsafeUninitializedCapacity: text.count) { bytes in
            var start = 0
            for end in 0...text.count where end == text.count || text[end] == separator || text[end] == UInt8(ascii: "_") {
                guard write(UnsafeRawBufferPointer(rebasing: text[start..<end]), isLanguage: start == 0, at: start, of: bytes) else {
                    isLocale = false
                    return 0
                }
                if end < text.count { bytes[end] = separator }
                start = end + 1
            }
            return text.count
        }
        return isLocale ? canonical : nil
    }

    /// - Returns: false if the text is not a part of a locale code.
    private static func write(
        _ part: UnsafeRawBufferPointer, isLanguage: Bool, at start: Int, of bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard part.count <= 8, part.count >= (isLanguage ? 2 : 1),
            part.allSatisfy({ isLanguage ? $0.isASCIILetter : $0.isASCIIAlphanumeric })
        else { return false }
        let isRegion = !isLanguage && isRegion(part)
        for (place, byte) in part.enumerated() {
            let isUpper = isRegion || !isLanguage && part.count == 4 && place == 0
            bytes[start + place] = !byte.isASCIILetter ? byte : isUpper ? byte & ~0x20 : byte | 0x20
        }
        return true
    }

    private static func isRegion(_ part: some Collection<UInt8>) -> Bool {
        part.count == 2 && part.allSatisfy(\.isASCIILetter) || part.count == 3 && part.allSatisfy(\.isASCIIDigit)
    }
}

/// The requested locale is not a valid locale code.
package struct LocaleRefusal: Refusal, Hashable {
    package var code: ErrorCode { .invalidLocale }
    package var description: String {
        "The locale is not a language code such as 'en' or 'pt-BR' of at most \(LocaleCode.longest) characters. "
            + "Correct it, or leave it out for the paywall's default."
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
