// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Locales", .timeLimit(.minutes(1)))
struct LocaleCodeTests {
    @Test(
        "have one canonical form",
        arguments: [
            ("EN", "en"), ("en_us", "en-US"), ("En-uS", "en-US"), ("zh_hant_tw", "zh-Hant-TW"), ("ZH-HANS", "zh-Hans"),
            ("es_419", "es-419"),
            ("en-US-POSIX", "en-US-posix"), ("gsw", "gsw"),
            ("abcdefgh-12345678-12345678-12345678", "abcdefgh-12345678-12345678-12345678"),
        ])
    func canonical(text: String, code: String) {
        #expect(LocaleCode(rawValue: text)?.rawValue == code)
    }

    @Test(
        "are refused with a stable code if they are not valid",
        arguments: [
            "", "e", "-", "en-", "_US", "en--US", "en US", "en.UTF-8", "en@x", "日本", "12", "é1", "en-\u{0}", "abcdefghi",
            "abcdefgh-12345678-12345678-123456789", String(repeating: "en-", count: 100_000),
        ])
    func refused(text: String) throws {
        let refusal = #expect(throws: LocaleRefusal.self) { try LocaleCode.canonical(text) }

        #expect(refusal?.code == .invalidLocale)
    }

    @Test("that were not requested are nil")
    func none() throws {
        #expect(try LocaleCode.canonical(nil) == nil)
    }

    @Test(
        "of devices may carry more than a locale",
        arguments: [
            ("en_US", "en", "US"), ("ja_JP@calendar=japanese", "ja", "JP"), ("de_DE.UTF-8", "de", "DE"),
            ("zh-Hans-CN", "zh", "CN"),
            ("es-419", "es", "419"), ("fr", "fr", nil), ("ja-u-ca-japanese", "ja", nil), ("zh-Hant-HK-x-a", "zh", "HK"),
        ] as [(String, String, String?)])
    func device(text: String, language: String, region: String?) {
        let code = LocaleCode(deviceLocale: text)

        #expect(code?.language == language)
        #expect(code?.region == region)
    }
}

@Suite("Scripts of locales", .timeLimit(.minutes(1)))
struct LocaleScriptTests {
    @Test(
        "are the written one, or the one that language and region imply",
        arguments: [
            ("zh-Hant", "Hant"), ("zh_hans_TW", "Hans"), ("zh-TW", "Hant"), ("zh-HK", "Hant"), ("zh-MO", "Hant"), ("zh-CN", "Hans"),
            ("zh", "Hans"), ("sr", "Cyrl"), ("sr-ME", "Latn"), ("sr-Latn", "Latn"), ("en-US", nil), ("ja", nil),
        ] as [(String, String?)])
    func script(text: String, script: String?) {
        #expect(LocaleCode(rawValue: text)?.script == script)
    }
}

@Suite("Paywalls in locales", .timeLimit(.minutes(1)))
struct PaywallLocaleTests {
    @Test(
        "The exact locale wins, then its script, then its language, then the default",
        arguments: [
            ("pt-BR", "pt-BR"), ("PT_br", "pt-BR"), ("pt-PT", "pt"), ("pt", "pt"), ("en-GB", "en"), ("fr", "en"), (nil, "en"),
            ("zh-Hant-TW", "zh-Hant"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant-HK"), ("zh_hant_hk", "zh-Hant-HK"),
            ("zh-MO", "zh-Hant"), ("zh-Hans-CN", "en"), ("zh-CN", "en"), ("zh-Hans-TW", "en"), ("zh", "en"),
            ("sr-Latn-RS", "sr-Latn"), ("sr-ME", "sr-Latn"), ("sr-RS", "sr"), ("sr-Cyrl", "sr"), ("sr-Latn", "sr-Latn"),
        ] as [(String?, String)])
    func found(asked: String?, found: String) throws {
        let configuration = try Configuration(
            yaml: Sample.base.replacing(
                "default: { products: [yearly] }",
                with: """
                    default: { products: [yearly, monthly], defaultLocale: EN, remoteConfig: {
                        en: { t: en }, pt: { t: pt }, pt_BR: { t: pt-BR }, zh-Hant: { t: zh-Hant }, zh-Hant-HK: { t: zh-Hant-HK },
                        sr: { t: sr }, sr-Latn: { t: sr-Latn } } }
                    """)
        )

        let paywall = configuration.paywalls[0].rendered(for: asked.flatMap { LocaleCode(rawValue: $0) })

        #expect(
            paywall
                == WirePaywall(
                    name: PaywallID("default"), variationId: VariationID("default"),
                    remoteConfig: .init(locale: found, value: .object(["t": .string(found)])),
                    productIds: ["yearly", "monthly"]
                ))
    }

    @Test(
        "Chinese is never read in the other script; a paywall in plain 'zh' serves both",
        arguments: [("zh-TW", "zh-Hans", "en"), ("zh-CN", "zh-Hant", "en"), ("zh-TW", "zh", "zh"), ("zh-CN", "zh", "zh"), ("zh", "zh-Hans", "zh-Hans"), ("zh-Hant-TW", "zh-TW", "zh-TW")])
    func scripts(asked: String, there: String, found: String) throws {
        let configuration = try Configuration(
            yaml: Sample.base.replacing(
                "default: { products: [yearly] }",
                with: "default: { defaultLocale: en, remoteConfig: { en: {}, \(there): {} } }"))

        let paywall = configuration.paywalls[0].rendered(for: LocaleCode(rawValue: asked))

        #expect(paywall.remoteConfig?.locale == found)
    }

    @Test("A paywall without remote config has none in any locale")
    func none() throws {
        let paywall = try Sample.configuration().paywalls[0]

        #expect(paywall.rendered(for: LocaleCode(rawValue: "en")).remoteConfig == nil)
        #expect(paywall.rendered(for: nil).productIds == ["yearly"])
    }
}
