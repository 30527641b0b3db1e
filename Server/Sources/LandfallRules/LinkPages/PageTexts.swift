// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// All texts of a page in one language.
package struct PageTexts: Hashable, Sendable {
    /// What a team wrote for one locale: these win over the server's texts.
    struct Own: Hashable, Sendable {
        /// The app's name in this language; nil is `app.name`.
        var app: String?
        var texts: [PageText: String] = [:]

        func completed(with other: Own) -> Own {
            Own(app: app ?? other.app, texts: texts.merging(other.texts) { own, _ in own })
        }
    }

    package let locale: LocaleCode
    package let app: String
    private let own: [PageText: String]
    private let language: PageLanguage?

    /// - Parameter name: the app's name where the language has none of its own.
    init(_ locale: LocaleCode, own: Own = Own(), app name: String) {
        self.locale = locale
        app = own.app ?? name
        self.own = own.texts
        language = PageLanguage(for: locale)
    }

    package subscript(_ text: PageText) -> String {
        // The configuration has every text of a language that the server does not bring along, or the one that stands in for it.
        let words = own[text] ?? language?.words(of: text) ?? text.standIn.flatMap { own[$0] } ?? text.inEnglish
        return words.replacing("{app}", with: app)
    }

    /// The value of `dir`.
    package var direction: String {
        let isRightToLeft = locale.script.map { Self.scripts.contains($0) } ?? Self.languages.contains(locale.language)
        return isRightToLeft ? "rtl" : "ltr"
    }

    private static let scripts: Set = ["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]
    /// Languages that are written in such a script if the locale names none.
    private static let languages: Set = ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "nqo", "ps", "syr", "ur", "yi", "ji"]
}

/// The `linkPages` of a configuration.
package struct LinkPageSettings: Hashable, Sendable {
    /// For visitors who accept none of the languages.
    var language = PageLanguage.english.locale
    /// What a link's own preview leaves out.
    package var preview = LinkPreview()
    var texts: [LocaleCode: PageTexts.Own] = [:]

    package init() {}
}

/// The languages in which pages can be written: the server's and the configuration's.
package struct PageLanguages: Sendable {
    /// For visitors who accept none of the languages.
    package let usual: (texts: PageTexts, wanted: LocaleCode)
    private let texts: [LocaleCode: PageTexts]

    /// - Parameter name: the app's name.
    package init(_ settings: LinkPageSettings, app name: String) {
        let usual = settings.language
        let brought = PageLanguage.allCases.map(\.locale)
        var texts: [LocaleCode: PageTexts] = [:]
        for locale in brought + settings.texts.keys + [usual] where texts[locale] == nil {
            let own = settings.texts[locale] ?? PageTexts.Own()
            // Texts that `pt-BR` lacks come from the team's `pt`, then from the server's texts.
            let wider = locale.first { $0 == locale ? nil : settings.texts[$0] } ?? PageTexts.Own()
            texts[locale] = PageTexts(locale, own: own.completed(with: wider), app: name)
        }
        self.texts = texts
        self.usual = (texts[usual] ?? PageTexts(usual, app: name), usual)
    }

    /// The texts for a visitor, and the locale for which they were chosen: previews follow it.
    package func chosen(by accepted: AcceptedLanguages) -> (texts: PageTexts, wanted: LocaleCode) {
        for case let locale? in accepted.locales.prefix(while: { $0 != nil }) {
            if let found = locale.first(where: { texts[$0] }) { return (found, locale) }
        }
        return usual
    }
}
