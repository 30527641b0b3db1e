// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// The tables of an experiment: what each variation has, and how it compares with the control.
struct ComparisonTables {
    let results: ResultsDocument
    let language: Language

    private var words: ExperimentWords { Words(language).experiments }
    private var control: String { results.variations.first?.variation ?? "" }

    /// Each variation with its value, the interval of that value, and the lift.
    func variations(_ metric: String) -> HTML {
        let isMean = results.variations.contains { $0.mean != nil }, name = words.byVariation(metric)
        let mean = results.currency.map { words.mean(in: $0) } ?? words.mean
        return details {
            summary { name }
            scrollingTable(
                name, titles: [words.variation],
                numbers: [
                    words.units, words.converted, isMean ? mean : words.rate, words.interval, words.liftAgainst(control), words.verdict,
                ]
            ) {
                for (place, one) in results.variations.enumerated() {
                    let compared = results.comparisons.first { $0.role == .primary && $0.variation == one.variation }
                    tr {
                        th(Attribute("scope", "row")) { place == 0 ? words.control(one.variation) : one.variation }
                        td(.class("number")) { words.count(one.units) }
                        td(.class("number")) { one.units > 0 ? one.conversions.map(words.count) ?? "–" : "–" }
                        td(.class("number")) { value(one) }
                        td(.class("number")) { one.units > 0 ? one.rateInterval.map { language.rate($0) } ?? "–" : "–" }
                        td(.class("number")) { place > 0 ? compared.map(text) ?? words.tooFew : "–" }
                        td(.class("number")) { place > 0 ? compared.map { words.word($0.verdict) } ?? "–" : "–" }
                    }
                }
            }
            if let cap = results.variations.first?.cap {
                p(.class("note")) { words.capped(language.decimal(cap, 2), uncapped: uncapped) }
            }
        }
    }

    private var uncapped: String {
        results.variations.map { "\($0.variation) \($0.meanUncapped.map { language.decimal($0, 4) } ?? "–")" }.joined(separator: ", ")
    }

    /// Nothing where no comparison has this role; open where harm is done.
    /// - Parameter column: what the rows differ by, beside their variation.
    func table(_ name: String, _ role: ResultsDocument.MetricRole, of column: String, _ remark: String? = nil) -> HTML? {
        let all = results.comparisons.filter { $0.role == role }
        guard !all.isEmpty else { return nil }
        return details(.flag("open", all.contains { $0.verdict == .harmed })) {
            summary { name }
            if let remark { p(.class("note")) { remark } }
            scrollingTable(
                name, titles: [column, words.variation], numbers: [words.units, words.liftAgainst(control), words.verdict]
            ) {
                for one in all {
                    tr {
                        th(Attribute("scope", "row")) { one.segment.map { words.source($0) } ?? one.metric }
                        td { one.variation }
                        td(.class("number")) { words.count(one.units) }
                        td(.class("number")) { text(one) }
                        td(.class("number")) { words.word(one.verdict) }
                    }
                }
            }
        }
    }

    private func value(_ one: ResultsDocument.Variation) -> String {
        guard one.units > 0 else { return "–" }
        return one.rate.map { language.rate($0) } ?? one.mean.map { language.decimal($0, 4) } ?? "–"
    }

    /// The lift with its interval, else the difference with its own.
    private func text(_ one: ResultsDocument.Comparison) -> String {
        if let interval = one.liftInterval { return (one.lift.map { language.lift($0) + "  " } ?? "") + "(\(language.lift(interval)))" }
        if let interval = one.interval {
            return "\(words.difference) \(language.signed(interval.lower, 4)) … \(language.signed(interval.upper, 4))"
        }
        return words.tooFew
    }
}
