// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Audiences as a flat program", .timeLimit(.minutes(5)))
struct AudienceProgramTests {
    /// 12,500 placements of 1 to 4 rules, each for one of many profiles: at least an eighth of 100,000 comparisons for a seed.
    @Test("decides by the rules of the language, for generated rules and profiles", arguments: 1...8 as ClosedRange<UInt64>)
    func generated(seed: UInt64) {
        var rules = RandomRules(seed: seed)
        let profiles = (0..<200).map { _ in rules.profile() }
        let facts = profiles.map(\.facts)
        var count = 0
        var seen: [Truth: Int] = [:]
        while count < 12_500 {
            let audiences = (0..<rules.number(in: 1...4)).map { _ in rules.rule(depth: 3) }
            let program = AudienceProgram(audiences)
            for _ in 0..<10 {
                let chosen = rules.number(in: 0...199)
                let evaluator = SimpleEvaluator(profile: profiles[chosen], pending: rules.pending())
                for (index, audience) in audiences.enumerated() {
                    let expected = evaluator.truth(audience)
                    #expect(
                        program.truth(of: index, facts[chosen], pending: evaluator.pending) == expected,
                        "seed \(seed): \(audience) for \(profiles[chosen]), pending \(evaluator.pending.rawValue)")
                    seen[expected, default: 0] += 1
                    count += 1
                }
                let (first, isFinal) = program.first(matching: facts[chosen], pending: evaluator.pending)
                let expected = evaluator.first(audiences)
                #expect(first == expected.audience && isFinal == expected.isFinal, "seed \(seed): \(audiences) for \(profiles[chosen])")
                var trace = Heard()
                #expect(program.first(matching: facts[chosen], pending: evaluator.pending, &trace) == expected)
            }
        }
        #expect(Truth.allCases.allSatisfy { seen[$0, default: 0] > 500 }, "the run must meet all three: \(seen)")
    }

    @Test("An empty `all` holds, an empty `any` does not, and without audiences no audience matches")
    func empty() {
        let facts = AudienceFacts.sample()

        #expect(AudienceProgram([]).first(matching: facts, pending: .attribution) == (0, true))
        #expect(AudienceProgram([.any([]), .all([])]).first(matching: facts, pending: .attribution) == (1, true))
        #expect(AudienceProgram([.not(.all([])), .not(.any([]))]).first(matching: facts, pending: .attribution) == (1, true))
        #expect(AudienceProgram([.any([])]).first(matching: facts, pending: .nothing) == (1, true))
    }

    @Test("A trace gets each comparison that decided, in order")
    func trace() {
        let program = AudienceProgram([
            .all([.text(.country, .isEqual, "CA"), .text(.language, .isEqual, "en")]),
            .any([.text(.country, .isEqual, "US"), .text(.language, .isEqual, "en")]),
            .text(.platform, .isEqual, "ios"),
        ])
        var trace = Heard()

        let found = program.first(matching: .sample(), pending: .nothing, &trace)

        #expect(found == (1, true))
        #expect(trace.comparisons == [0, 2] && trace.outcomes == [.no, .yes])
        #expect(program.leaves.map(\.test.symbol) == Array(repeating: .isEqual, count: 5))
        #expect((0..<3).map(program.comparisons) == [0..<2, 2..<4, 4..<5])
    }

    private struct Heard: DecisionTrace {
        var comparisons: [Int] = []
        var outcomes: [ComparisonOutcome] = []

        mutating func compared(_ comparison: Int, _ outcome: ComparisonOutcome) {
            comparisons.append(comparison)
            outcomes.append(outcome)
        }
    }

    @Test(
        "Each comparison says why it failed",
        arguments: [
            ("attributes.plan: { isNot: a }", [:], ComparisonOutcome.missing), ("attributes.plan: { is: a }", ["plan": 3], .unreadable),
            ("attributes.plan: { is: a }", ["plan": "b"], .no), ("attributes.plan: { is: a }", ["plan": "a"], .yes),
            ("app.version: { is: 1 }", [:], .unreadable), ("attribution.campaign: { is: a }", [:], .pending),
            ("share: { of: a, to: 1% }", [:], .missing), ("attributes.plan: { exists: true }", [:], .no),
        ] as [(String, [String: AttributeValue], ComparisonOutcome)])
    func outcomes(condition: String, attributes: [String: AttributeValue], outcome: ComparisonOutcome) throws {
        let program = AudienceProgram([try Sample.condition("{ \(condition) }", attributes: "{ plan: string }")])
        let facts = AudienceFacts.sample(attributes: attributes) { $0.appVersion = "latest" }

        #expect(program.outcome(of: 0, facts, pending: .attribution) == outcome)
    }
}
