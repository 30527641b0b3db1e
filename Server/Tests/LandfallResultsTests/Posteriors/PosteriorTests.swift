// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Bayesian figures, as an explanation", .timeLimit(.minutes(1)))
struct PosteriorTests {
    private func rate(_ conversions: Int, _ units: Int) -> BetaDistribution {
        BetaDistribution(alpha: Double(conversions) + 1, beta: Double(units - conversions) + 1)
    }

    @Test(
        "The probability of being better, and the expected loss of each choice",
        arguments: [
            ((49, 100), (51, 100), ".6107705", ".0191165", ".0387243"),
            ((100, 1000), (120, 1000), ".9231834", ".000484614", ".0204447"),
            ((300, 10_000), (345, 10_000), ".9640927", ".0000356976", ".0045348"),
        ] as [((Int, Int), (Int, Int), Printed, Printed, Printed)])
    func two(_ a: (Int, Int), _ b: (Int, Int), better: Printed, lossOfB: Printed, lossOfA: Printed) {
        let (control, variation) = (rate(a.0, a.1), rate(b.0, b.1))

        expect(Posterior.probabilitiesOfHighest([control, variation])[1], is: better)
        expect(Posterior.expectedLoss(choosing: variation, over: control), is: lossOfB)
        expect(Posterior.expectedLoss(choosing: control, over: variation), is: lossOfA)
    }

    @Test("The best of three")
    func three() {
        let best = Posterior.probabilitiesOfHighest([rate(100, 1000), rate(120, 1000), rate(110, 1000)])

        for (value, printed) in zip(best, [".0462083", ".7268865", ".2269052"] as [Printed]) { expect(value, is: printed) }
    }

    @Test("Probabilities add up to 1, from no data to a hundred million units and unequal sizes")
    func whole() {
        let kinds = [
            [rate(0, 0), rate(0, 0)], [rate(0, 1000), rate(1000, 1000)], [rate(1, 10), rate(50_000, 1_000_000)],
            [rate(1_000_000, 100_000_000), rate(1_001_000, 100_000_000)],
            [rate(0, 1), rate(3, 40), rate(30, 400), rate(300, 4000)],
        ]
        for rates in kinds {
            let sum = Posterior.probabilitiesOfHighest(rates).reduce(0, +)
            #expect(abs(sum - 1) < 1e-9, "\(sum)")
        }
    }

    @Test("Two losses differ by the difference of the means")
    func losses() {
        let (a, b) = (rate(30, 900), rate(50, 1100))
        let gap = Posterior.expectedLoss(choosing: a, over: b) - Posterior.expectedLoss(choosing: b, over: a)

        #expect(abs(gap - (b.mean - a.mean)) < 1e-12)
    }

    @Test("The normal figures agree with the exact ones where there are many units")
    func normal() throws {
        let pair = PairEstimate(.rate(30_000, of: 1_000_000), .rate(30_300, of: 1_000_000))
        let (better, loss) = try #require(Posterior.ofNormal(pair))

        #expect(abs(better - Posterior.probabilitiesOfHighest([rate(30_000, 1_000_000), rate(30_300, 1_000_000)])[1]) < 1e-4)
        #expect(abs(loss - Posterior.expectedLoss(choosing: rate(30_300, 1_000_000), over: rate(30_000, 1_000_000))) < 1e-7)
        #expect(Posterior.ofNormal(PairEstimate(.rate(0, of: 5), .rate(0, of: 5))) == nil)
    }
}
