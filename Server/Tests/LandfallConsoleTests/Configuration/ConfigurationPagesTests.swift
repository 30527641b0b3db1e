// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Parts of the pages of the configuration", .timeLimit(.minutes(1)))
struct ConfigurationPagesTests {
    static let operations = [
        "is", "isNot", "in", "notIn", "exists", "<", "<=", ">", ">=", "between", "startsWith", "endsWith", "contains", "anyOf", "allOf",
        "noneOf", "within", "olderThan",
    ]

    @Test("Every operator of the file has a sentence of its own in every language", arguments: Language.allCases)
    func operators(language: Language) {
        let words = Words(language)
        let sentences = Self.operations.map { words.test("country", $0, "DE") }

        #expect(Set(sentences).count == Self.operations.count)
        #expect(!sentences.contains { sentence in Self.operations.contains { sentence == "country \($0) DE" } && language != .english })
        #expect(words.test("a", "exists", "false") != words.test("a", "exists", "true"))
        #expect(words.test("a", "newer", "b") == "a newer b")
    }

    @Test("A long condition ends with a mark, and what is written in it is escaped")
    func longCondition() {
        let parts = (0..<1_000).map { ConditionPart.test(attribute: "<b>", operation: "is", values: ["\($0)"]) }
        let markup = ConditionPart.any(parts).html(Words(.english)).markup

        #expect(markup.hasSuffix("<li>…</li></ul></li></ul>"))
        #expect(markup.ranges(of: "<li>").count == 401)
        #expect(ConditionPart.all([.rest]).html(Words(.english)).markup.hasSuffix("<li>…</li></ul>"))
        #expect(!markup.contains("<b>"))
    }

    @Test("A long list comes in pages, and a page behind the last one is the last one")
    func pages() {
        let names = (1...250).map { "n\($0)" }
        var all = NameFilter(text: nil, page: "9"), some = NameFilter(text: "N24", page: "0"), wrong = NameFilter(text: nil, page: "x")

        #expect(all.slice(names) { $0 }.first == "n201")
        #expect(all.page == 3 && all.pages == 3)
        #expect(some.slice(names) { $0 } == ["n24"] + (240...249).map { "n\($0)" })
        #expect(wrong.slice(names) { $0 }.count == 100)
        #expect(NameFilter(text: String(repeating: "x", count: 101), page: nil).text == "")
    }

    @Test(
        "A number below ten is told in no way",
        arguments: [(0, 0, 500), (9, 0, 500), (500, 0, 9), (100, 9, 400)])
    func small(yes: Int, unknown: Int, no: Int) {
        let words = Words(.english), sampled = yes + unknown + no
        let sample = MatchSample(
            count: MatchCount(yes: yes, unknown: unknown, no: no), sampled: sampled, isEverything: true, interval: 0...1, atMs: 0)
        let shown = [yes, unknown, no, sampled].filter { $0 > 0 }.map { sample.text($0, words) }

        #expect(shown.contains("about 500") || shown.contains("about 400"))
        #expect(shown.allSatisfy { $0.hasPrefix("about ") || $0 == "fewer than 10" })
        #expect(sample.range(words) == (yes < 10 ? nil : yes == 500 ? "about 98 %" : "about 20 %"))
    }
}
