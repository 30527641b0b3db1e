// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Audiences that are ruled out at once", .timeLimit(.minutes(5)))
struct AudiencePrefilterTests {
    @Test("Among many audiences, the one that the rules choose is found", arguments: 1...6 as ClosedRange<UInt64>)
    func generated(seed: UInt64) {
        var rules = RandomRules(seed: seed)
        let profiles = (0..<100).map { _ in rules.profile() }
        let facts = profiles.map(\.facts), evaluators = profiles.map { SimpleEvaluator(profile: $0) }
        var isIntoSecondBlock = false, isOpen = false
        for _ in 0..<40 {
            let audiences = (0..<rules.number(in: 1...200)).map { _ in rules.campaign() }
            let program = AudienceProgram(audiences)
            for (facts, each) in zip(facts, evaluators) {
                var evaluator = each
                evaluator.pending = rules.pending()
                let expected = evaluator.first(audiences)
                let found = program.first(matching: facts, pending: evaluator.pending)
                #expect(found == expected, "seed \(seed): \(audiences.count) audiences for \(evaluator.profile), pending \(evaluator.pending.rawValue)")
                if found.audience >= 64, found.audience < audiences.count { isIntoSecondBlock = true }
                if !found.isFinal { isOpen = true }
            }
        }
        #expect(isIntoSecondBlock && isOpen, "the run must meet both")
    }

    private static let us = Condition.text(.country, .isEqual, "US")
    private static let either = Condition.text(.country, .isIn, "US", "CA")
    private static let segment = Segment(name: "s", condition: us)

    @Test(
        "Only texts that an audience requires are looked up",
        arguments: [
            (us, 1), (either, 1), (.all([us, .text(.language, .isEqual, "en")]), 2), (.segment(segment, at: ""), 1),
            (.not(.any([.not(us), .not(either)])), 1), (.any([us]), 1),
            (.not(us), 0), (.any([us, either]), 0), (.not(.all([.not(us), .not(either)])), 0), (.text(.country, .notIn, "US"), 0),
            (.text(.deviceModel, .startsWith, "iPad"), 0), (.all([]), 0), (.text(.locale, .isEqual, "en"), 0),
        ] as [(Condition, Int)])
    func required(condition: Condition, fields: Int) {
        #expect(AudienceProgram([condition, condition]).prefilter.fields.count == fields)
        #expect(AudienceProgram([condition]).prefilter.fields.count == 0, "an audience's own comparison is as fast")
    }

    @Test("The tables take memory for each value of the rules, however many audiences there are")
    func memory() {
        let few = AudienceProgram((0..<64).map { .text(.attributionCampaign, .isIn, "\($0)", "\($0 + 1)") })
        let many = AudienceProgram((0..<640).map { .text(.attributionCampaign, .isIn, "\($0)", "\($0 + 1)") })

        #expect(few.prefilter.slots.count == 256)
        #expect(many.prefilter.slots.count == 2560)
    }
}
