// SPDX-License-Identifier: Apache-2.0

/// A text of the pages of brand domains. The raw value is its key in `linkPages.texts`; `{app}` in a text is the app's name.
package enum PageText: String, CaseIterable, Sendable {
    case openApp, appStore, googlePlay, web, home
    case typeCode, copyHint, copyLabel, scan
    case expiredTitle, expiredText, earlyTitle, earlyText, missingTitle, missingText, refusedTitle

    /// What stands in for a text that was added after teams had written their languages: a language of theirs need not have it.
    var standIn: PageText? {
        switch self {
        case .earlyTitle: .missingTitle
        case .earlyText: .missingText
        default: nil
        }
    }
}

/// The languages that the server brings along. Each is a function that switches over all texts: a missing text does not compile.
package enum PageLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case korean = "ko"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case portuguese = "pt"

    var locale: LocaleCode { LocaleCode(rawValue: rawValue)! }

    package func words(of text: PageText) -> String {
        switch self {
        case .english: text.inEnglish
        case .japanese: text.inJapanese
        case .simplifiedChinese: text.inSimplifiedChinese
        case .traditionalChinese: text.inTraditionalChinese
        case .korean: text.inKorean
        case .german: text.inGerman
        case .french: text.inFrench
        case .spanish: text.inSpanish
        case .portuguese: text.inPortuguese
        }
    }

    /// The one in which a page for this locale can be written, by the same rule as a paywall's locale.
    init?(for locale: LocaleCode) {
        guard let language = locale.first(where: { PageLanguage(rawValue: $0.rawValue) }) else { return nil }
        self = language
    }
}
