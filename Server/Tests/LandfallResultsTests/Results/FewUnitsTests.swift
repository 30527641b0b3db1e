// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallResults

@Suite("Fewer than ten units of an experiment", .timeLimit(.minutes(1)))
struct FewUnitsTests {
    private static func strata(_ counts: [(units: Int, conversions: Int)]) throws -> [ExperimentNumbers.Stratum] {
        [.init(weights: counts.map { _ in 1 }, samples: try counts.map { try Sample(units: $0.units, conversions: $0.conversions) })]
    }

    private static func numbers(_ counts: [(units: Int, conversions: Int)] = [(100, 20), (90, 30)]) throws -> ExperimentNumbers {
        var numbers = ExperimentNumbers(
            variations: ["A", "B", "C"].prefix(counts.count).map { $0 }, primary: .init(name: "trial", strata: try strata(counts)))
        func segment(_ name: String, _ counts: [(units: Int, conversions: Int)]) throws {
            numbers.segments.append(.init(name: name, strata: try strata(counts)))
            numbers.ratioParts.append(.init(by: "source", value: name, epochs: [.init(weights: [1, 1], looks: [counts.map(\.units)])]))
        }
        if counts.count == 2 {
            try segment("apple", [(60, 12), (50, 20)])
            try segment("link", [(25, 5), (20, 6)])
            try segment("branch", [(1, 1), (0, 0)])
            try segment("none", [(14, 2), (20, 4)])
        }
        numbers.ratioParts.append(.init(by: "version", value: "2.0", epochs: [.init(weights: [1, 1], looks: [[99, 90]])]))
        numbers.ratioParts.append(.init(by: "version", value: "2.1", epochs: [.init(weights: [1, 1], looks: [[1, 0]])]))
        return numbers
    }

    @Test("A source of one unit is merged with the next smallest in segments and in ratio parts; their sums stay")
    func sources() throws {
        let told = try ResultsDocument(try Self.numbers().withoutFew(10))

        #expect(told.health.ratioParts.filter { $0.by == "source" }.map(\.value) == ["apple", "link", "other"])
        #expect(told.health.ratioParts.filter { $0.by == "source" }.map(\.units) == [[60, 50], [25, 20], [15, 20]])
        #expect(told.health.ratioParts.filter { $0.by == "version" }.map(\.units) == [[100, 90]])
        #expect(told.comparisons.filter { $0.role == .segment }.map(\.segment) == ["apple", "link", "other"])
        #expect(try Self.numbers().withoutFew(10).segments.last?.strata.first?.samples.map { $0?.conversions } == [3, 4])
        #expect(try told.variations == ResultsDocument(try Self.numbers()).variations)
    }

    @Test("A part that is small in only one variation is not shown alone; a merged part that stays small is left out")
    func cells() throws {
        var numbers = try Self.numbers()
        numbers.segments = [.init(name: "a", strata: try Self.strata([(90, 10), (3, 1)])), .init(name: "b", strata: try Self.strata([(10, 1), (4, 2)]))]
        numbers.ratioParts = []

        let told = numbers.withoutFew(10)
        numbers.segments.append(.init(name: "c", strata: try Self.strata([(40, 1), (30, 2)])))
        let more = numbers.withoutFew(10)

        #expect(told.segments.isEmpty)
        #expect(more.segments.map(\.name) == ["other"] && more.segments.first?.strata.first?.samples.map { $0?.units } == [140, 37])
    }

    @Test("A variation with few units has their number, but no conversions")
    func variation() throws {
        let told = try ResultsDocument(try Self.numbers([(100, 20), (4, 1), (0, 0)]).withoutFew(10))

        #expect(told.variations.map(\.units) == [100, 4, 0])
        #expect(told.variations.map(\.conversions) == [20, nil, 0] && told.variations[1].rate == nil && told.variations[1].rateInterval == nil)
        let compared = told.comparisons.first { $0.role == .primary && $0.variation == "B" }
        #expect(compared?.difference == nil && compared?.p == 1 && compared?.verdict == .suppressed)
    }

    @Test("Small counts are not known, and neither are shares that would reveal them")
    func facts() throws {
        var numbers = try Self.numbers()
        (numbers.facts.echoed, numbers.facts.fallbackFirst, numbers.facts.crossovers, numbers.facts.matured) = (1, 10, 1.0 / 190, 0.5)
        (numbers.facts.decided, numbers.facts.shown) = ([100, 9], [100, 8])

        let told = numbers.withoutFew(10).facts

        #expect(told.echoed == nil && told.fallbackFirst == 10 && told.crossovers == nil && told.matured == 0.5)
        #expect(told.decided == nil && told.shown == nil)
    }

    @Test("Between two shown days, and up to the present, no variation gets only a few units")
    func history() throws {
        var numbers = try Self.numbers()
        let days = [(3, 2), (30, 20), (31, 20), (60, 50), (95, 80), (100, 90)]
        numbers.history = try days.enumerated().map { .init(day: $0 + 1, strata: try Self.strata([($1.0, 1), ($1.1, 1)])) }

        #expect(numbers.historyWithoutFew(10).map(\.day) == [3, 4, 6])
        #expect(numbers.withoutFew(10).history.count == 6)
    }

    @Test("Money of fewer than five people is not told, nor what one person paid at most, nor the days")
    func money() throws {
        func strata(_ payers: [Int]) throws -> [ExperimentNumbers.Stratum] {
            let samples = try payers.map { try Sample(units: 100, sum: Double($0), sumOfSquares: Double($0), conversions: $0) }
            return [.init(weights: payers.map { _ in 1 }, samples: samples)]
        }
        var numbers = ExperimentNumbers(variations: ["A", "B"], primary: .init(name: "revenue", strata: try strata([5, 4])))
        numbers.secondaries = [.init(name: "later", strata: try strata([0, 4])), .init(name: "trial", strata: try Self.strata([(100, 3), (100, 4)]))]
        numbers.segments = [.init(name: "link", strata: try strata([5, 8])), .init(name: "tenjin", strata: try strata([1, 2])), .init(name: "none", strata: try strata([9, 9]))]
        numbers.history = [.init(day: 1, strata: try strata([5, 4]))]
        (numbers.cap, numbers.uncappedMeans) = (9, [1, 2])
        numbers.unconverted = [.init(metric: "revenue", units: 9, currencies: ["JPY"]), .init(metric: "later", units: 10, currencies: ["JPY"])]

        let told = numbers.withoutFew(10), document = try ResultsDocument(told)

        #expect(document.variations.map(\.mean) == [0.05, nil] && document.variations.map(\.conversions) == [5, nil])
        #expect(document.variations.allSatisfy { $0.cap == nil && $0.meanUncapped == nil })
        #expect(told.secondaries.map { $0.strata[0].samples.map { $0?.conversions } } == [[0, nil], [3, 4]])
        // Two people of a source are told with those of the next smallest one.
        #expect(told.segments.map(\.name) == ["none", "other"])
        #expect(told.segments.last?.strata[0].samples.map { $0?.conversions } == [6, 10])
        #expect(numbers.historyWithoutFew(10).isEmpty && told.unconverted.map(\.units) == [nil, 10])
    }
}
