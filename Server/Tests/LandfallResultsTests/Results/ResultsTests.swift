// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallResults

@Suite("Results of an experiment", .timeLimit(.minutes(1)))
struct ResultsTests {
    private func results(_ text: String) throws -> ResultsDocument {
        try ResultsDocument(NumbersDocument(Array(text.utf8)).numbers)
    }

    private func two(_ a: (Int, Int), _ b: (Int, Int), _ more: String = "") throws -> ResultsDocument {
        try results(
            """
            {"strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":\(a.1),"conversions":\(a.0)},
            "B":{"units":\(b.1),"conversions":\(b.0)}}}]\(more)}
            """)
    }

    @Test("Two rates: the reference's figures")
    func rates() throws {
        let document = try two((100, 1000), (150, 1000)), one = try #require(document.comparisons.first)

        #expect(document.variations.map(\.variation) == ["A", "B"])
        #expect(document.variations.map(\.rate) == [0.1, 0.15])
        expect(one.difference, is: ".05")
        expect(one.interval, is: (".0039309", ".0960691"))
        expect(one.p, is: ".0258383")
        expect(one.lift, is: ".5")
        expect(one.liftInterval, is: (".0329648", "1.2558669"))
        #expect(one.verdict == .higher && one.adjustedP == one.p && one.role == .primary && one.control == "A")
        #expect(document.unitsLeft == 3000 && document.plannedUnits == 5000)
    }

    @Test("Two means: the reference's figures, the always-valid p in place of the fixed one")
    func means() throws {
        let document = try results(
            """
            {"strata":[{"weights":{"A":1,"B":1},"variations":{"A":{"units":3407,"sum":1396.87,"sumOfSquares":52377.9767},
            "B":{"units":3461,"sum":2422.7,"sumOfSquares":134698.29}}}]}
            """)
        let one = try #require(document.comparisons.first)

        expect(one.difference.map { $0 / one.standardError! }, is: "2.3240228")
        #expect(one.p > 0.0201584 && one.verdict == .notDecided && one.metric == "sum")
        #expect(document.variations[0].rate == nil && document.variations[0].rateInterval == nil)
        expect(document.variations[0].mean, is: ".41")
    }

    @Test("The ratio of several looks, and Pearson's test beside it")
    func ratio() throws {
        let healthy = try two((50, 500), (60, 600), #","looks":[[500,600]]"#).health.ratio
        expect(healthy.p, is: ".1337358")
        expect(healthy.chiSquare, is: "9.0909091")
        expect(healthy.chiSquareP, is: ".00256883")
        #expect(healthy.ok)

        let failed = try two((100, 1510), (300, 1850), #","looks":[[500,600],[520,610],[490,640]]"#)
        expect(failed.health.ratio.p, is: "3.59139e-6")
        #expect(!failed.health.ratio.ok && failed.isSuppressed)
    }

    @Test("A failed ratio suppresses every verdict, and keeps the numbers")
    func suppressed() throws {
        let guardrail =
            #","guardrails":[{"metric":"kept","harm":0.02,"strata":[{"variations":{"A":{"units":900,"conversions":500},"B":{"units":500,"conversions":100}}}]}]"#
        let document = try two((100, 3000), (300, 4000), guardrail)

        #expect(document.comparisons.count == 2)
        #expect(document.comparisons.allSatisfy { $0.verdict == .suppressed && $0.decidedOnDay == nil && $0.interval != nil })
    }

    @Test("Three variations: intervals at half alpha, verdicts by Holm")
    func holm() throws {
        let document = try results(
            """
            {"strata":[{"weights":{"A":1,"B":1,"C":1},"variations":{"A":{"units":1000,"conversions":100},
            "B":{"units":1000,"conversions":152},"C":{"units":1000,"conversions":155}}}]}
            """)
        let values = document.comparisons.map(\.p), adjusted = AdjustedP.holm(values)

        #expect(document.comparisons.map(\.adjustedP) == adjusted)
        #expect(document.comparisons.allSatisfy { $0.level == 0.025 })
        #expect(zip(document.comparisons, adjusted).allSatisfy { ($0.verdict == .higher) == ($1 <= 0.05) })
        // One of them is decided by Holm alone: it passes alpha once the other has passed half of it.
        #expect(values.contains { $0 > 0.015 } && adjusted.allSatisfy { $0 <= 0.05 })
    }

    @Test("Fewer than ten conversions decide nothing, however small the p-value")
    func few() throws {
        let one = try #require(try two((9, 5000), (400, 5000)).comparisons.first)

        #expect(one.p < 1e-9)
        #expect(one.verdict == .notDecided)
    }

    @Test(
        "No units, no conversions, only conversions and one variation are documents too",
        arguments: [
            ((0, 0), (0, 0)), ((0, 100), (0, 100)), ((100, 100), (100, 100)), ((0, 0), (5, 100)), ((0, 1), (1, 1)),
        ])
    func empty(a: (Int, Int), b: (Int, Int)) throws {
        let document = try two(a, b), one = try #require(document.comparisons.first)

        #expect(one.verdict == .notDecided && one.interval == nil && one.p == 1)
        #expect(try JSONEncoder().encode(document).count > 100)
        let alone = try results(#"{"strata":[{"variations":{"A":{"units":5,"conversions":1}}}]}"#)
        #expect(alone.comparisons.isEmpty && alone.health.ratio.ok)
    }

    @Test("A trillion units are counted like a thousand")
    func huge() throws {
        let one = try #require(
            try two((30_000_000_000, 1_000_000_000_000), (30_001_000_000, 1_000_000_000_000), #","plannedUnits":1000000000000"#)
                .comparisons.first)

        #expect(one.p < 0.05 && one.verdict == .higher)
        #expect(one.probabilityBetter.map { $0 > 0.99 } == true && one.expectedLoss.map { $0.isFinite } == true)
    }

    @Test("Epochs are compared within themselves")
    func epochs() throws {
        let document = try results(
            """
            {"strata":[
             {"weights":{"A":9,"B":1},"variations":{"A":{"units":900,"conversions":90},"B":{"units":100,"conversions":10}}},
             {"weights":{"A":1,"B":1},"variations":{"A":{"units":500,"conversions":10},"B":{"units":500,"conversions":10}}}]}
            """)
        let one = try #require(document.comparisons.first)

        #expect(abs(one.difference!) < 1e-12)
        expect(one.standardError, is: ".0164195")
        #expect(document.health.ratio.ok)
        expect(document.health.ratio.chiSquare, is: "0")
    }

    @Test("A variation that came later is compared with the control's units of the same time")
    func late() throws {
        let document = try results(
            """
            {"strata":[
             {"weights":{"A":1,"B":1},"variations":{"A":{"units":5000,"conversions":2000},"B":{"units":5000,"conversions":2000}}},
             {"weights":{"A":1,"B":1,"C":1},"variations":{"A":{"units":500,"conversions":50},"B":{"units":500,"conversions":50},
              "C":{"units":500,"conversions":50}}}]}
            """)

        #expect(document.comparisons.map(\.units) == [11_000, 1000])
        #expect(abs(document.comparisons[1].difference!) < 1e-12)
        #expect(document.health.ratio.ok)
    }

    @Test("Payments of all variations share one cap, and the uncapped mean is shown too")
    func revenue() throws {
        let document = try results(
            """
            {"metric":"revenue","highestPrice":59.99,"strata":[{"weights":{"A":1,"B":1},"variations":{
             "A":{"units":5000,"values":[[9.99,999],[599.90,1]]},"B":{"units":5000,"values":[[9.99,1000]]}}}]}
            """)

        #expect(document.variations.map(\.cap) == [59.99, 59.99])
        expect(document.variations[0].mean, is: "2.0080")
        expect(document.variations[0].meanUncapped, is: "2.11598")
        expect(document.variations[1].meanUncapped, is: "1.998")
        #expect(document.variations.map(\.conversions) == [1000, 1000])
    }

    @Test("Guardrails say safe or harmed")
    func guardrails() throws {
        func guardrail(_ name: String, _ a: Int, _ b: Int, _ more: String = "") -> String {
            #"{"metric":"\#(name)","harm":0.05\#(more),"strata":[{"variations":{"A":{"units":20000,"conversions":\#(a)},"B":{"units":20000,"conversions":\#(b)}}}]}"#
        }
        let list = [
            guardrail("kept", 12_000, 12_000), guardrail("opened", 12_000, 10_000),
            guardrail("refunded", 4000, 5000, #","worse":"higher""#),
            guardrail("rare", 40, 42),
        ].joined(separator: ",")
        let document = try two((100, 1000), (100, 1000), #","guardrails":[\#(list)]"#)

        #expect(document.comparisons.dropFirst().map(\.verdict) == [.safe, .harmed, .harmed, .notDecided])
        #expect(document.comparisons.dropFirst().allSatisfy { $0.role == .guardrail })
    }

    @Test("Segments are adjusted together, at a tenth, and their intervals agree with their words")
    func segments() throws {
        let list = (0..<10).map { place in
            #"{"segment":"s\#(place)","strata":[{"variations":{"A":{"units":2000,"conversions":200},"B":{"units":2000,"conversions":\#(place == 3 ? 310 : 205)}}}]}"#
        }
        let document = try two((100, 1000), (100, 1000), #","segments":[\#(list.joined(separator: ","))]"#)
        let segments = document.comparisons.filter { $0.role == .segment }

        #expect(segments.map(\.verdict) == (0..<10).map { $0 == 3 ? .higher : .notDecided })
        #expect(segments.map(\.adjustedP) == AdjustedP.benjaminiHochberg(segments.map(\.p)))
        for segment in segments { #expect(segment.interval?.contains(0) == (segment.verdict == .notDecided)) }
    }

    @Test("The day of a verdict is the first that had it")
    func days() throws {
        func day(_ number: Int, _ b: Int) -> String {
            #"{"day":\#(number),"strata":[{"variations":{"A":{"units":1000,"conversions":100},"B":{"units":1000,"conversions":\#(b)}}}]}"#
        }
        let document = try two(
            (200, 2000), (310, 2000), #","day":5,"history":[\#(day(4, 160)),\#(day(2, 110)),\#(day(3, 155))]"#)

        #expect(document.comparisons.first?.decidedOnDay == 3)
        #expect(document.comparisons.first?.verdict == .higher)
    }

    @Test("Swapping the variations mirrors the comparison")
    func swap() throws {
        let there = try #require(try two((100, 1000), (175, 1100)).comparisons.first)
        let back = try #require(try two((175, 1100), (100, 1000)).comparisons.first)

        #expect(abs(there.difference! + back.difference!) < 1e-15 && there.p == back.p)
        #expect(there.verdict == .higher && back.verdict == .lower)
        #expect(abs(there.probabilityBetter! + back.probabilityBetter! - 1) < 1e-9)
    }

    @Test("Shown over decided differs where a variation is lost on its way")
    func shown() throws {
        let document = try two((100, 9700), (100, 9900), #","decided":{"A":10000,"B":10000}"#)
        let shown = try #require(document.health.shownOverDecided)

        #expect(!shown.ok && shown.byVariation == ["A": 0.97, "B": 0.99])
        #expect(document.health.ratio.ok)
    }

    @Test("The JSON has every promised key, also with null, and no other")
    func keys() throws {
        let document = try JSONSerialization.jsonObject(with: JSONEncoder().encode(try two((0, 0), (0, 0)))) as? [String: Any]
        let health = document?["health"] as? [String: Any], ratio = health?["ratio"] as? [String: Any]
        let variation = (document?["variations"] as? [[String: Any]])?.first,
            comparison = (document?["comparisons"] as? [[String: Any]])?.first

        #expect(
            document?.keys.sorted() == [
                "basis", "comparisons", "currency", "day", "experiment", "health", "notes", "plannedUnits", "state", "unconverted",
                "unitsLeft", "variations",
            ])
        #expect(health?.keys.sorted() == ["crossovers", "echoed", "fallbackFirst", "matured", "ratio", "ratioParts", "shownOverDecided"])
        #expect(ratio?.keys.sorted() == ["chiSquare", "chiSquareP", "ok", "p"])
        #expect(
            variation?.keys.sorted() == [
                "cap", "conversions", "mean", "meanUncapped", "rate", "rateInterval", "units", "variation",
            ])
        #expect(
            comparison?.keys.sorted() == [
                "adjustedP", "control", "decidedOnDay", "difference", "expectedLoss", "interval", "lift", "liftInterval",
                "metric", "p",
                "probabilityBetter", "role", "segment", "standardError", "variation", "verdict",
            ])
        #expect(comparison?["verdict"] as? String == "not decided" && comparison?["interval"] is NSNull)
    }
}
