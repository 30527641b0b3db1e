// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Segments", .timeLimit(.minutes(1)))
struct SegmentTests {
    @Test("Several audiences may use one segment, and it may use others, in any order")
    func shared() throws {
        let configuration = try Sample.configuration(
            """
            segments:
              new-english: { segment: english, app.version: { ">=": 2 } }
              english: { language: { is: en } }
            audiences:
              those: { segment: new-english }
              others: { not: { segment: english } }
            """)
        let facts = AudienceFacts.sample()

        #expect(configuration.audiences.map { $0.condition.evaluate(facts) } == [.yes, .no])
        #expect(AudienceProgram(configuration.audiences.map(\.condition)).leaves.map(\.path) == [
            "segment.new-english.segment.english.language.is", "segment.new-english.app.version.>=", "not.segment.english.language.is",
        ])
    }

    @Test(
        "A segment must not refer to itself",
        arguments: [
            ("segments: { a: { segment: a } }\n", ["10:27: The segments 'a' → 'a' refer to each other in a circle. Remove one of these references."]),
            (
                "segments:\n  a: { any: [{ segment: b }, { country: { is: US } }] }\n  b: { not: { segment: c } }\n  c: { segment: a }\n",
                ["13:17: The segments 'a' → 'b' → 'c' → 'a' refer to each other in a circle. Remove one of these references."]
            ),
        ])
    func cycles(segments: String, problems: [String]) {
        #expect(Sample.problems(adding: segments + "audiences: { those: { segment: a } }\n") == problems)
    }

    @Test("An unknown segment is named, with a suggestion")
    func unknown() {
        #expect(
            Sample.problems(adding: "segments: { english: { language: { is: en } } }\naudiences: { those: { segment: engish } }\n")
                == ["11:32: There is no segment 'engish'. Did you mean 'english'?"])
    }

    @Test("Segments of segments do not grow without bound")
    func bound() {
        let chain = (1..<14).map { "  s\($0): { any: [{ segment: s\($0 - 1) }, { segment: s\($0 - 1) }] }\n" }.joined()

        let problems = Sample.problems(adding: "segments:\n  s0: { country: { is: US } }\n" + chain)

        #expect(problems.count == 1 && problems[0].contains("This is 2048 comparisons"), "\(problems)")
    }
}
