// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("Locales that are looked for", .timeLimit(.minutes(1)))
struct LocaleFallbackTests {
    @Test(
        "are the exact one, then its script, then its language",
        arguments: [
            ("en", ["en"]), ("en-US", ["en-US", "en"]), ("pt-BR", ["pt-BR", "pt"]), ("es-419", ["es-419", "es"]),
            ("gsw-CH", ["gsw-CH", "gsw"]), ("de-CH-1996", ["de-CH-1996", "de-CH", "de"]),
            ("en-US-u-ca-japanese", ["en-US-u-ca-japanese", "en-US-u-ca", "en-US-u", "en-US", "en"]),
            ("en-Latn-US", ["en-Latn-US", "en-Latn", "en"]),
            ("zh", ["zh", "zh-Hans"]), ("zh-Hans", ["zh-Hans", "zh"]), ("zh-Hant", ["zh-Hant", "zh"]),
            ("zh-CN", ["zh-CN", "zh-Hans-CN", "zh-Hans", "zh"]), ("zh-SG", ["zh-SG", "zh-Hans-SG", "zh-Hans", "zh"]),
            ("zh-TW", ["zh-TW", "zh-Hant-TW", "zh-Hant", "zh"]), ("zh-HK", ["zh-HK", "zh-Hant-HK", "zh-Hant", "zh"]),
            ("zh-MO", ["zh-MO", "zh-Hant-MO", "zh-Hant", "zh"]),
            ("zh-Hant-TW", ["zh-Hant-TW", "zh-TW", "zh-Hant", "zh"]), ("zh-Hans-CN", ["zh-Hans-CN", "zh-CN", "zh-Hans", "zh"]),
            ("zh-Hant-CN", ["zh-Hant-CN", "zh-Hant", "zh"]), ("zh-Hans-TW", ["zh-Hans-TW", "zh-Hans", "zh"]),
            ("sr", ["sr", "sr-Cyrl"]), ("sr-RS", ["sr-RS", "sr-Cyrl-RS", "sr-Cyrl", "sr"]),
            ("sr-ME", ["sr-ME", "sr-Latn-ME", "sr-Latn", "sr"]), ("sr-Latn", ["sr-Latn", "sr"]),
            ("sr-Latn-RS", ["sr-Latn-RS", "sr-Latn", "sr"]), ("uz-AF", ["uz-AF", "uz-Arab-AF", "uz-Arab", "uz"]),
            ("pa-PK", ["pa-PK", "pa-Arab-PK", "pa-Arab", "pa"]), ("yue-CN", ["yue-CN", "yue-Hans-CN", "yue-Hans", "yue"]),
        ])
    func order(locale: String, looked: [String]) {
        #expect(Self.looked(locale) == looked)
    }

    @Test(
        "are read in either case",
        arguments: [
            ("zh-hant-tw", ["zh-hant-tw", "zh-tw", "zh-hant", "zh"]), ("ZH-tw", ["ZH-tw", "ZH-Hant-tw", "ZH-Hant", "ZH"]),
            ("sr-latn-me", ["sr-latn-me", "sr-me", "sr-latn", "sr"]),
        ])
    func eitherCase(locale: String, looked: [String]) {
        #expect(Self.looked(locale) == looked)
    }

    @Test("are looked for until one is found")
    func first() {
        var looked: [String] = []

        let found = LocaleFallback.first(for: "zh-TW") { code in
            looked.append(code)
            return code == "zh-Hant" ? code : nil
        }

        #expect(found == "zh-Hant")
        #expect(looked == ["zh-TW", "zh-Hant-TW", "zh-Hant"])
    }

    @Test("come to an end for any text", arguments: ["", "-", "--", "-en", "en-", "en--US", "日本-JP", "a-b-c", "u-zh-TW"])
    func strange(text: String) {
        #expect(Self.looked(text).count <= text.count + 3)
    }

    @Test("A locale's parts end where its variants and extensions begin")
    func parts() {
        let parts = LocaleSubtags("ja-u-ca-japanese")

        #expect(parts.language == "ja")
        #expect(parts.script == nil)
        #expect(parts.region == nil)
        #expect(LocaleSubtags("sr-Latn-RS-x-a").region == "RS")
    }

    private static func looked(_ locale: String) -> [String] {
        var looked: [String] = []
        _ = LocaleFallback.first(for: locale) { code -> Bool? in
            looked.append(code)
            return nil
        }
        return looked
    }
}
