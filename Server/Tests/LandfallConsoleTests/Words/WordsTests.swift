// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Words, numbers and times of the languages", .timeLimit(.minutes(1)))
struct WordsTests {
    @Test(
        "The language is the first that the browser accepts",
        arguments: [
            (nil, .english), ("ja", .japanese), ("zh-CN,zh;q=0.9,en;q=0.8", .chinese), ("fr, ja;q=0.5, en;q=0.7", .english),
            ("de", .english), ("ja;q=0, zh", .chinese), ("ja;q=x", .english), (String(repeating: ",", count: 5_000), .english),
        ] as [(String?, Language)])
    func language(field: String?, language: Language) { #expect(Language(accepting: field) == language) }

    @Test("Counts have commas, shares one decimal below ten percent, and a true minus sign")
    func numbers() {
        let english = Language.english

        #expect([0, 999, 1_000, -1_234_567].map { english.count($0) } == ["0", "999", "1,000", "−1,234,567"])
        #expect([0, 0.048, 0.0995, 0.52, -0.031, -1].map { english.share($0) } == ["0 %", "4.8 %", "10 %", "52 %", "−3.1 %", "−100 %"])
        #expect(Language.japanese.share(0.52) == "52%")
        #expect([0, 8, 564, 9_994, 9_995, 12_340, 99_949, 99_950, 1_234_000].map { english.seconds($0) } == ["0.00 s", "0.01 s", "0.56 s", "9.99 s", "10.0 s", "12.3 s", "99.9 s", "100 s", "1,234 s"])
        #expect(Language.chinese.seconds(564) == "0.56 秒" && english.seconds(.infinity) == "–")
        #expect(english.share(.nan) == "–")
    }

    @Test(
        "Instants are those of the calendar, in UTC; one outside the years 1 to 9999 is shown as the nearest",
        arguments: [
            (0, "1970-01-01 00:00"), (1_709_164_800_000, "2024-02-29 00:00"), (1_795_300_000_000, "2026-11-21 22:26"),
            (-1, "1969-12-31 23:59"), (.max, "9999-12-31 23:59"), (.min, "1-01-01 00:00"),
        ] as [(Int64, String)])
    func instants(milliseconds: Int64, text: String) { #expect(Language.english.instant(milliseconds) == text) }

    @Test(
        "The origins that phones report have words in every language; another one stays as it is",
        arguments: ["matchingAudience", "defaultAudience", "cache", "bundled"])
    func origins(name: String) {
        #expect(Set(Language.allCases.map { Words($0).origin(name) }).subtracting([name]).count == Language.allCases.count)
        #expect(Words(.english).origin("toaster") == "toaster")
    }

    @Test("The platform that is an iPad or a Mac has a name; another one stays as it is", arguments: Language.allCases)
    func platforms(language: Language) {
        let name = Words(language).value("ipad or mac", of: "platform")

        #expect(name.contains("iPad") && name.contains("Mac"))
        #expect(Words(language).value("ios", of: "platform") == "ios")
    }

    @Test("Days are written as the language does")
    func days() { #expect(Language.allCases.map { $0.day("2026-11-02") } == ["2 Nov", "11月2日", "11月2日"]) }

    @Test("A page writes instants by the clock of its zone, times of today without the date, and days of another year with the year")
    func clock() {
        let nowMs: Int64 = 1_795_300_000_000
        let clock = PageClock(zone: "Europe/Helsinki", nowMs: nowMs) { _ in 2 * 3_600_000 }
        let all = Language.allCases.map { language in
            var words = Words(language)
            words.clock = clock
            return words
        }

        #expect(all[0].instant(nowMs) == "2026-11-22 00:26")
        #expect(all[0].instant(.max) == "9999-12-31 23:59" && all[0].instant(.min) == "1-01-01 02:00")
        #expect(all[0].completeTo(nowMs) == "Complete to 00:26 Europe/Helsinki")
        #expect(all[0].completeTo(nowMs - 3_600_000) == "Complete to 2026-11-21 23:26 Europe/Helsinki")
        #expect(all.map { $0.day("2026-11-02") } == ["2 Nov", "11月2日", "11月2日"])
        #expect(all.map { $0.day("2025-11-02") } == ["2 Nov 2025", "2025年11月2日", "2025年11月2日"])
        #expect(all.allSatisfy { $0.timesNote.contains("Europe/Helsinki") })
    }
}
