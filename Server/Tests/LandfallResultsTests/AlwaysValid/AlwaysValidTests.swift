// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Intervals that are valid at any look", .timeLimit(.minutes(1)))
struct AlwaysValidTests {
    @Test("How far the interval reaches, for 5,000 planned units")
    func multipliers() {
        let sequence = ConfidenceSequence(plannedUnits: 5000)

        expect(sequence.tuning, is: ".001587231")
        for (units, c) in [(500, "3.8550546"), (1000, "3.3638877"), (5000, "3.0352090"), (20_000, "3.1271141")]
            as [(Int, Printed)]
        {
            expect(sequence.multiplier(units: units), is: c)
        }
    }

    @Test("100 and 150 of 1,000: the difference, its p and Fieller's lift")
    func rates() {
        let pair = PairEstimate(.rate(100, of: 1000), .rate(150, of: 1000)), sequence = ConfidenceSequence()

        expect(sequence.interval(pair), is: (".0039309", ".0960691"))
        expect(sequence.p(pair), is: ".0258383")
        expect(pair.fiellerInterval(multiplier: sequence.multiplier(units: 2000)), is: (".0329648", "1.2558669"))
    }

    @Test("GrowthBook's published intervals of the lift by the delta method")
    func published() throws {
        let means = PairEstimate(.mean(1396.87, 52377.9767, 3000), .mean(2422.7, 134698.29, 3461))
        let first = try #require(means.deltaLift), short = ConfidenceSequence(plannedUnits: 1000)
        let error = first.variance.squareRoot(), reach = short.multiplier(units: means.units) * error
        expect(first.mean, is: ".5033611")
        expect(error, is: ".3334122")
        expect(Interval(first.mean - reach, first.mean + reach), is: ("-.5584405", "1.5651627"))
        expect(short.p(z: first.mean / error, units: means.units), is: "1")

        let rates = PairEstimate(.rate(1396, of: 3000), .rate(2422, of: 3461))
        let second = try #require(rates.deltaLift)
        let wide = ConfidenceSequence().multiplier(units: rates.units) * second.variance.squareRoot()
        expect(Interval(second.mean - wide, second.mean + wide), is: (".4009785", ".6067482"))
    }

    @Test("Fieller beside the delta method, for a single look")
    func lifts() throws {
        let z = NormalDistribution.quantile(0.975)
        let first = PairEstimate(.rate(100, of: 1000), .rate(120, of: 1000)), delta = try #require(first.deltaLift)
        let reach = z * delta.variance.squareRoot()

        expect(first.fiellerInterval(multiplier: z), is: ("-.0659495", ".5518965"))
        expect(Interval(delta.mean - reach, delta.mean + reach), is: ("-.1005846", ".5005846"))
        expect(
            PairEstimate(.rate(300, of: 10_000), .rate(345, of: 10_000)).fiellerInterval(multiplier: z),
            is: ("-.0122809", ".3412078"))
    }

    @Test("The page of the reference: 4.73 % against 5.52 % at 20,000 planned units")
    func page() {
        let pair = PairEstimate(.rate(431, of: 9110), .rate(502, of: 9094)), sequence = ConfidenceSequence(plannedUnits: 20_000)
        let lift = pair.fiellerInterval(multiplier: sequence.multiplier(units: pair.units))

        expect(pair.lift, is: ".167")
        expect(lift, is: ("-.039", ".421"))
        expect(ProportionTest(control: .rate(431, of: 9110), variation: .rate(502, of: 9094)).p, is: ".016")
    }

    @Test("Fieller's lift excludes zero exactly when the difference does")
    func agreement() {
        var numbers = SeededNumbers(state: 14)
        let sequence = ConfidenceSequence()
        var excluded = 0
        for _ in 0..<4000 {
            let units = Int.random(in: 50...4000, using: &numbers), other = Int.random(in: 50...4000, using: &numbers)
            let pair = PairEstimate(
                .rate(Int.random(in: 1...units / 2, using: &numbers), of: units),
                .rate(Int.random(in: 1...other / 2, using: &numbers), of: other))
            let c = sequence.multiplier(units: pair.units)
            guard let lift = pair.fiellerInterval(multiplier: c), let interval = sequence.interval(pair) else { continue }
            #expect(lift.contains(0) == interval.contains(0))
            #expect(interval.contains(0) == (sequence.p(pair) > sequence.alpha))
            if !interval.contains(0) { excluded += 1 }
        }
        #expect((400...3600).contains(excluded), "Both cases occur: \(excluded) of 4000")
    }

    @Test("Both ends of Fieller's interval are where its inequality is an equation")
    func ends() throws {
        let pair = PairEstimate(.rate(40, of: 900), .rate(55, of: 800)), c = 2.7
        let lift = try #require(pair.fiellerInterval(multiplier: c))

        for end in [lift.lower, lift.upper] {
            let ratio = end + 1, away = pair.variation.mean - ratio * pair.control.mean
            let bound = c * c * (pair.variation.variance + ratio * ratio * pair.control.variance)
            #expect(abs(away * away / bound - 1) < 1e-9)
        }
    }

    @Test("A control that cannot be distinguished from zero has no interval of the lift")
    func noLift() {
        #expect(PairEstimate(.rate(1, of: 100), .rate(20, of: 100)).fiellerInterval(multiplier: 3) == nil)
        #expect(PairEstimate(.values([-5, -6, -7]), .values([1, 2, 3])).fiellerInterval(multiplier: 1) == nil)
        #expect(PairEstimate(.rate(0, of: 100), .rate(20, of: 100)).lift == nil)
    }

    @Test("Swapping the two mirrors the interval and keeps the p-value")
    func swap() throws {
        let a = Sample.rate(100, of: 1000), b = Sample.rate(150, of: 1100), sequence = ConfidenceSequence()
        let there = PairEstimate(a, b), back = PairEstimate(b, a)
        let first = try #require(sequence.interval(there)), second = try #require(sequence.interval(back))

        #expect(abs(first.lower + second.upper) < 1e-15 && abs(first.upper + second.lower) < 1e-15)
        #expect(sequence.p(there) == sequence.p(back))
    }

    @Test("The p-value falls as the difference grows, and the interval widens as alpha falls")
    func monotone() {
        let sequence = ConfidenceSequence(), values = (0...60).map { sequence.p(z: Double($0) / 5, units: 4000) }

        #expect(values.first == 1)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(sequence.multiplier(units: 5000, level: 0.01) > sequence.multiplier(units: 5000, level: 0.05))
    }

    @Test("The first unit, a trillion units and a variance of zero have usable results")
    func borders() {
        let sequence = ConfidenceSequence()
        #expect(sequence.multiplier(units: 0) == .infinity)
        #expect(sequence.multiplier(units: 1).isFinite)
        #expect((3...7).contains(sequence.multiplier(units: 1_000_000_000_000)))
        #expect(sequence.p(z: 1e200, units: 10) == 0)

        let flat = PairEstimate(.rate(0, of: 10), .rate(0, of: 10))
        #expect(sequence.interval(flat) == nil && sequence.p(flat) == 1 && flat.fiellerInterval(multiplier: 3) == nil)
    }
}
