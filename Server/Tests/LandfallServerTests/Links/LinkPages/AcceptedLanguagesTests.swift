// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("The languages that a visitor accepts", .timeLimit(.minutes(1)))
struct AcceptedLanguagesTests {
    static let fields: [(field: String?, locales: [String])] = [
        (nil, []), ("", []), (",, ,", []),
        ("ja", ["ja"]), ("de-DE,de;q=0.9,en;q=0.8", ["de-DE", "de", "en"]),
        // The best first; equal weights keep their order.
        ("en;q=0.5, ja;q=0.9, ko, fr;q=0.9", ["ko", "ja", "fr", "en"]),
        ("en;q=0.001,ja;q=0.002", ["ja", "en"]), ("en;q=1.000,ja;Q=1", ["en", "ja"]),
        // Zero is a language that is not accepted.
        ("en;q=0,ja;q=0.000", []), ("*;q=0.1,ja;q=0.2", ["ja", "*"]), ("*", ["*"]),
        ("\tzh_tw ; q=0.7 , pt-br", ["pt-BR", "zh-TW"]),
        // Parts that are not such a language are left out.
        (
            "en;q=2,ja;q=-1,ko;q=0.1234,fr;q=,es;q=.5,pt;q=1.001,nl;q=0.5;x=1,de;level=1,x,é,fi;q=0.x, <b>, sv",
            ["sv"]
        ),
    ]

    @Test("are read with their weights", arguments: fields)
    func reading(field: String?, locales: [String]) {
        #expect(AcceptedLanguages(field).locales.map { $0?.rawValue ?? "*" } == locales)
    }

    @Test("are at most 32, from the first 1,024 bytes, and no part of one counts")
    func bounds() {
        let many = (0..<200).map { "a\(Character(UnicodeScalar(97 + UInt8($0 / 26))))\(Character(UnicodeScalar(97 + UInt8($0 % 26))))" }
        #expect(AcceptedLanguages(many.joined(separator: ",")).locales.compactMap(\.?.rawValue) == Array(many.prefix(32)))

        let long = String(repeating: " ", count: 1_020) + "de-AT"
        #expect(AcceptedLanguages(long).locales == [])
        #expect(AcceptedLanguages(String(repeating: " ", count: 1_020) + "de,ja").locales.map(\.?.rawValue) == ["de"])
    }
}

@Suite("The language of a page", .timeLimit(.minutes(1)))
struct PageLanguageTests {
    private static func locale(_ text: String) -> LocaleCode { LocaleCode(rawValue: text)! }

    static let visitors: [(field: String?, language: String)] = [
        (nil, "en"), ("ja", "ja"), ("ja-JP,en;q=0.5", "ja"), ("en-GB", "en"), ("pt-BR", "pt"), ("es-419", "es"), ("fr-CA", "fr"),
        ("de-AT", "de"), ("ko-KR", "ko"),
        // Chinese by script: Taiwan, Hong Kong and Macau write the traditional one.
        ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"), ("zh-Hant-HK", "zh-Hant"), ("zh-Hans-HK", "zh-Hans"),
        // A language without texts is passed over; any language is the usual one.
        ("nb, it;q=0.9, ko;q=0.1", "ko"), ("nb", "en"), ("nb,*;q=0.5,ja;q=0.1", "en"), ("en;q=0,ja;q=0.5", "ja"),
    ]

    @Test("is the best that the visitor accepts", arguments: visitors)
    func chosen(field: String?, language: String) {
        let languages = PageLanguages(LinkPageSettings(), app: "Example")

        #expect(languages.chosen(by: AcceptedLanguages(field)).texts.locale.rawValue == language)
    }

    @Test("has every text, with the app's name where the text has it", arguments: PageLanguage.allCases)
    func whole(language: PageLanguage) {
        let texts = PageTexts(language.locale, app: "Example & Co")

        for text in PageText.allCases {
            #expect(!texts[text].isEmpty)
            #expect(!texts[text].contains("{"), "\(text)")
            #expect(language == .english || texts[text] != language.words(of: text) || texts[text] != text.inEnglish)
        }
        for text in [PageText.openApp, .appStore, .googlePlay, .home, .expiredText] {
            let isNamed = texts[text].contains("Example & Co")
            #expect(isNamed, "\(language) \(text)")
        }
        #expect(language == .english || PageText.allCases.allSatisfy { language.words(of: $0) != $0.inEnglish })
    }

    @Test("is written in its direction")
    func direction() {
        func direction(_ text: String) -> String { PageTexts(Self.locale(text), app: "").direction }

        #expect(["ar", "he-IL", "fa", "ur-PK", "az-Arab", "az-IR", "ps", "dv", "ug"].allSatisfy { direction($0) == "rtl" })
        #expect(["en", "ja", "az", "ar-Latn", "zh-TW", "ku"].allSatisfy { direction($0) == "ltr" })
    }

    @Test("may be the team's own, whose texts win; a region has the language's texts")
    func own() {
        var settings = LinkPageSettings()
        settings.texts = [
            Self.locale("pt"): .init(app: "Exemplo", texts: [.web: "Na web", .home: "Início"]),
            Self.locale("pt-BR"): .init(texts: [.web: "No site de {app}"]),
        ]
        let languages = PageLanguages(settings, app: "Example")
        func texts(_ field: String) -> PageTexts { languages.chosen(by: AcceptedLanguages(field)).texts }

        #expect(texts("pt-BR").locale.rawValue == "pt-BR")
        #expect(texts("pt-BR")[.web] == "No site de Exemplo")
        #expect(texts("pt-BR")[.home] == "Início")
        #expect(texts("pt-BR")[.scan] == PageText.scan.inPortuguese)
        #expect(texts("pt-PT")[.web] == "Na web")
    }
}
