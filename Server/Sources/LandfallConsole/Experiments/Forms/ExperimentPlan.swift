// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallResults
import LandfallRules

/// How many units a new experiment needs, and how long they take to come.
struct ExperimentPlan: Hashable, Sendable {
    /// What the reports counted for it.
    struct Counted: Hashable, Sendable {
        let traffic: PlacementTraffic
        let placement: String
        /// Nil where all of the placement was counted.
        var audience: String?
    }

    /// What the form asks for.
    struct Question: Hashable, Sendable {
        let metric: String
        /// Nil for a metric that the served configuration does not have.
        var windowDays: Int64?
        /// Money has no rate.
        var isMoney = false
        var variations = 2
        var isEqual = true
    }

    /// The largest `plannedUnits` of an experiment.
    private static let mostUnits = 1_000_000_000
    private static let mostDays = 36_500.0

    let question: Question
    /// Nil where nothing of the form is counted.
    let counted: Counted?
    /// Nil without a rate.
    let plan: Plan?
    private let rate: Double?
    private let effect: Double
    private let unitsPerDay: Double?

    /// - Parameter form: with `effect`; what is in `rate` and `perDay` counts in place of what was counted.
    /// - Throws: a ``ConfigurationFormRefusal`` at the field that cannot be.
    init(_ question: Question, counted: Counted?, _ form: ConfigurationFormChange) throws {
        let words = form.words.experiments
        guard let effect = Self.share(form.field("effect")), effect != 0 else { throw ConfigurationFormRefusal("effect", words.needsEffect) }
        (self.question, self.counted, self.effect) = (question, counted, effect)
        if form.field("perDay").isEmpty { unitsPerDay = counted?.traffic.unitsPerDay } else {
            unitsPerDay = Self.number(form.field("perDay").filter { $0 != "," })
            guard let unitsPerDay, unitsPerDay > 0 else { throw ConfigurationFormRefusal("perDay", words.needsUnitsPerDay) }
        }
        if question.isMoney {
            (rate, plan) = (nil, nil)
            return
        }
        if form.field("rate").isEmpty { rate = counted?.traffic.rate.flatMap { $0 > 0 && $0 < 1 ? $0 : nil } } else {
            rate = Self.share(form.field("rate"))
            guard let rate, rate > 0, rate < 1 else { throw ConfigurationFormRefusal("rate", words.needsRate) }
        }
        guard let rate else {
            plan = nil
            return
        }
        guard (0..<1).contains(rate * (1 + effect)), effect > -1 else { throw ConfigurationFormRefusal("effect", words.needsEffect) }
        plan = try? Plan(rate: rate, effect: effect, variations: question.variations)
        guard let plan, plan.plannedUnits <= Self.mostUnits, unitsPerDay.map({ plan.exactDays(unitsPerDay: $0) < Self.mostDays }) ?? true else {
            throw ConfigurationFormRefusal("effect", words.tooSmallEffect)
        }
    }

    /// Of the experiment, as the file has it.
    var plannedUnits: Int64? { plan.map { Int64($0.plannedUnits) } }

    /// Nothing is computed, or no days, until somebody writes what the reports do not have.
    var lacksNumbers: Bool { !question.isMoney && (plan == nil || unitsPerDay == nil) }

    /// 10, 10 % or 0.5 %.
    private static func share(_ text: String) -> Double? {
        number(text.filter { $0 != "%" && $0 != " " }.replacing(",", with: ".")).map { $0 / 100 }
    }

    private static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    /// What it takes, in sentences, and what that was computed from.
    func sentences(_ words: ExperimentWords) -> [String] {
        let language = words.language
        guard !question.isMoney else { return [words.moneyHasNoRate(question.metric)] }
        var sentences: [String] = []
        if let plan, let rate {
            let (from, to) = (language.rate(rate), language.rate(rate * (1 + effect)))
            sentences.append(words.needs(plan.unitsPerVariation, all: plan.units, from: from, to: to, language.lift(effect)))
            if let unitsPerDay {
                let daily = language.decimal(unitsPerDay, unitsPerDay < 10 ? 1 : 0), window = Int(question.windowDays ?? Metric.usualWindowDays)
                sentences.append(words.takes(plan.days(unitsPerDay: unitsPerDay), at: daily, window: window))
            } else {
                sentences.append(words.unitsPerDayMissing)
            }
            if !question.isEqual { sentences.append(words.computedForEqual) }
        } else {
            sentences.append(counted == nil ? words.nothingCounted : words.rateMissing(question.metric))
        }
        if let counted { sentences.append(words.computed(from: counted, question.metric)) }
        return sentences
    }
}
