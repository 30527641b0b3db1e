// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallConsole

@Suite("Lines of the file that a form changes", .timeLimit(.minutes(1)))
struct RuleEditTests {
    private static let text = """
        audiences:
          # who is asked first
          x:
            any:
              - country: { is: DE } # one
              - language: { is: ja } # two
              - platform: { is: ios } # three
            testDevice: { is: false } # not the team

        """

    private static func changed(_ change: (inout AudienceRule) -> Void) throws -> String {
        let document = try #require(ConfigurationDocument(number: 1, text: text)), node = try #require(document.entry("audiences", "x"))
        var rule = try #require(AudienceRule(node))
        change(&rule)
        let form = AudienceRuleTests.fields(rule).merging(["change": "rows"]) { $1 }
        return try ConfigurationFormChange(
            words: Words(.english), form: form, document: document, section: "audiences", name: "x", node: node
        ).changedAudience()
    }

    private static func group(_ rule: inout AudienceRule, _ change: (inout [AudienceRule.Part]) -> Void) {
        guard case .group(var group) = rule.parts[0] else { return }
        change(&group.parts)
        rule.parts[0] = .group(group)
    }

    private static let korean = AudienceRule.Part.line(.init(attribute: "language", operation: "is", value: "ko"))

    @Test("An element of a group goes, changes or comes at its end alone; the comments of the others stay")
    func elements() throws {
        let removed = try Self.changed { Self.group(&$0) { $0.remove(at: 1) } }
        let changed = try Self.changed { Self.group(&$0) { $0[2] = Self.korean } }
        let added = try Self.changed { Self.group(&$0) { $0.append(Self.korean) } }

        #expect(removed == Self.text.replacing("      - language: { is: ja } # two\n", with: ""))
        #expect(changed.contains("# one") && changed.contains("# two") && changed.contains("ko") && !changed.contains("ios"))
        #expect(["# one", "# two", "# three", "# not the team", "ko"].allSatisfy { added.contains($0) })
    }

    @Test("An element that comes in between writes its group anew, and nothing else")
    func between() throws {
        let text = try Self.changed { Self.group(&$0) { $0.insert(Self.korean, at: 1) } }

        #expect(text.contains("# who is asked first") && text.contains("testDevice: { is: false } # not the team") && !text.contains("# two"))
        #expect(text.contains("ko") && text.contains("ja"))
    }

    @Test("The order of conditions that must all hold says nothing, and changes nothing")
    func order() throws {
        #expect(try Self.changed { $0.parts.swapAt(0, 1) } == Self.text)
    }

    @Test("A rule that begins anew replaces the old one, and the comment above its entry stays")
    func anew() throws {
        let text = try Self.changed { $0 = AudienceRule(kind: .neither, parts: [Self.korean]) }

        #expect(text.hasPrefix("audiences:\n  # who is asked first\n  x:\n") && text.contains("not:") && !text.contains("any:") && !text.contains("testDevice"))
    }
}
