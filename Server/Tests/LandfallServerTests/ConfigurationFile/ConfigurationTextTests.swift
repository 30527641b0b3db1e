// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("YAML is read within limits", .timeLimit(.minutes(1)))
struct ConfigurationTextTests {
    static let broken: [(text: String, problem: String)] = [
        ("", "1:1: The file is empty."),
        ("# only a comment\n", "1:1: The file is empty."),
        ("app: [\n", "2:1: This is not YAML"),
        ("app:\n\tid: a\n", "2:1: This is not YAML"),
        ("a: 1\n---\nb: 2\n", "2:1: This is not YAML"),
        ("a: *nowhere\n", "1:4: This is not YAML"),
        ("app: {}\nkeys: []\napp: {}\n", "'app' occurs more than once in this mapping"),
        ("a: \u{1}\n", "1:4: The file contains a character that YAML does not allow"),
        ("app:\n  id: \"a\\0b\"\n", "2:7: The text contains U+0000"),
        ("app:\n  <<: { id: a }\n", "2:3: Merge keys ('<<') are not supported."),
        ("app: !custom { id: a }\nb: !!int 3\n", "2:4: Tags such as"),
        ("? [a, b]\n: c\n", "1:3: A key is a list or a mapping."),
        ("a: 1\n\"a\": 2\n", "'a' occurs more than once in this mapping"),
        ("app.version:\n  >=: 2\n", "An operator that starts with '>' needs quotes"),
    ]

    @Test("Text that cannot be read is refused with its place", arguments: broken)
    func refused(text: String, problem: String) {
        let problems = Sample.problems(text)

        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
    }

    @Test("A file over 4 MiB is refused unread")
    func tooLarge() {
        let text = String(repeating: "#", count: ConfigurationText.largest + 1)

        #expect(Sample.problems(text).first?.contains("larger than 4 MiB") == true)
    }

    @Test("Endless combining marks are refused before anything compares them", arguments: ["\u{300}", #"\u0300"#])
    func marks(mark: String) {
        let text = "\"a\(String(repeating: mark, count: 31))\": 1\n"

        #expect(Sample.problems(text).contains { $0.contains("combining marks in a row") })
    }

    @Test("Nested aliases that would unfold into billions are refused at once")
    func billionLaughs() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }

        #expect(Sample.problems(text).contains { $0.contains("counting those that aliases repeat") })
    }

    /// The parser compares keys as whole trees: without the look beforehand each of these would run for ages.
    @Test(
        "Nested aliases in keys are refused before the parser sees them",
        arguments: [
            "? *a\n: 1\n", "*a : 1\n", "{ [*a, *a]: 1 }\n", "[*a] : 1\n", "- ? [*a]\n", "{? *a : 1}\n", "{ {b: *a}: 1 }\n",
            "{*a : 1}\n",
        ])
    func aliasedKeys(key: String) {
        var text = "- &a0 [x, x]\n"
        for level in 1...40 { text += "- &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        text += "- &a [*a40, *a40]\n- " + key

        #expect(Sample.problems(text).contains { $0.contains("An alias is used in a key.") })
    }

    @Test("An alias repeats a whole value")
    func alias() throws {
        let configuration = try Sample.configuration(
            """
            audiences:
              here: &here { country: { in: [US, CA] } }
              elsewhere: { not: *here }

            """)

        guard case .test(let here) = configuration.audiences[0].condition,
            case .not(.test(let elsewhere)) = configuration.audiences[1].condition
        else { Issue.record("\(configuration.audiences)"); return }
        #expect(elsewhere.operand == here.operand)
        #expect(elsewhere.path == "not.country.in")
    }

    @Test(
        "A text without aliases is never refused for its keys",
        arguments: [
            "{ [a, b]: c }", "? a\n: b", "a: 5 * 3 [x]: y ? z", "a: \"* [x] : y\"", "a: x*y ?",
        ])
    func noAliases(text: String) {
        #expect(AliasedKeys.first(in: text) == nil)
    }

    @Test(
        "Aliases beside plain keys are followed",
        arguments: ["a: &x b\nc: *x\n", "a: [&x b, *x]\n\"c\": *x\n", "a: {b: *x, c: d}"])
    func plainKeys(text: String) {
        #expect(AliasedKeys.first(in: text) == nil)
    }

    @Test("Deep nesting is refused, not followed")
    func deep() {
        let text = String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "\n"

        #expect(Sample.problems(text).contains { $0.contains("nested deeper than 64 levels") })
    }
}

@Suite("A hostile file is refused and does no harm", .timeLimit(.minutes(1)))
struct HostileConfigurationTests {
    @Test("However many mistakes there are, reading ends and lists the first")
    func manyMistakes() {
        let keys = (0..<20_000).map { "unknown\($0): { is: 1 }" }.joined(separator: ", ")
        let problems = Sample.problems(adding: "audiences: { a: { \(keys) } }\n")

        #expect(problems.count == ConfigurationReader.mostProblems)
        #expect(problems.first?.hasPrefix("10:19: 'unknown0' is not an attribute of audiences.") == true)
    }

    @Test(
        "Lists that are much too long are refused as a whole",
        arguments: [
            (
                "paywalls", "p: { products: [\((0...100).map { "p\($0)" }.joined(separator: ", "))] }",
                "'products' has 101 elements; at most 100 fit."
            ),
            (
                "domains", "brand: [\((0...100).map { "a\($0).example" }.joined(separator: ", "))]",
                "'brand' has 101 elements; at most 100 fit."
            ),
            (
                "paywalls",
                "p: { remoteConfig: { \((100...300).map { "en-\($0): 1" }.joined(separator: ", ")) } }",
                "'remoteConfig' has 201 locales; at most 200 fit."
            ),
        ])
    func tooMany(section: String, value: String, problem: String) {
        let problems = Sample.problems("\(section): { \(value) }\n")

        #expect(problems.contains { $0.contains(problem) })
    }

    @Test(
        "Long keys, deep conditions and files of brackets end soon",
        arguments: [
            "audiences: { a: " + String(repeating: "{ not: ", count: 60) + "{}" + String(repeating: "}", count: 60) + " }\n",
            String(repeating: "x", count: 2_000_000) + ": 1\n",
            String(repeating: "[", count: 1_000_000),
            String(repeating: "{a: ", count: 500_000),
            String(repeating: "- ", count: 1_000_000),
            String(repeating: "a: ", count: 500_000),
            String(repeating: "? ", count: 500_000),
            String(repeating: "\"", count: 1_000_001),
            String(repeating: "&a ", count: 500_000),
            "a: [" + String(repeating: "*b, ", count: 500_000) + "]",
        ])
    func shapes(text: String) {
        #expect(!Sample.problems(text).isEmpty)
    }
}
