// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Verdicts", .timeLimit(.minutes(1)))
struct VerdictTests {
    @Test(
        "A decided difference is higher or lower, and nothing else is",
        arguments: [
            (0.1, true, .higher), (-0.1, true, .lower), (0.1, false, .notDecided), (0, true, .notDecided),
            (nil, true, .notDecided),
        ] as [(Double?, Bool, Verdict)])
    func words(difference: Double?, isDecided: Bool, verdict: Verdict) {
        #expect(Verdict(difference: difference, isDecided: isDecided) == verdict)
    }

    @Test(
        "A guardrail of 2 %, where less is worse and where more is worse",
        arguments: [
            (-0.01, 0.05, .safe, .notDecided), (-0.02, 0.05, .notDecided, .notDecided), (-0.05, -0.001, .harmed, .safe),
            (-0.05, 0, .notDecided, .safe), (0.001, 0.3, .safe, .harmed), (-0.019, 0.019, .safe, .safe),
            (-0.5, 0.5, .notDecided, .notDecided),
        ] as [(Double, Double, Verdict, Verdict)])
    func guardrail(lower: Double, upper: Double, less: Verdict, more: Verdict) throws {
        #expect(try Guardrail(harm: 0.02).verdict(lift: Interval(lower, upper)) == less)
        #expect(try Guardrail(harm: 0.02, worse: .higher).verdict(lift: Interval(lower, upper)) == more)
    }

    @Test("Without an interval nothing is safe, and an impossible limit is refused")
    func nothing() throws {
        #expect(try Guardrail(harm: 0.02).verdict(lift: nil) == .notDecided)
        for harm in [0, -0.1, .nan, .infinity] { #expect(throws: SampleError.self) { try Guardrail(harm: harm) } }
    }
}
