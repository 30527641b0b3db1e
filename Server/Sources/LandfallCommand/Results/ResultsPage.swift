// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// The results of an experiment as a page for the terminal, at most 100 characters wide, in the order in which to read it.
struct ResultsPage {
    static let width = 100
    private static let mostDays = 30
    private static let lineWidth = 36

    private let results: ResultsDocument
    private let numbers: ExperimentNumbers

    init(_ results: ResultsDocument, _ numbers: ExperimentNumbers) { (self.results, self.numbers) = (results, numbers) }

    var lines: [String] {
        let parts = [
            [title], health, verdict, notes, variations, comparisons("Against \(control)", .primary), days,
            comparisons("Guardrails", .guardrail), comparisons("Secondary metrics (exploratory)", .secondary),
            comparisons("Segments (exploratory)", .segment), explanation,
        ]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""])).map(fitted)
    }

    private var control: String { results.variations.first?.variation ?? "" }

    private var title: String {
        let units = results.variations.reduce(0) { $0 + $1.units }
        let parts = [
            results.experiment, results.state, results.day.map { "day \($0)" },
            "\(ResultsFigures.count(units)) units \(results.basis.rawValue)",
        ]
        return parts.compactMap { $0 }.joined(separator: "  ·  ")
    }

    private var health: [String] {
        let ratio = results.health.ratio,
            counts = results.variations.map { ResultsFigures.count($0.units) }.joined(separator: " : ")
        var lines = [
            "Health", row(ratio.ok ? "ok" : "FAILED", "sample ratio", "\(counts), \(ResultsFigures.p(ratio.p)) at any look"),
        ]
        for part in results.health.ratioParts where !part.ok {
            let counts = part.units.map(ResultsFigures.count).joined(separator: " : ")
            lines.append(row("look", "ratio of \(part.by)", "\(part.value): \(counts), \(ResultsFigures.p(part.adjustedP))"))
        }
        if let shown = results.health.shownOverDecided {
            let shares = results.variations.map {
                "\($0.variation) \(ResultsFigures.percent(shown.byVariation[$0.variation] ?? 0))"
            }
            lines.append(
                row(
                    shown.ok ? "ok" : "FAILED", "shown of decided",
                    shares.joined(separator: ", ") + ", \(ResultsFigures.p(shown.p))"))
            if !shown.ok {
                lines.append(
                    results.basis == .decided
                        ? "          Therefore all units with a decision are compared: one variation lost units between the decision and the paywall."
                        : "          Compare all units with a decision: one variation lost units between the decision and the paywall.")
            }
        }
        if let crossovers = results.health.crossovers {
            lines.append(
                row(crossovers > 0.01 ? "look" : "ok", "in two variations", ResultsFigures.percent(crossovers) + " of units"))
        }
        if let matured = results.health.matured {
            lines.append(row("", "window is over for", ResultsFigures.percent(matured) + " of units"))
        }
        if let echoed = results.health.echoed { lines.append(row("", "echoed by phones", ResultsFigures.count(echoed))) }
        if let first = results.health.fallbackFirst {
            lines.append(row("", "saw a fallback first", ResultsFigures.count(first)))
        }
        return lines
    }

    private func row(_ state: String, _ name: String, _ text: String) -> String {
        "  " + ResultsFigures.left(state, 8) + ResultsFigures.left(name, 22) + text
    }

    private var verdict: [String] {
        let primary = results.comparisons.filter { $0.role == .primary }
        guard !results.isSuppressed else {
            return [
                "Verdict", "  Suppressed: units did not come in the ratio of the weights. Something loses or adds units in one",
                "  variation; until it is found, no number below can be trusted.",
            ]
        }
        guard !primary.isEmpty else { return ["Verdict", "  There is one variation, and nothing to compare it with."] }
        var lines = ["Verdict"]
        for one in primary {
            let day = one.decidedOnDay.map { ", decided on day \($0)" } ?? ""
            let words = one.verdict == .notDecided ? "is not decided" : "is \(one.verdict.rawValue)"
            lines.append("  \(one.variation) \(words) on \(one.metric)\(day).")
        }
        if primary.contains(where: { $0.verdict != .notDecided && $0.units < results.plannedUnits }) {
            lines.append("  Effects at early stops run high; expect less.")
        }
        if primary.contains(where: { $0.verdict == .notDecided }) {
            let left = ResultsFigures.count(results.unitsLeft), planned = ResultsFigures.count(results.plannedUnits)
            lines.append("  Not decided does not mean that there is no difference: the intervals say what is possible.")
            lines.append(
                results.unitsLeft > 0
                    ? "  \(left) more units to the planned \(planned)." : "  The planned \(planned) units are there.")
        }
        return lines
    }

    private var notes: [String] { results.notes.isEmpty ? [] : ["To know"] + results.notes.map { "  " + $0 } }

    private var variations: [String] {
        let isRate = results.variations.contains { $0.rate != nil }
        let most = results.variations.compactMap { $0.rate ?? $0.mean }.max() ?? 0
        let head =
            "  " + ResultsFigures.left("", 24) + ResultsFigures.right("units", 13)
            + ResultsFigures.right(isRate ? "yes" : "not 0", 11)
        let rows = results.variations.enumerated().map { place, one in
            let value = one.rate ?? one.mean, name = place == 0 ? "\(one.variation), control" : one.variation
            let share = most > 0 ? max(0, value ?? 0) / most : 0
            let bar = String(repeating: "█", count: share > 0 ? max(1, Int(share * 30)) : 0)
            let text = one.rate.map(ResultsFigures.percent) ?? one.mean.map(ResultsFigures.mean) ?? "–"
            return "  " + ResultsFigures.left(name, 24) + ResultsFigures.right(ResultsFigures.count(one.units), 13)
                + ResultsFigures.right(one.conversions.map(ResultsFigures.count) ?? "–", 11) + ResultsFigures.right(text, 13)
                + "  " + bar
        }
        let mean = "mean" + (results.currency.map { " " + $0 } ?? "")
        var lines = ["\(numbers.primary.name) by variation", head + ResultsFigures.right(isRate ? "rate" : mean, 13)] + rows
        if let cap = results.variations.first?.cap {
            let means = results.variations.map { "\($0.variation) \($0.meanUncapped.map(ResultsFigures.mean) ?? "–")" }
            lines.append("  Each unit is capped at \(ResultsFigures.mean(cap)); uncapped: \(means.joined(separator: ", "))")
        }
        return lines
    }

    /// The lift where it has an interval, else the difference.
    private func comparisons(_ title: String, _ role: ResultsDocument.MetricRole) -> [String] {
        let all = results.comparisons.filter { $0.role == role }
        guard !all.isEmpty else { return [] }
        let line = IntervalLine(all.compactMap(\.liftInterval), isRelative: true, width: Self.lineWidth)
        let hasLine = all.contains { $0.liftInterval != nil }
        let rows = all.map { one in
            let name = [one.variation, role == .primary ? nil : (one.segment ?? one.metric)].compactMap { $0 }.joined(
                separator: ", ")
            let text: String, picture: String
            if let interval = one.liftInterval {
                text = "\(ResultsFigures.signed(interval.lower * 100, 1)) … \(ResultsFigures.lift(interval.upper))"
                picture = line.text(interval, estimate: one.lift)
            } else if let interval = one.interval {
                text = "\(ResultsFigures.signed(interval.lower, 4)) … \(ResultsFigures.signed(interval.upper, 4))"
                picture = "(difference; no interval of the lift)"
            } else {
                (text, picture) = ("too few to say", "")
            }
            return "  " + ResultsFigures.left(name, 16) + " " + ResultsFigures.left(text, 23)
                + ResultsFigures.left(picture, Self.lineWidth + 2)
                + one.verdict.rawValue
        }
        return ["\(title): lift, valid at any look"] + rows
            + (hasLine ? [String(repeating: " ", count: 42) + line.axis(ResultsFigures.lift)] : [])
    }

    /// The cumulative band, a day a line: the first variation against the control.
    private var days: [String] {
        let band = ResultsBand(numbers, variation: 1)
        guard band.points.count > 1 else { return [] }
        let shown = band.points.suffix(Self.mostDays)
        let line = IntervalLine(shown.map(\.interval), isRelative: band.isRelative, width: Self.lineWidth)
        let rows = shown.map { point in
            let text = band.isRelative ? ResultsFigures.lift(point.estimate) : ResultsFigures.signed(point.estimate, 4)
            return "  " + ResultsFigures.left("day \(point.day)", 10)
                + ResultsFigures.right(ResultsFigures.count(point.units), 12)
                + ResultsFigures.right(text, 13) + "     " + line.text(point.interval, estimate: point.estimate)
                + (point.opensEpoch ? "  new epoch" : "")
        }
        return ["\(numbers.variations[1]) against \(control), day by day (units, \(band.isRelative ? "lift" : "difference"))"]
            + rows
    }

    private var explanation: [String] {
        let rows = results.comparisons.filter { $0.role == .primary }.compactMap { one -> String? in
            guard !results.isSuppressed, let better = one.probabilityBetter, let loss = one.expectedLoss else { return nil }
            let isRate = results.variations.contains { $0.rate != nil }
            let lost = isRate ? ResultsFigures.decimal(loss * 100, 3) + " points" : ResultsFigures.mean(loss)
            return
                "  \(one.variation) above \(one.control): \(ResultsFigures.decimal(better * 100, 1)) %; choosing it loses \(lost) on average"
        }
        return rows.isEmpty ? [] : ["Explanation, not a verdict (Bayesian, from a flat start)"] + rows
    }

    private func fitted(_ line: String) -> String {
        var line = line.count > Self.width ? line.prefix(Self.width - 1) + "…" : line
        while line.last == " " { line.removeLast() }
        return line
    }
}
