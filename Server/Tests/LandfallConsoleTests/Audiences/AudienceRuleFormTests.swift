// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Testing

@testable import LandfallConsole

@Suite("The fields of a rule", .timeLimit(.minutes(1)))
struct AudienceRuleFormTests {
    private static let text = """
        attributes: { plan: string, sessions: number, since: date, adult: boolean }
        accessLevels: [premium]
        segments: { german: { country: { is: DE } } }
        audiences: { x: RULE }
        """

    private static func markup(_ rule: String, _ language: Language = .english) throws -> String {
        let document = try #require(ConfigurationDocument(number: 1, text: text.replacing("RULE", with: rule)))
        let node = try #require(document.entry("audiences", "x")), read = try #require(AudienceRule(node))
        let choices = AttributeChoices(document)
        let form = AudienceRuleForm(
            frame: .sample(.owner, language), forms: ConfigurationForms(base: 1), rule: read, choices: choices,
            suggestions: AudienceSuggestions(for: read, in: document, choices))
        return form.html.markup
    }

    /// The names of a choice's options, by their values.
    private static func options(_ id: String, in markup: String) throws -> [String: String] {
        let start = try #require(markup.firstRange(of: "<select id=\"\(id)\"")).upperBound
        let end = try #require(markup[start...].firstRange(of: "</select>")).lowerBound
        let found = markup[start..<end].matches(of: /<option value="([^"]*)"[^>]*>([^<]*)</).map { (String($0.output.1), String($0.output.2)) }
        return Dictionary(found) { first, _ in first }
    }

    @Test("Every attribute is offered once, in a group and in the words of the reader, with its id beside it", arguments: Language.allCases)
    func attributes(language: Language) throws {
        let markup = try Self.markup("{ country: { is: DE } }", language), options = try Self.options("attribute.0", in: markup)
        let known = AudienceAttribute.allCases.map(\.rawValue)
        let levels = ["access.premium", "access.premium.state", "access.premium.willRenew", "access.premium.isTrial", "access.premium.endDate"]
        let own = ["plan", "sessions", "since", "adult"].map { "attributes." + $0 }

        #expect(Set(options.keys) == Set(known + levels + own + ["segment", "share"]))
        #expect(markup.ranges(of: "<optgroup").count == 8 && markup.ranges(of: "value=\"country\" selected").count == 1)
        for id in known + levels {
            let name = Words(language).name(ofAttribute: id)
            #expect(options[id] == name.replacing("'", with: "&#39;") + " – " + id && name != id, "\(id)")
        }
        #expect(Set(known.map { Words(language).name(ofAttribute: $0) }).count == known.count)
    }

    @Test(
        "Each attribute has the operators of its type",
        arguments: [
            ("country: { is: DE }", ["is", "isNot", "in", "notIn", "exists", "missing"]),
            ("attributes.plan: { is: a }", ["is", "isNot", "in", "notIn", "exists", "missing", "startsWith", "endsWith", "contains"]),
            ("attributes.sessions: { is: 1 }", ["is", "isNot", "in", "notIn", "exists", "missing", "&lt;", "&lt;=", "&gt;", "&gt;=", "between"]),
            ("attributes.adult: { is: true }", ["is", "isNot", "exists", "missing"]),
            ("install.date: { within: 7d }", ["&lt;", "&lt;=", "&gt;", "&gt;=", "between", "within", "olderThan", "exists", "missing"]),
            ("purchases.products: { anyOf: [a] }", ["anyOf", "allOf", "noneOf", "exists", "missing"]),
        ])
    func operators(rule: String, expected: [String]) throws {
        #expect(Set(try Self.options("operation.0", in: Self.markup("{ \(rule) }")).keys) == Set(expected))
    }

    @Test("Every operator has words in every language, of dates others than of numbers", arguments: Language.allCases)
    func words(language: Language) {
        let words = Words(language), names = ConditionOperator.allCases.filter { $0 != .share }.map(\.rawValue) + ["missing"]
        let said = names.map { words.operation($0, of: .number) }

        #expect(Set(said).count == names.count)
        if language != .english { #expect(Set(said).isDisjoint(with: names)) }
        for name in ["<", "<=", ">", ">="] { #expect(words.operation(name, of: .date) != words.operation(name, of: .number)) }
    }

    @Test("A flag and a segment are chosen, a share has its ends, and a value that nobody needs has no field")
    func values() throws {
        let markup = try Self.markup(
            "{ any: [{ testDevice: { is: false } }, { segment: german }, { share: { of: half, to: 50% } }, { language: { exists: false } }] }")

        #expect(try Self.options("value.0", in: markup) == ["true": "Yes", "false": "No"] && markup.contains("<option value=\"false\" selected>"))
        #expect(try Self.options("value.1", in: markup) == ["german": "german"])
        #expect(["value.2", "from.2", "to.2"].allSatisfy { markup.contains("<input id=\"\($0)\"") })
        #expect(markup.contains("<option value=\"missing\" selected>") && !markup.contains("id=\"value.3\""))
    }

    @Test("Each control has a label, a place of its own and an id of its own")
    func labels() throws {
        let markup = try Self.markup("{ country: { is: DE }, any: [{ language: { is: ja } }, { not: { platform: { is: ios } } }] }")
        let ids = markup.matches(of: /\ id="([^"]*)"/).map { String($0.output.1) }

        #expect(Set(ids).count == ids.count)
        for id in ids where id.contains(/^(attribute|operation|value|group)/) && !markup.contains("<datalist id=\"\(id)\"") {
            #expect(markup.contains("<label for=\"\(id)\""), "\(id)")
        }
        #expect(markup.contains("aria-label=\"Condition 2.2.1\"") && markup.contains("aria-label=\"Move Group 2.2 up\""))
    }

    @Test("A long rule stays small: each choice has the group of its attribute only")
    func long() throws {
        let few = try Self.markup("{ any: [" + (0..<12).map { "{ country: { is: c\($0) } }" }.joined(separator: ", ") + "] }")
        let many = try Self.markup("{ any: [" + (0..<59).map { "{ country: { is: c\($0) } }" }.joined(separator: ", ") + "] }")

        #expect(few.utf8.count < 70_000 && many.utf8.count < 160_000)
        #expect(try Self.options("attribute.5", in: many).count == 8 && Self.options("attribute.5", in: few).count > 40)
    }

    @Test("What the file has is escaped")
    func escaped() throws {
        let markup = try Self.markup("{ country: { is: \"<b>\" } }")

        #expect(markup.contains("value=\"&lt;b&gt;\"") && !markup.contains("<b>"))
    }
}
