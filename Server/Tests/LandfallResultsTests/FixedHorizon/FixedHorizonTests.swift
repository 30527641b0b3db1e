// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Tests for a fixed number of units", .timeLimit(.minutes(1)))
struct FixedHorizonTests {
    @Test(
        "Two rates",
        arguments: [
            ((100, 1000), (120, 1000), "1.4300314", ".1527080", ("-.0074115", ".0474115")),
            ((300, 10_000), (345, 10_000), "1.8013010", ".0716554", ("-.0003964", ".0093964")),
        ] as [((Int, Int), (Int, Int), Printed, Printed, (Printed, Printed))])
    func rates(_ a: (Int, Int), _ b: (Int, Int), z: Printed, p: Printed, ends: (Printed, Printed)) {
        let test = ProportionTest(control: .rate(a.0, of: a.1), variation: .rate(b.0, of: b.1))

        expect(test.z, is: z)
        expect(test.p, is: p)
        expect(test.interval(alpha: 0.05), is: ends)
    }

    @Test("Newcombe's interval, for few units")
    func newcombe() {
        let thousands = ProportionTest(control: .rate(100, of: 1000), variation: .rate(120, of: 1000))
        let few = ProportionTest(control: .rate(5, of: 83), variation: .rate(12, of: 99))

        expect(thousands.newcombeInterval(alpha: 0.05), is: ("-.0074922", ".0475507"))
        expect(few.pooledZ, is: "1.4078304")
        expect(few.pooledZ.map(NormalDistribution.beyond), is: ".1591813")
        // The reference prints the interval of the two variances here.
        expect(few.interval(alpha: 0.05), is: ("-.0212079", ".1431502"))
    }

    @Test("Two means by sums, as GrowthBook publishes them")
    func sums() throws {
        let a = Sample.mean(1396.87, 52377.9767, 3407), b = Sample.mean(2422.7, 134698.29, 3461)
        let test = try #require(WelchTest(control: a, variation: b))

        expect(test.t, is: "2.3240228")
        expect(test.degreesOfFreedom, is: "5841.7420")
        expect(test.p, is: ".0201584")
        expect(test.interval(alpha: 0.05), is: (".0453779", ".5346221"))
        expect(test.pair.fiellerInterval(multiplier: test.multiplier(alpha: 0.05)), is: (".0940620", "1.7086899"))
        let delta = try #require(test.pair.deltaLift), reach = test.multiplier(alpha: 0.05) * delta.variance.squareRoot()
        let lift = try #require(
            WelchTest(
                control: Estimate(mean: 0, variance: a.estimate!.variance), controlUnits: a.units,
                variation: Estimate(mean: 0, variance: b.estimate!.variance), variationUnits: b.units))
        expect(
            StudentDistribution(degreesOfFreedom: lift.degreesOfFreedom).beyond(delta.mean / delta.variance.squareRoot()),
            is: ".0619")
        #expect(reach > delta.mean, "By the delta method the same data show nothing.")
    }

    @Test("Two means of R's sleep")
    func sleep() throws {
        let first = Sample.values([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
        let second = Sample.values([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
        let test = try #require(WelchTest(control: first, variation: second))

        expect(test.t, is: "1.8608135")
        expect(test.degreesOfFreedom, is: "17.776474")
        expect(test.p, is: ".0793941")
        expect(test.interval(alpha: 0.05), is: ("-.2054832", "3.3654832"))
    }

    @Test("Two means by mean and variance")
    func moments() throws {
        let a = Estimate(mean: 15, variance: 87.5 / 13), b = Estimate(mean: 12, variance: 39.0 / 11)
        let test = try #require(WelchTest(control: a, controlUnits: 13, variation: b, variationUnits: 11))

        expect(test.t, is: "-.9358462")
        expect(test.degreesOfFreedom, is: "20.984611")
        expect(test.p, is: ".3599982")
        expect(test.interval(alpha: 0.05), is: ("-9.6668221", "3.6668221"))
    }

    @Test("Without variance or units there is no test")
    func nothing() {
        let none = ProportionTest(control: .rate(0, of: 0), variation: .rate(3, of: 10))
        let flat = ProportionTest(control: .rate(0, of: 10), variation: .rate(0, of: 10))

        #expect(none.z == nil && none.p == 1 && none.interval(alpha: 0.05) == nil && none.newcombeInterval(alpha: 0.05) == nil)
        #expect(flat.z == nil && flat.p == 1 && flat.interval(alpha: 0.05) == nil && flat.pooledZ == nil)
        #expect(WelchTest(control: .values([1, 1]), variation: .values([2, 2])) == nil)
        #expect(WelchTest(control: .values([1]), variation: .values([2, 3])) == nil)
    }
}
