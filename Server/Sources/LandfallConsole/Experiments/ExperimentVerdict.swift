// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// What an experiment says, what to do about it, and a picture of the intervals: the first block of its page.
struct ExperimentVerdict {
    /// What a reader does next.
    enum Step: Hashable, Sendable {
        /// The numbers cannot be trusted.
        case look
        /// Nothing is left to decide: everyone sees this variation.
        case over(String)
        /// These variations are higher.
        case show([String])
        case keep
        /// For about so many days; nil where the pace is not known.
        case run(days: Int?)
        /// The planned units are there.
        case choose
    }

    let state: ExperimentState
    let results: ResultsDocument
    let language: Language
    /// Nothing is known of its primary metric, or it has none: a note says what to do.
    var lacksMetric = false

    private var words: ExperimentWords { Words(language).experiments }
    private var control: String { results.variations.first?.variation ?? "" }
    private var primary: [ResultsDocument.Comparison] { results.comparisons.filter { $0.role == .primary } }

    /// The same verdicts as everywhere, read as an advice; nil with nothing to compare.
    var step: Step? {
        switch state {
        case .promoted(let variation): return .over(variation)
        case .stopped: return .over(control)
        case .draft, .live: break
        }
        if results.isSuppressed { return .look }
        guard !primary.isEmpty, !lacksMetric else { return nil }
        let higher = primary.filter { $0.verdict == .higher }.map(\.variation)
        if !higher.isEmpty { return .show(higher) }
        if primary.allSatisfy({ $0.verdict == .lower }) { return .keep }
        return results.unitsLeft > 0 ? .run(days: daysLeft) : .choose
    }

    /// At the pace of the smallest pair so far.
    private var daysLeft: Int? {
        let units = results.plannedUnits - results.unitsLeft
        guard let day = results.day, day > 0, units > 0 else { return nil }
        let days = (Double(results.unitsLeft) * Double(day) / Double(units)).rounded(.up)
        return days < 3_650 ? Int(days) : nil
    }

    private var harmed: [ResultsDocument.Comparison] { results.comparisons.filter { $0.role == .guardrail && $0.verdict == .harmed } }

    var html: HTML {
        section(.class("block")) {
            h2 { words.verdict }
            if results.isSuppressed {
                div(.class("alert"), Attribute("role", "status")) { p { words.suppressed } }
            } else if primary.isEmpty {
                p { words.alone }
            } else {
                for one in primary {
                    p { strong { words.sentence(one.verdict, one.variation, on: one.metric, day: one.decidedOnDay) } }
                }
            }
            if let step {
                h3 { words.whatToDo }
                p { words.sentence(step, control, metric: primary.first?.metric ?? "") }
                for one in harmed { p { words.harms(one.variation, one.metric) } }
            }
            if !results.isSuppressed, !primary.isEmpty {
                ExperimentIntervals(comparisons: primary, language: language).html
                if primary.contains(where: { $0.verdict != .notDecided && $0.units < results.plannedUnits }) {
                    p(.class("note")) { words.earlyStop }
                }
                if primary.contains(where: { $0.verdict == .notDecided }) { p(.class("note")) { words.notNoDifference } }
                p(.class("note")) { words.unitsLeft(results.unitsLeft, of: results.plannedUnits) }
            }
            p(.class("toolbar")) {
                a(.href(Place(part: "health"))) { words.health }
                ExperimentHealth(results: results, language: language).summary
            }
        }
    }
}
