// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// Whether an experiment's numbers can be trusted. The verdict has the worst of it, and leads here.
struct ExperimentHealth {
    enum Outcome { case good, look, failed, fact }

    let results: ResultsDocument
    let language: Language

    private var words: ExperimentWords { Words(language).experiments }

    var html: HTML {
        section(.class("block"), .id("health")) {
            h2 { words.health }
            scrollingTable(words.health, titles: [words.check, words.state, words.finding]) {
                ratio
                for part in results.health.ratioParts where !part.ok {
                    row(words.ratio(of: part.by), .look, "\(words.source(part.value)): \(words.atAnyLook(ratioText(part.units), language.probability(part.adjustedP)))")
                }
                if let shown = results.health.shownOverDecided { shownRow(shown) }
                if let crossovers = results.health.crossovers {
                    row(words.crossovers, Self.areMany(crossovers) ? .look : .good, words.ofUnits(language.rate(crossovers)))
                }
                if let matured = results.health.matured { row(words.windowOver, .fact, words.ofUnits(language.share(matured))) }
                if let echoed = results.health.echoed { row(words.echoed, .fact, words.units(echoed)) }
                if let first = results.health.fallbackFirst { row(words.fallbackFirst, .fact, words.units(first)) }
            }
        }
    }

    /// The worst of all checks.
    var summary: HTML {
        let health = results.health
        if !health.ratio.ok || health.shownOverDecided?.ok == false { return state(.failed) }
        return state(health.ratioParts.contains { !$0.ok } || Self.areMany(health.crossovers) ? .look : .good)
    }

    private static func areMany(_ crossovers: Double?) -> Bool { crossovers ?? 0 > 0.01 }

    private var ratio: HTML {
        let ratio = results.health.ratio
        return row(
            words.ratio, ratio.ok ? .good : .failed,
            words.atAnyLook(ratioText(results.variations.map(\.units)), language.probability(ratio.p)))
    }

    private func ratioText(_ units: [Int]) -> String { units.map(words.count).joined(separator: " : ") }

    private func shownRow(_ shown: ResultsDocument.Health.ShownOverDecided) -> HTML {
        let shares = results.variations.map { "\($0.variation) \(language.rate(shown.byVariation[$0.variation] ?? 0))" }
        let finding = shares.joined(separator: ", ") + ", " + language.probability(shown.p)
        return row(words.shownOfDecided, shown.ok ? .good : .failed, finding, shown.ok ? nil : words.decidedCompared)
    }

    private func row(_ name: String, _ outcome: Outcome, _ finding: String, _ more: String? = nil) -> HTML {
        tr {
            th(Attribute("scope", "row")) { name }
            td { state(outcome) }
            td {
                finding
                if let more { span(.class("quiet line")) { more } }
            }
        }
    }

    private func state(_ outcome: Outcome) -> HTML {
        switch outcome {
        case .good: span(.class("badge good")) { words.name(of: outcome) }
        case .look: span(.class("badge")) { words.name(of: outcome) }
        case .failed: span(.class("badge bad")) { words.name(of: outcome) }
        case .fact: HTML(words.name(of: outcome))
        }
    }
}
