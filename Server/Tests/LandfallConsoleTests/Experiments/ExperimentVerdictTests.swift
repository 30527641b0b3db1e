// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallResults

@Suite("What an experiment says to do", .timeLimit(.minutes(1)))
struct ExperimentVerdictTests {
    private static func verdict(
        _ counts: [(conversions: Int, units: Int)], state: ExperimentState = .live, day: Int? = nil, planned: Int = 5_000,
        change: (inout ExperimentNumbers) throws -> Void = { _ in }
    ) throws -> ExperimentVerdict {
        let samples = try counts.map { try Sample(units: $0.units, conversions: $0.conversions) }
        let primary = ExperimentNumbers.Metric(name: "paid", strata: [.init(weights: counts.map { _ in 1 }, samples: samples)])
        var numbers = ExperimentNumbers(variations: Array(["A", "B", "C"].prefix(counts.count)), primary: primary)
        numbers.plannedUnits = planned
        numbers.facts.day = day
        try change(&numbers)
        return ExperimentVerdict(state: state, results: try ResultsDocument(numbers), language: .english)
    }

    @Test("follows the verdicts, the planned units and the state")
    func steps() throws {
        #expect(try Self.verdict([(100, 1_000), (180, 1_000)]).step == .show(["B"]))
        #expect(try Self.verdict([(100, 1_000), (180, 1_000), (190, 1_000)]).step == .show(["B", "C"]))
        #expect(try Self.verdict([(180, 1_000), (100, 1_000)]).step == .keep)
        #expect(try Self.verdict([(180, 1_000), (100, 1_000), (181, 1_000)]).step == .run(days: nil))
        #expect(try Self.verdict([(100, 1_000), (105, 1_000)], day: 10).step == .run(days: 15))
        #expect(try Self.verdict([(100, 1_000), (105, 1_000)], planned: 2_000).step == .choose)
        #expect(try Self.verdict([(0, 0), (0, 0)], day: 3).step == .run(days: nil))
        #expect(try Self.verdict([(100, 1_000), (400, 2_000)]).step == .look)
        #expect(try Self.verdict([(9, 100)]).step == nil)
        var unknown = try Self.verdict([(0, 0), (0, 0)])
        unknown.lacksMetric = true
        #expect(unknown.step == nil)
        #expect(try Self.verdict([(100, 1_000), (180, 1_000)], state: .stopped).step == .over("A"))
        #expect(try Self.verdict([(100, 1_000), (400, 2_000)], state: .promoted("B")).step == .over("B"))
    }

    @Test("A picture has every interval on one axis with its text; where the ratio failed there is none")
    func picture() throws {
        let three = try Self.verdict([(100, 1_000), (150, 1_000), (95, 1_000)]).html.markup
        let failed = try Self.verdict([(100, 1_000), (400, 2_000)]).html.markup

        #expect(three.ranges(of: "<path class=\"band\"").count == 2 && three.contains("B against A") && three.contains("C against A"))
        #expect(three.contains("+50.0 % (") && three.contains("−5.0 % (") && !three.contains("role=\"img\""))
        #expect(!failed.contains("<svg") && failed.contains("badge bad"))
    }

    @Test("A harmed guardrail is named beside what to do, and its table is open")
    func harmed() throws {
        let verdict = try Self.verdict([(100, 1_000), (180, 1_000)]) { numbers in
            let samples = [try Sample(units: 1_000, conversions: 300), try Sample(units: 1_000, conversions: 150)]
            let metric = ExperimentNumbers.Metric(name: "kept", strata: [.init(weights: [1, 1], samples: samples)])
            numbers.guardrails = [.init(metric: metric, bound: try Guardrail(harm: 0.02))]
        }

        #expect(verdict.html.markup.contains("B harms the guardrail kept"))
        let table = ComparisonTables(results: verdict.results, language: .english).table("Guardrails", .guardrail, of: "Metric")
        #expect(table?.markup.hasPrefix("<details open>") == true)
    }
}
