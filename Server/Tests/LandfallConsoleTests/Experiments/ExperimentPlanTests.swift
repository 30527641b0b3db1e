// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallReports
@testable import LandfallResults
@testable import LandfallRules

@Suite("How long a new experiment takes", .timeLimit(.minutes(1)))
struct ExperimentPlanTests {
    private static func plan(
        _ form: [String: String], counted: ExperimentPlan.Counted? = nil, _ change: (inout ExperimentPlan.Question) -> Void = { _ in }
    ) throws -> ExperimentPlan {
        let node = ConfigurationNode(place: .start, content: .mapping([]))
        let document = try #require(ConfigurationDocument(number: 1, text: "metrics: { trial: { event: trial_started } }"))
        var question = ExperimentPlan.Question(metric: "trial", windowDays: 7)
        change(&question)
        return try ExperimentPlan(
            question, counted: counted,
            ConfigurationFormChange(words: Words(.english), form: form, document: document, section: "experiments", name: "price", node: node))
    }

    /// 600 units in 20 days, of whom 30 converted.
    private static func counted(converted: Double? = 30) throws -> ExperimentPlan.Counted {
        let report = ReportDocument(
            report: "paywalls", from: "2026-11-01", to: "2026-11-28", timeZone: "UTC", completeToMilliseconds: 1, by: ["day", "placement"],
            columns: [],
            rows: [.init(key: ["day": "2026-11-09", "placement": "home"], values: ["shown": 600, "converted.trial": converted])], totals: [:])
        let traffic = try #require(PlacementTraffic(report, placement: "home", metric: "trial"))
        return ExperimentPlan.Counted(traffic: traffic, placement: "home")
    }

    @Test("is what landfall plan computes, from numbers that were counted or written; what is written goes first")
    func computed() throws {
        let expected = try Plan(rate: 0.05, effect: 0.1), words = Words(.english).experiments

        let counted = try Self.plan(["effect": "10"], counted: Self.counted())
        let written = try Self.plan(["effect": "10 %", "rate": "5,0%", "perDay": "1,200"], counted: Self.counted())

        #expect(counted.plan == expected && written.plan == expected && !counted.lacksNumbers)
        let days = expected.days(unitsPerDay: 30)
        #expect(
            counted.sentences(words) == [
                words.needs(59_804, all: 119_608, from: "5.00 %", to: "5.50 %", "+10.0 %"), words.takes(days, at: "30", window: 7),
                "Counted at home from 9 Nov to 28 Nov: 600 units, 30 of them with trial.",
            ])
        let takes = written.sentences(words)[1]
        #expect(takes.hasPrefix("At 1,200 units a day they come in 105 days, ") && takes.hasSuffix(" on day 112."))
    }

    @Test("asks for what is not known: nothing was counted, nobody converted, or only the rate was written")
    func unknown() throws {
        let words = Words(.english).experiments

        let nothing = try Self.plan(["effect": "10"]), nobody = try Self.plan(["effect": "10"], counted: Self.counted(converted: 0))
        let uncounted = try Self.plan(["effect": "10"], counted: Self.counted(converted: nil)), rate = try Self.plan(["effect": "10", "rate": "5"])

        #expect(nothing.sentences(words) == [words.nothingCounted])
        #expect(nobody.sentences(words).first == words.rateMissing("trial") && uncounted.sentences(words).first == words.rateMissing("trial"))
        #expect(rate.sentences(words).count == 2 && rate.sentences(words)[1] == words.unitsPerDayMissing)
        for plan in [nothing, nobody, uncounted, rate] { #expect(plan.lacksNumbers) }
    }

    @Test("is not computed for money, and says for which weights it is", arguments: Language.allCases)
    func special(language: Language) throws {
        let words = Words(language).experiments, numbers = ["effect": "10", "rate": "5", "perDay": "900"]

        let money = try Self.plan(numbers) { $0.isMoney = true }
        let unequal = try Self.plan(numbers) { ($0.isEqual, $0.variations) = (false, 3) }

        #expect(money.plan == nil && money.sentences(words) == [words.moneyHasNoRate("trial")] && !money.lacksNumbers)
        #expect(unequal.plan?.variations == 3 && unequal.sentences(words).contains(words.computedForEqual))
    }

    @Test(
        "refuses numbers at their fields",
        arguments: [
            (["effect": ""], "effect"), (["effect": "0"], "effect"), (["effect": "inf"], "effect"), (["effect": "-100"], "effect"),
            (["effect": "1900"], "effect"), (["effect": "0.00001"], "effect"), (["effect": "0.5", "perDay": "1"], "effect"),
            (["rate": "0"], "rate"), (["rate": "100"], "rate"), (["rate": "x"], "rate"), (["perDay": "0"], "perDay"), (["perDay": "nan"], "perDay"),
        ] as [([String: String], String)])
    func refused(form: [String: String], field: String) {
        let whole = ["effect": "10", "rate": "5", "perDay": "900"].merging(form) { $1 }

        do {
            _ = try Self.plan(whole)
            Issue.record("It was taken.")
        } catch {
            #expect((error as? ConfigurationFormRefusal)?.problems.map(\.field) == [field])
        }
    }

    @Test(
        "An experiment without a name gets one from its question, within the longest one and not taken",
        arguments: [
            ("Do more people start at half the price?", "do-more-people-start-at-half-the-price"), ("Price: 9.99 or 4.99", "price-9-99-or-4-99"),
            ("価格を半分に?", "experiment"), ("--", "experiment"), ("taken", "taken-3"),
            (String(repeating: "long ", count: 30), "long-long-long-long-long-long-long-long"),
        ])
    func name(question: String, name: String) {
        let made = NewExperiment.name(from: question) { ["taken", "taken-2"].contains($0) }

        #expect(made == name && made.utf8.count <= Experiment.longestName)
    }
}
