// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Sample ratio", .timeLimit(.minutes(1)))
struct SampleRatioTests {
    @Test(
        "Pearson's test of one look",
        arguments: [
            ([500, 600], [1.0, 1.0], "9.0909091", ".00256883"), ([821_588, 815_482], [1, 1], "22.7743688", "1.8217929e-6"),
            ([9000, 1100, 900], [8, 1, 1], "40.9090909", "1.3082893e-9"),
        ] as [([Int], [Double], Printed, Printed)])
    func chiSquare(units: [Int], weights: [Double], statistic: Printed, p: Printed) {
        let test = ChiSquareTest(ratioOf: [.init(units: units, weights: weights)])

        expect(test.statistic, is: statistic)
        expect(test.p, is: p)
    }

    @Test(
        "The sequential test, look by look",
        arguments: [
            (10_000, [1.0, 1.0], [[500, 600], [520, 610], [490, 640]], [".6714507", ".2527382", ".0152635"]),
            (1000, [1, 1], [[500, 600], [520, 610], [490, 640]], [".1337358", ".0066924", "3.59139e-6"]),
            (1000, [8, 1, 1], [[820, 90, 90], [790, 120, 90], [805, 130, 65]], ["1", "1", ".0103006"]),
        ] as [(Double, [Double], [[Int]], [Printed])])
    func sequential(concentration: Double, weights: [Double], looks: [[Int]], values: [Printed]) throws {
        var test = try SampleRatioTest(weights: weights, concentration: concentration)

        for (look, p) in zip(looks, values) {
            test.look(look)
            expect(test.p, is: p)
        }
    }

    @Test("A failure stays, however healthy the looks after it are")
    func latches() throws {
        var test = try SampleRatioTest(weights: [1, 1])
        test.look([500, 800])
        let failed = test.p
        #expect(!test.isOK)

        for _ in 0..<200 { test.look([5150, 5000]) }

        #expect(test.p <= failed)
        #expect(!test.isOK)
    }

    @Test("Only the ratio of weights matters, and the order of variations does not")
    func invariance() throws {
        var test = try SampleRatioTest(weights: [8, 1, 1]), scaled = try SampleRatioTest(weights: [1.6e300, 2e299, 2e299])
        var turned = try SampleRatioTest(weights: [1, 8, 1])
        for look in [[820, 90, 91], [790, 120, 92]] {
            test.look(look)
            scaled.look(look)
            turned.look([look[1], look[0], look[2]])
        }

        #expect(abs(test.logBayesFactor - scaled.logBayesFactor) < 1e-9)
        #expect(abs(test.logBayesFactor - turned.logBayesFactor) < 1e-9)
    }

    @Test("Looks without units change nothing")
    func empty() throws {
        var test = try SampleRatioTest(weights: [1, 1])
        #expect(test.p == 1)

        test.look([0, 0])

        #expect(test.p == 1)
        #expect(abs(test.logBayesFactor) < 1e-12)
    }

    @Test("Fair counts of a trillion are still fair, and a small lean among them is found")
    func huge() throws {
        var fair = try SampleRatioTest(weights: [1, 1]), leaning = fair
        fair.look([500_000_000_000, 500_000_000_000])
        leaning.look([500_010_000_000, 499_990_000_000])

        #expect(fair.p == 1)
        #expect(leaning.p < 1e-10)
    }

    @Test("A unit in a variation without weight fails at once")
    func impossible() throws {
        var test = try SampleRatioTest(weights: [1, 1, 0])
        test.look([500, 500, 0])
        #expect(test.p == 1)

        test.look([500, 500, 1])

        #expect(test.p == 0)
        #expect(ChiSquareTest(ratioOf: [.init(units: [5, 5, 1], weights: [1, 1, 0])]).p == 0)
    }

    @Test("One variation has no ratio that could fail")
    func single() throws {
        var test = try SampleRatioTest(weights: [3])
        test.look([4000])

        #expect(abs(test.logBayesFactor) < 1e-9)
        #expect(ChiSquareTest(ratioOf: [.init(units: [4000], weights: [3])]).p == 1)
    }

    @Test("A change of weights is an epoch of its own: neither test takes it for a wrong ratio")
    func epochs() throws {
        var test = try SampleRatioTest(weights: [1, 1])
        test.look([5000, 5000])
        try test.change(weights: [9, 1])
        test.look([9000, 1000])

        #expect(test.isOK)
        let epochs = [
            ChiSquareTest.Epoch(units: [5000, 5000], weights: [1, 1]), .init(units: [9000, 1000], weights: [9, 1]),
        ]
        #expect(ChiSquareTest(ratioOf: epochs).statistic < 1e-9)
        #expect(ChiSquareTest(ratioOf: [.init(units: [14_000, 6000], weights: [1, 1])]).p < 1e-100)
    }

    @Test(
        "Weights that cannot be shares are refused",
        arguments: [[0, 0], [-1, 1], [.nan, 1], [.infinity, 1], []] as [[Double]])
    func refused(weights: [Double]) {
        #expect(throws: SampleError.self) { try SampleRatioTest(weights: weights) }
    }

    @Test("Shown among decided: equal shares pass, two percent lost in one variation do not")
    func shown() {
        #expect(ChiSquareTest(passed: [4900, 4900], of: [5000, 5000]).p == 1)
        #expect(ChiSquareTest(passed: [5000, 4900], of: [5000, 5000]).p < 0.001)
        #expect(ChiSquareTest(passed: [0, 0], of: [5000, 5000]).p == 1)
        #expect(ChiSquareTest(passed: [5, 0], of: [5, 0]).p == 1)
    }
}
