// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

/// What the tables of mpmath (40 digits) and SciPy say.
@Suite("Distributions", .timeLimit(.minutes(1)))
struct DistributionTests {
    private func expectNear(
        _ value: Double, _ truth: Double, _ share: Double = 1e-12, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(abs(value - truth) <= share * max(abs(truth), 1e-300), "\(value) is not \(truth)", sourceLocation: location)
    }

    @Test(
        "The logarithm of the gamma function, from tiny to huge arguments",
        arguments: [
            (1e-8, 18.4206807381802089), (0.1, 2.25271265173420596), (0.5, 0.572364942924700087), (2.5, 0.28468287047291916),
            (9.999, 12.7995757800774125), (10, 12.8018274800814696), (171, 706.573062245787347), (1e6, 12815504.5691476117),
            (1e12, 26631021115915.6516),
        ])
    func logGamma(z: Double, truth: Double) { expectNear(GammaFunction.log(z), truth, 1e-13) }

    @Test("Γ(1) and Γ(2) are 1")
    func zeros() {
        #expect(abs(GammaFunction.log(1)) < 1e-15)
        #expect(abs(GammaFunction.log(2)) < 1e-15)
    }

    @Test(
        "The upper tail of the gamma distribution, to both borders",
        arguments: [
            (0.5, 0.0, 1.0), (0.5, 4.5, 0.0026997960632601891), (0.5, 11.38, 1.835465340424776e-6),
            (1, 20, 2.0611536224385578e-9),
            (1.5, 0.01, 0.9992522446606088), (5, 3, 0.81526324452377207), (50, 60, 0.08440668109369183),
            (500, 400, 0.99999918906189212),
            (0.5, 300, 1.6741679846917878e-132), (2, .infinity, 0), (0.5, 1e5, 0),
        ])
    func gammaTail(shape: Double, x: Double, truth: Double) { expectNear(GammaFunction.upperTail(shape: shape, x), truth) }

    @Test(
        "The beta distribution, both tails",
        arguments: [
            (1.0, 1.0, 0.3, 0.3, 0.7), (0.5, 0.5, 0.1, 0.20483276469913345, 0.79516723530086655),
            (2, 30, 0.05, 0.46340309014265608, 0.53659690985734392),
            (101, 901, 0.12, 0.97404633782056142, 0.025953662179438576),
            (50, 52, 0.49, 0.49894071664779366, 0.50105928335220634),
            (0.5, 8.9, 0.2, 0.95066924026134025, 0.049330759738659751),
            (3, 0.5, 0.999, 0.94074681048405377, 0.059253189515946233), (5, 5, 0, 0, 1), (5, 5, 1, 1, 0), (5, 5, -1, 0, 1),
            (5, 5, 2, 1, 0),
        ])
    func beta(alpha: Double, beta: Double, x: Double, below: Double, above: Double) {
        let distribution = BetaDistribution(alpha: alpha, beta: beta)

        expectNear(distribution.below(x), below)
        expectNear(distribution.above(x), above)
    }

    @Test("The beta distribution of a hundred million units still has ten digits")
    func hugeBeta() {
        let distribution = BetaDistribution(alpha: 1_000_001, beta: 99_000_001)

        expectNear(distribution.below(0.01001), 0.842322718640102917, 1e-10)
        expectNear(distribution.above(0.01001), 0.157677281359897083, 1e-9)
    }

    @Test(
        "Normal quantiles, to both borders",
        arguments: [
            (1e-300, -37.0470962993612), (1e-20, -9.262340089798409), (1e-10, -6.361340902404056), (0.001, -3.090232306167813),
            (0.025, -1.9599639845400545), (0.3, -0.5244005127080409), (0.8, 0.8416212335729143), (0.975, 1.959963984540054),
            (0, -.infinity), (1, .infinity),
        ])
    func normalQuantile(p: Double, z: Double) {
        if z.isInfinite {
            #expect(NormalDistribution.quantile(p) == z)
        } else {
            expectNear(NormalDistribution.quantile(p), z, 1e-14)
        }
        if z.isFinite, p > 1e-15 { expectNear(NormalDistribution.below(z), p, 1e-13) }
    }

    @Test("The middle of the normal distribution is zero")
    func normalMiddle() {
        #expect(abs(NormalDistribution.quantile(0.5)) < 1e-16)
        #expect(NormalDistribution.beyond(0) == 1)
    }

    @Test(
        "Student's distribution beyond t on both sides",
        arguments: [
            (0.0, 3.0, 1.0), (1, 1, 0.5), (2.5, 1.5, 0.16980650261469604), (2.3240228, 5841.742, 0.02015840054787587),
            (40, 4, 2.3340163226012678e-06), (1.96, 1e7, 0.04999581802531423), (-1, 1, 0.5), (.infinity, 4, 0),
        ])
    func student(t: Double, degrees: Double, p: Double) {
        expectNear(StudentDistribution(degreesOfFreedom: degrees).beyond(t), p, 1e-9)
    }

    @Test(
        "Student's critical values",
        arguments: [
            (0.05, 1.0, 12.706204736174705), (0.05, 17.776474, 2.1028172374125593), (0.05, 5841.742, 1.960370156956713),
            (0.5, 2, 0.8164965809277261), (1e-6, 30, 6.119075620384216),
        ])
    func critical(alpha: Double, degrees: Double, t: Double) {
        expectNear(StudentDistribution(degreesOfFreedom: degrees).critical(alpha: alpha), t, 1e-10)
    }

    @Test("A critical value is 0 for the share 1 and infinite for the share 0")
    func criticalBorders() {
        #expect(StudentDistribution(degreesOfFreedom: 3).critical(alpha: 1) < 1e-10)
        #expect(StudentDistribution(degreesOfFreedom: 3).critical(alpha: 0) == .infinity)
    }

    @Test("Tail probabilities never rise")
    func monotone() {
        let student = StudentDistribution(degreesOfFreedom: 3.5), beta = BetaDistribution(alpha: 3, beta: 400)
        let steps = (0...400).map { Double($0) / 20 }

        for (near, far) in zip(steps, steps.dropFirst()) {
            #expect(student.beyond(far) < student.beyond(near))
            #expect(NormalDistribution.beyond(far) <= NormalDistribution.beyond(near))
            #expect(
                ChiSquareDistribution.above(far, degreesOfFreedom: 3) < ChiSquareDistribution.above(near, degreesOfFreedom: 3))
            #expect(beta.above(far / 20) <= beta.above(near / 20))
        }
    }
}
