// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LandfallConsole
@testable import LandfallRules

@Suite("Rules as people read them", .timeLimit(.minutes(1)))
struct ConditionPartReaderTests {
    /// The audience `x` of a file that nobody has checked.
    private static func part(_ text: String) throws -> ConditionPart {
        let document = try #require(ConfigurationDocument(number: 1, text: text))
        return ConditionPartReader(segments: document.root["segments"]).part(try #require(document.entry("audiences", "x")))
    }

    private static func size(_ part: ConditionPart) -> Int {
        switch part {
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + size($1) }
        case .not(let inner): 1 + size(inner)
        case .segment(_, let inner): 1 + (inner.map { size($0) } ?? 0)
        case .share, .test, .rest: 1
        }
    }

    private static func hasRest(_ part: ConditionPart) -> Bool {
        switch part {
        case .all(let parts), .any(let parts): parts.contains { hasRest($0) }
        case .not(let inner): hasRest(inner)
        case .segment(_, let inner): inner.map { hasRest($0) } ?? false
        case .share, .test: false
        case .rest: true
        }
    }

    private static func uses(of segment: String, _ count: Int) -> String {
        Array(repeating: "{ segment: \(segment) }", count: count).joined(separator: ", ")
    }

    @Test("A draft with a segment in itself is answered with its problem")
    func draft() async throws {
        try await ConfigurationConsole.run { _, browser in
            let draft = ConfigurationConsole.yaml
                .replacing("segments:\n", with: "segments:\n  a: { all: [\(Self.uses(of: "a", 10))] }\n")
                .replacing("audiences:\n", with: "audiences:\n  x: { segment: a }\n")

            let answer = try await browser.post(
                "/console/audiences/x", ["base": "1", "text": draft, "change": "yaml", "yaml": "x: { segment: a }"])

            #expect(answer.status == .unprocessableContent)
            #expect(answer.page.contains("role=\"alert\"") && !answer.page.contains("The segment a:"))
        }
    }

    @Test("Segments that need each other are opened once on each way")
    func cycle() throws {
        let part = try Self.part("segments: { a: { segment: b }, b: { not: { segment: a } } }\naudiences: { x: { segment: a } }")

        #expect(part == .segment("a", .segment("b", .not(.segment("a", nil)))))
    }

    @Test("A rule that its segments make large ends with a mark", arguments: [2, 10])
    func large(uses: Int) throws {
        let chain = (0..<30).map { "  s\($0): { any: [\(Self.uses(of: "s\($0 + 1)", uses))] }\n" }.joined()

        let part = try Self.part("segments:\n\(chain)  s30: { country: { is: DE } }\naudiences: { x: { segment: s0 } }\n")

        #expect(Self.hasRest(part) && (400...2 * ConditionPartReader.mostSteps).contains(Self.size(part)))
    }

    @Test("Long values make a rule end sooner, and of a long list no more is read than a page shows")
    func longTexts() throws {
        let long = String(repeating: "v", count: 100_000), list = (0..<1_000).map { "\($0)" }.joined(separator: ", ")
        let text = "segments: { s: { country: { is: \(long) } } }\naudiences: { x: { all: [\(Self.uses(of: "s", 500))] } }\n"

        let repeated = try Self.part(text), listed = try Self.part("audiences: { x: { country: { in: [\(list)] } } }\n")

        #expect(Self.hasRest(repeated) && Self.size(repeated) < 400)
        #expect(listed == .test(attribute: "country", operation: "in", values: (0...ConditionPart.mostValues).map { "\($0)" }))
    }
}
