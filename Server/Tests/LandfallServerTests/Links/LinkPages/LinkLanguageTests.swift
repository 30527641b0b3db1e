// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Testing

@testable import LandfallRules

@Suite("A link's page in the visitor's language", .timeLimit(.minutes(1)))
struct LinkLanguageTests {
    private static let go = "https://go.example.com"
    private static let arabic = PageText.allCases.map { "\($0.rawValue): \"نص {app} <\($0.rawValue)>\"" }.joined(separator: ", ")
    private static let pages = """
        linkPages:
          preview: { description: Everything for the sea, locales: { ja: { title: 海, description: "海の<すべて>" } } }
          texts:
            ja: { app: 例, web: "ウェブ & {app}" }
            ar: { \(arabic) }
        links:
          - url: https://go.example.com/sale
            to: https://example.com/sale
            ios: [app, store]
            pasteboard: true
            code: true
            preview:
              title: Sale
              image: https://example.com/sale.png
              locales:
                zh-Hant: { title: 特賣 }
                zh-HK: { title: 減價, image: https://example.com/hk.png }
                ja: { title: "セール\\"><b>" }

        """

    private func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        let yaml = TestServer.brandApp + """
            keys: [{ sdk: pk_test }]
            paywalls: { default: {} }
            placements: { onboarding: [{ audience: everyone, paywall: default }] }
            domains: { brand: [{ host: go.example.com, paths: [/own/*] }], universal: [example.com] }

            """ + Self.pages
        try await TestServer.run(configuration: try Configuration(yaml: yaml, environment: { _ in nil }), body)
    }

    private func browser(_ language: String?, userAgent: String = Browser.safari) -> Browser {
        var browser = Browser(userAgent: userAgent)
        browser.headers[.acceptLanguage] = language
        return browser
    }

    @Test("says its language and direction, and that it depends on the field")
    func language() async throws {
        try await run { server in
            for (field, language, direction, label) in [
                (nil, "en", "ltr", "Open in Example &amp; Co"), ("ja-JP,en;q=0.5", "ja", "ltr", "例 で開く"),
                ("zh-TW", "zh-Hant", "ltr", "在 Example &amp; Co 中開啟"), ("zh-CN", "zh-Hans", "ltr", "在 Example &amp; Co 中打开"),
                ("ko", "ko", "ltr", "Example &amp; Co에서 열기"), ("de-AT", "de", "ltr", "In Example &amp; Co öffnen"),
                ("fr", "fr", "ltr", "Ouvrir dans Example &amp; Co"), ("es-MX", "es", "ltr", "Abrir en Example &amp; Co"),
                ("pt-BR", "pt", "ltr", "Abrir em Example &amp; Co"),
                ("ar-EG,en", "ar", "rtl", "نص Example &amp; Co &lt;openApp&gt;"),
            ] {
                let answer = try await browser(field).open(Self.go + "/sale", in: server)

                #expect(answer.status == 200)
                #expect(answer.body.hasPrefix("<!doctype html><html lang=\"\(language)\" dir=\"\(direction)\">"), "\(field ?? "-")")
                #expect(answer.body.contains(">\(label)</a>"), "\(field ?? "-")")
                #expect(answer.headers[.vary] == "Accept-Language")
                #expect(answer.headers[.cacheControl] == "no-store")
                // No sentence of another language is left over.
                let isEnglish = answer.body.contains("Type this code") || answer.body.contains("If you install")
                #expect(isEnglish == (language == "en"))
            }
        }
    }

    @Test("helps in that language too, whatever happened", arguments: ["/nothing", "/a/../b"])
    func help(path: String) async throws {
        try await run { server in
            let answer = try await browser("ja").send(path, host: "go.example.com", to: server)

            #expect(answer.body.hasPrefix("<!doctype html><html lang=\"ja\" dir=\"ltr\">"))
            #expect(answer.body.contains("例 のサイトへ"))
            #expect(answer.headers[.vary] == "Accept-Language")
            // The reason of a refusal is a sentence for the one who wrote the link.
            #expect(answer.body.contains("<p lang=\"en\" dir=\"ltr\">") == (path == "/a/../b"))
        }
    }

    @Test(
        "is previewed in that language; what a locale leaves out comes from the link, then from linkPages",
        arguments: [
            (nil, "Sale", "Everything for the sea", "sale.png"), ("zh-TW", "特賣", "Everything for the sea", "sale.png"),
            ("zh-HK", "減價", "Everything for the sea", "hk.png"), ("zh-CN", "Sale", "Everything for the sea", "sale.png"),
            ("ja", "セール\"><b>", "海の<すべて>", "sale.png"), ("fr,ja;q=0.5", "Sale", "Everything for the sea", "sale.png"),
        ] as [(String?, String, String, String)])
    func preview(field: String?, title: String, description: String, image: String) async throws {
        try await run { server in
            let answer = try await browser(field, userAgent: Browser.slack).open(Self.go + "/sale", in: server)

            #expect(answer.meta("og:title") == title)
            #expect(answer.meta("og:description") == description)
            #expect(answer.meta("og:image") == "https://example.com/" + image)
            #expect(!answer.body.contains("<b>"))
            #expect(!answer.body.contains("<すべて>"))
        }
    }

    @Test("A link without a preview has that of linkPages, and the app's name in that language")
    func usualPreview() async throws {
        try await run { server in
            let japanese = try await browser("ja", userAgent: Browser.slack).open(Self.go + "/own/7", in: server)
            let other = try await browser("ko", userAgent: Browser.slack).open(Self.go + "/own/7", in: server)

            #expect(japanese.meta("og:title") == "海")
            #expect(other.meta("og:title") == "Example & Co")
            #expect(other.meta("og:description") == "Everything for the sea")
        }
    }

    @Test("is never another visitor's language: no page is kept")
    func notKept() async throws {
        try await run { server in
            for language in ["ja", "de", "ja", "ar"] {
                let answer = try await browser(language).open(Self.go + "/sale", in: server)
                #expect(answer.body.contains("<html lang=\"\(language)\""))
            }
        }
    }

    @Test(
        "A mistake of linkPages is reported at its place",
        arguments: [
            ("linkPages: { texts: { ja: { webb: x } } }", "10:29: 'ja' has no 'webb'. Did you mean 'web'?"),
            (
                "linkPages: { texts: { ja: { web: \"{name}\" } } }",
                "10:34: 'web' has braces that stay as they are: only '{app}' is replaced. Remove or correct them."
            ),
            ("linkPages: { texts: { japanese_x_yyyyyyyyy: {} } }", "10:23: 'japanese_x_yyyyyyyyy' is not a locale. Write one such as en or pt-BR."),
            (
                "linkPages: { texts: { pt-BR: {}, pt_br: {} } }",
                "10:34: The locale 'pt-BR' is here a second time; the first is in line 10. Keep one of them."
            ),
            ("linkPages: { preview: { locales: { ja: { image: \"http://a.example/\" } } } }",
             "10:49: 'image' is not https, so messengers would not show it. Write an https address."),
        ])
    func mistake(addition: String, problem: String) {
        #expect(Sample.problems(adding: addition + "\n") == [problem])
    }

    @Test("A language that the server does not bring along needs all texts, so that no page mixes two")
    func incomplete() {
        let problems = Sample.problems(adding: "linkPages: { language: it, texts: { it: { web: Sito } } }\n")

        #expect(problems.count == PageText.allCases.count { $0.standIn == nil } - 1)
        #expect(problems.allSatisfy { $0.contains("'it' needs '") })
        let unknown = Sample.problems(adding: "linkPages: { language: it }\n")
        #expect(unknown.count == 1)
        #expect(unknown[0].hasPrefix("10:24: 'language' is not a language of the pages."))
    }
}
