// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Money in the console", .timeLimit(.minutes(1)))
struct MoneyTests {
    private static let space = "\u{A0}"

    @Test(
        "has the symbol and the decimals of its currency, as the language writes them",
        arguments: [
            (1_234_567, "USD", "$1,234.57", "$1,234.57", "US$1,234.57"), (1_234_500, "JPY", "¥1,235", "¥1,235", "JP¥1,235"),
            (25_000, "CNY", "CN¥25.00", "元\(space)25.00", "¥25.00"), (9_990, "EUR", "€9.99", "€9.99", "€9.99"),
            (1_500_000, "KRW", "₩1,500", "₩1,500", "₩1,500"), (12_300, "AUD", "A$12.30", "A$12.30", "AU$12.30"),
            (12_000, "CHF", "CHF\(space)12.00", "CHF\(space)12.00", "CHF\(space)12.00"),
            (1_234, "KWD", "KWD\(space)1.234", "KWD\(space)1.234", "KWD\(space)1.234"),
        ] as [(Int64, String, String, String, String)])
    func languages(milliunits: Int64, currency: String, english: String, japanese: String, chinese: String) {
        #expect(Language.english.money(milliunits, currency) == english)
        #expect(Language.japanese.money(milliunits, currency) == japanese)
        #expect(Language.chinese.money(milliunits, currency) == chinese)
    }

    @Test(
        "is rounded half away from zero, and a minus stands before it all; what rounds to nothing has none",
        arguments: [
            (0, "$0.00"), (4, "$0.00"), (5, "$0.01"), (-4, "$0.00"), (-5, "−$0.01"), (-12_005, "−$12.01"), (999_995, "$1,000.00"), (90, "$0.09"),
            (Int64.max, "$9,223,372,036,854,775.81"), (Int64.min, "−$9,223,372,036,854,775.81"),
        ] as [(Int64, String)])
    func rounding(milliunits: Int64, text: String) { #expect(Language.english.money(milliunits, "USD") == text) }

    @Test("without minor units is whole", arguments: [(499, "¥0"), (500, "¥1"), (-1_500, "−¥2"), (120_000, "¥120")] as [(Int64, String)])
    func whole(milliunits: Int64, text: String) { #expect(Language.english.money(milliunits, "JPY") == text) }
}
