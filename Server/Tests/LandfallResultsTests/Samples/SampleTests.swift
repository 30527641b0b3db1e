// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Samples and strata", .timeLimit(.minutes(1)))
struct SampleTests {
    private func strata(_ pairs: [((Int, Int), (Int, Int))], share: Double = 0.5) -> [PairedStrata.Stratum] {
        pairs.map { .init(control: .rate($0.0, of: $0.1), variation: .rate($1.0, of: $1.1), share: share) }
    }

    @Test("An effect that only the weights caused disappears within epochs")
    func simpson() throws {
        let epochs = [((90, 900), (10, 100)), ((10, 500), (10, 500))]
        let pooled = PairEstimate(.rate(100, of: 1400), .rate(20, of: 600))
        let stratified = try #require(PairedStrata(strata(epochs)).estimate)

        expect(pooled.lift.map { $0 * 100 }, is: "-53.3333")
        expect(pooled.z, is: "-3.7891213")
        #expect(abs(stratified.difference) < 1e-12)
        expect(stratified.standardError, is: ".0164195")
    }

    @Test("Strata of several sizes")
    func several() throws {
        let epochs = [((90, 1000), (66, 600)), ((20, 1000), (45, 1400))]
        let first = try #require(PairedStrata(strata(epochs)).estimate)
        let crude = PairEstimate(.rate(110, of: 2000), .rate(111, of: 2000))

        expect(first.difference, is: ".0152857")
        expect(first.standardError, is: ".0073666")
        expect(first.z, is: "2.0750120")
        expect(crude.difference, is: ".0005")

        let sources = [((300, 4000), (330, 4000)), ((60, 3000), (75, 3000)), ((30, 3000), (24, 3000))]
        let second = try #require(PairedStrata(strata(sources)).estimate)
        expect(second.difference, is: ".0039")
        expect(second.z, is: "1.4093959")
        expect(PairEstimate(.rate(390, of: 10_000), .rate(429, of: 10_000)).standardError, is: ".0028025")
    }

    @Test("A single stratum is the plain comparison")
    func single() {
        let pair = PairedStrata(strata([((100, 1000), (150, 1100))]))

        #expect(pair.estimate == PairEstimate(.rate(100, of: 1000), .rate(150, of: 1100)))
        #expect(pair.conversions == 100)
    }

    @Test("The order of strata does not matter, merging included")
    func order() throws {
        var numbers = SeededNumbers(state: 3)
        let all = (0..<30).map { _ in
            let units = Int.random(in: 10...400, using: &numbers), other = Int.random(in: 10...400, using: &numbers)
            return PairedStrata.Stratum(
                control: .rate(Int.random(in: 0...units / 9, using: &numbers), of: units),
                variation: .rate(Int.random(in: 0...other / 9, using: &numbers), of: other),
                share: Bool.random(using: &numbers) ? 0.5 : 0.1)
        }
        let first = try #require(PairedStrata(all).estimate)

        for _ in 0..<20 {
            let again = try #require(PairedStrata(all.shuffled(using: &numbers)).estimate)
            #expect(abs(again.difference - first.difference) < 1e-14)
            #expect(abs(again.standardError - first.standardError) < 1e-14)
        }
    }

    @Test("Strata under ten conversions are merged with those of the same weights, and left out without such")
    func merging() {
        let same = PairedStrata(strata([((9, 100), (12, 100)), ((30, 300), (30, 300)), ((10, 200), (10, 200))]))
        #expect(same.strata.map(\.units).sorted() == [600, 600])

        let mixed = PairedStrata(
            strata([((3, 100), (5, 100)), ((50, 300), (50, 300))]) + strata([((20, 900), (20, 100))], share: 0.1))
        #expect(mixed.strata.map(\.units).sorted() == [800, 1000])

        let other = PairedStrata(strata([((50, 300), (50, 300))]) + strata([((40, 900), (3, 100))], share: 0.1))
        #expect(other.strata.map(\.units) == [600])

        let all = PairedStrata(strata([((1, 100), (2, 100)), ((0, 100), (3, 100))]))
        #expect(all.strata.count == 1)
        #expect(all.conversions == 1)
    }

    @Test("An epoch in which only one of the two variations took part is left out")
    func absent() {
        let alone = PairedStrata.Stratum(control: .rate(50, of: 1000), variation: .rate(0, of: 0), share: 0)
        let both = PairedStrata.Stratum(control: .rate(20, of: 500), variation: .rate(25, of: 500), share: 0.5)

        #expect(PairedStrata([alone, both]).units == 1000)
        #expect(PairedStrata([alone]).estimate == nil)
        #expect(PairedStrata([]).estimate == nil)
    }

    @Test("Too few units have no mean or no variance, and say so by nil")
    func few() {
        #expect(Sample.rate(0, of: 0).estimate == nil)
        #expect(Sample.rate(1, of: 1).estimate == Estimate(mean: 1, variance: 0))
        #expect(Sample.values([4]).estimate == nil)
        #expect(Sample.values([4, 4]).estimate == Estimate(mean: 4, variance: 0))
    }

    @Test("Impossible numbers are refused by name")
    func refused() {
        func field(_ make: () throws(SampleError) -> Sample) -> String? {
            do { _ = try make() } catch { return error.field }
            return nil
        }
        #expect(field { () throws(SampleError) in try Sample(units: -1, conversions: 0) } == "units")
        #expect(field { () throws(SampleError) in try Sample(units: .max, conversions: 0) } == "units")
        #expect(field { () throws(SampleError) in try Sample(units: 5, conversions: 6) } == "conversions")
        #expect(field { () throws(SampleError) in try Sample(units: 5, conversions: -1) } == "conversions")
        #expect(field { () throws(SampleError) in try Sample(units: 5, sum: .nan, sumOfSquares: 1) } == "sum")
        #expect(field { () throws(SampleError) in try Sample(units: 5, sum: 1, sumOfSquares: .infinity) } == "sumOfSquares")
        #expect(field { () throws(SampleError) in try Sample(units: 2, sum: 10, sumOfSquares: 1) } == "sumOfSquares")
        #expect(field { () throws(SampleError) in try Sample(units: 0, sum: 1, sumOfSquares: 1) } == "units")
        #expect(field { () throws(SampleError) in try Sample(units: 2, sum: 10, sumOfSquares: 50) } == nil)
    }

    @Test("Wilson's interval stays within 0 and 1, also where nobody or everybody converted")
    func wilson() {
        #expect(Sample.rate(0, of: 0).wilsonInterval(alpha: 0.05) == nil)
        #expect(Sample.values([1, 2]).wilsonInterval(alpha: 0.05) == nil)
        for (conversions, units) in [(0, 10), (10, 10), (1, 1), (0, 1_000_000_000_000)] {
            let interval = Sample.rate(conversions, of: units).wilsonInterval(alpha: 0.05)!
            #expect(interval.lower >= 0 && interval.upper <= 1 && interval.lower < interval.upper)
            #expect(interval.contains(Double(conversions) / Double(units)))
        }
        expect(Sample.rate(5, of: 83).wilsonInterval(alpha: 0.05), is: (".0260034", ".1333843"))
    }
}
