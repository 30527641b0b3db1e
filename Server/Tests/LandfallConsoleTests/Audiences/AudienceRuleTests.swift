// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallConsole

@Suite("A rule in the fields of a form", .timeLimit(.minutes(1)))
struct AudienceRuleTests {
    /// The fields that the form of a rule sends.
    static func fields(_ rule: AudienceRule, _ start: String = "") -> [String: String] {
        var fields = ["group" + (start.isEmpty ? "" : "." + start.dropLast()): rule.kind.rawValue]
        for (index, part) in rule.parts.enumerated() {
            let place = start + "\(index)"
            switch part {
            case .group(let inner): fields.merge(Self.fields(inner, place + ".")) { $1 }
            case .line(let line):
                fields["attribute." + place] = line.attribute
                fields["operation." + place] = line.operation
                fields["value." + place] = line.value
                (fields["from." + place], fields["to." + place]) = (line.from, line.to)
            }
        }
        return fields
    }

    private static func rule(_ text: String) throws -> AudienceRule? {
        let document = try #require(ConfigurationDocument(number: 1, text: "audiences: { x: \(text) }"))
        let node = try #require(document.entry("audiences", "x"))
        return AudienceRule(node)
    }

    private static func written(_ text: String) throws -> String? { try rule(text)?.written()?.value.inLine }

    /// The conditions in the order of their lines, by their values.
    private static func values(_ rule: AudienceRule) -> [String] { rule.lines.map { $0.place + " " + $0.line.value } }

    @Test(
        "What the file says is what its form says",
        arguments: [
            "{ country: { is: DE } }", "{ country: { in: [DE, AT], exists: true } }", "{ any: [{ country: { is: DE } }, { segment: s }] }",
            "{ not: { any: [{ country: { is: DE } }, { language: { is: ja } }] } }", "{ not: { country: { is: DE } } }",
            "{ not: { country: { is: DE }, language: { is: ja } } }", "{ share: { of: half, from: 10%, to: 50% } }",
            "{ country: { exists: false }, all: [{ country: { is: DE } }, { country: { is: AT } }] }",
            "{ any: [{ country: { is: DE }, language: { is: de } }, { not: { not: { segment: s } } }] }",
            "{ app.version: { \">=\": 2.10, \"<\": 3 }, attributes.plan: { contains: [\"a, b\", c] } }",
        ])
    func same(text: String) throws {
        let rule = try #require(try Self.rule(text)), fields = Self.fields(rule)

        #expect(rule.written()?.value.inLine == text)
        #expect(AudienceRule { fields[$0] } == rule)
    }

    @Test("Two conditions of one kind in one group become elements of a list, and none is lost")
    func twice() {
        let lines = ["DE", "AT"].map { AudienceRule.Part.line(.init(attribute: "country", operation: "isNot", value: $0)) }
        let groups = ["ja", "ko"].map { AudienceRule.Part.group(.init(kind: .any, parts: [.line(.init(attribute: "language", operation: "is", value: $0))])) }

        #expect(
            AudienceRule(parts: lines + groups).written()?.value.inLine
                == "{ country: { isNot: DE }, any: [{ language: { is: ja } }], all: [{ country: { isNot: AT } }, { any: [{ language: { is: ko } }] }] }")
    }

    @Test(
        "A rule that the form does not know has none",
        arguments: [
            "{ country: DE }", "{ country: { newer: 1 } }", "{ any: { country: { is: DE } } }", "{ share: { of: half, until: 1% } }", "{}",
            "{ country: { is: { a: 1 } } }", "{ country: { in: [[DE]] } }", "{ country: { is: \"a\\nb\" } }", "{ any: [] }", "[]", "text",
        ])
    func unknown(text: String) throws { #expect(try Self.rule(text) == nil) }

    @Test("A form has a limit of fields and of levels")
    func limits() throws {
        func wide(_ count: Int) -> String { "{ any: [" + (0..<count).map { "{ country: { is: c\($0) } }" }.joined(separator: ", ") + "] }" }
        func deep(_ levels: Int) -> String { (0..<levels).reduce("{ country: { is: DE } }") { rule, _ in "{ any: [\(rule), { language: { is: ja } }] }" } }

        #expect(try Self.rule(wide(59))?.fields == 178)
        #expect(try Self.rule(wide(60)) == nil && Self.rule(wide(1_000)) == nil)
        #expect(try Self.rule(deep(6))?.levels == 6)
        #expect(try Self.rule(deep(7)) == nil)
    }

    @Test("What is not whole is left out, with the groups that have nothing else")
    func incomplete() {
        let empty = AudienceRule.Part.line(.init()), half = AudienceRule.Part.line(.init(attribute: "country", operation: "is"))
        let whole = AudienceRule.Part.line(.init(attribute: "country", operation: "exists"))

        #expect(AudienceRule(parts: [empty, .group(.init(kind: .neither, parts: [half, empty]))]).written() == nil)
        #expect(AudienceRule(parts: [half, .group(.init(kind: .neither, parts: [empty, whole]))]).written()?.value.inLine == "{ not: { country: { exists: true } } }")
    }

    @Test("A path of the file leads to its condition in the form, also a path around it")
    func places() throws {
        let rule = try #require(try Self.rule("{ not: { any: [{ segment: s }, { app.version: { \">=\": 2 }, country: { in: [DE] } }] } }"))
        let written = try #require(rule.written(at: ["audiences", "x"]))

        #expect(written.place(of: "audiences.x.not.any[0].segment") == "0")
        #expect(written.place(of: "audiences.x.not.any[1].country.in[0]") == "1.1")
        #expect(written.place(of: "audiences.x.not.any[1][\"app.version\"]") == "1.0")
        #expect(written.place(of: "audiences.y") == nil)
    }

    @Test("Up and down move by one line: into a group, through it and out of it")
    func moves() throws {
        func line(_ value: String) -> AudienceRule.Part { .line(.init(attribute: "country", operation: "is", value: value)) }
        var rule = AudienceRule(parts: [line("a"), .group(.init(kind: .any, parts: [line("b"), line("c")])), line("d")])
        func move(_ text: String) throws -> String? {
            let order = try #require(AudienceRule.Order(text))
            return rule.apply(order)
        }

        #expect(try move("down.0") == "down.0.0" && Self.values(rule) == ["0.0 a", "0.1 b", "0.2 c", "1 d"])
        #expect(try move("down.0.0") == "down.0.1" && move("down.0.1") == "down.0.2" && Self.values(rule) == ["0.0 b", "0.1 c", "0.2 a", "1 d"])
        #expect(try move("down.0.2") == "down.1" && Self.values(rule) == ["0.0 b", "0.1 c", "1 a", "2 d"])
        #expect(try move("up.1") == "up.0.2" && move("up.0.2") == "up.0.1" && move("up.0.1") == "up.0.0" && move("up.0.0") == "up.0")
        #expect(Self.values(rule) == ["0 a", "1.0 b", "1.1 c", "2 d"])
        #expect(try move("remove.1.0") == "add.1" && Self.values(rule) == ["0 a", "1.0 c", "2 d"])
        for order in ["up.0", "down.2", "up.9", "remove.7.1", "add.0", "nest.3"] { #expect(try move(order) == nil, "\(order)") }
    }

    @Test("A new group comes before the lines that are still empty, a new condition behind them")
    func emptyEnd() {
        func line(_ value: String) -> AudienceRule.Part { .line(.init(attribute: "country", operation: "is", value: value)) }
        let empty = AudienceRule.Part.line(.init()), group = AudienceRule.Part.group(.init(kind: .any, parts: [empty]))
        var rule = AudienceRule(parts: [empty, line("a"), empty, empty]), inner = AudienceRule(parts: [group])

        #expect(rule.apply(AudienceRule.Order(.nest, [])) == "group.2" && rule.parts == [empty, line("a"), group, empty, empty])
        #expect(rule.apply(AudienceRule.Order(.add, [])) == "attribute.5" && rule.parts.count == 6)
        #expect(inner.apply(AudienceRule.Order(.nest, [0])) == "group.0.0")
        #expect(inner.parts == [.group(.init(kind: .any, parts: [group, empty]))])
        // As a form sends it: with the first comparison of its list.
        var sent = AudienceRule(parts: [line("a"), .line(.init(operation: "is"))])
        #expect(sent.apply(AudienceRule.Order(.nest, [])) == "group.1")
    }

    @Test("No group is made or moved deeper than the form shows")
    func depth() {
        var rule = AudienceRule()
        // A new group is before the empty condition of the one around it.
        for level in 0..<10 { _ = rule.apply(AudienceRule.Order(.nest, Array(repeating: 0, count: level))) }
        var two = AudienceRule(parts: [.group(AudienceRule(parts: [.line(.init())])), rule.parts[0]])

        #expect(rule.levels == AudienceRule.deepest + 1 && rule.hasRoom(for: .add, at: [0]))
        #expect(two.apply(AudienceRule.Order(.up, [1])) == "up.0" && two.levels == rule.levels)
        #expect(AudienceRule.Order("up.a") == nil && AudienceRule.Order("drop.0") == nil && AudienceRule.Order("up.0.0.0.0.0.0.0") == nil)
    }
}
