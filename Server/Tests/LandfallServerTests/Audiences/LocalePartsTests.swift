// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Locales in audiences", .timeLimit(.minutes(1)))
struct LocalePartsTests {
    @Test(
        "A rule's locale includes each locale that has all parts that the rule names",
        arguments: [
            ("zh-Hant", ["zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-US"], ["zh", "zh-CN", "zh-SG", "zh-Hans", "zh-Hans-HK", "en-TW"]),
            ("zh-Hans", ["zh", "zh-CN", "zh-SG", "zh-Hans-HK"], ["zh-TW", "zh-Hant-CN"]),
            ("zh-TW", ["zh-TW", "zh-Hant-TW"], ["zh-Hans-TW", "zh-HK"]), ("zh", ["zh-TW", "zh-CN", "zh"], ["ja"]),
            ("en", ["en", "en-US", "en-GB"], ["de-US"]), ("en-US", ["en-US"], ["en", "en-GB"]),
            ("sr-Latn", ["sr-Latn-RS"], ["sr-Cyrl-RS", "sr-RS"]), ("es-419", ["es-419"], ["es-MX", "es"]),
            ("pt-BR", ["pt_br", "pt-BR-u-ca"], ["pt-PT", "br-PT"]),
        ])
    func includes(asked: String, those: [String], others: [String]) {
        let rule = Condition.text(.locale, .isEqual, asked)
        func holds(_ locale: String) -> Bool { rule.evaluate(.sample { $0.locale = locale }) == .yes }

        #expect(those.filter { !holds($0) } == [])
        #expect(others.filter(holds) == [])
    }
}
