// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// The intervals of all variations against the control, below each other on one axis. The picture repeats what its text says.
struct ExperimentIntervals {
    private static let width = 920.0, height = 20.0

    let comparisons: [ResultsDocument.Comparison]
    let language: Language

    private struct Bar {
        let interval: Interval
        let estimate: Double?
    }

    private var words: ExperimentWords { Words(language).experiments }
    /// Lifts where every interval has one, else differences.
    private var isRelative: Bool { comparisons.allSatisfy { $0.interval == nil || $0.liftInterval != nil } }

    private func bar(_ one: ResultsDocument.Comparison) -> Bar? {
        isRelative
            ? one.liftInterval.map { Bar(interval: $0, estimate: one.lift) } : one.interval.map { Bar(interval: $0, estimate: one.difference) }
    }

    private func label(_ value: Double) -> String { isRelative ? language.lift(value) : language.signed(value, 4) }

    /// Nil where nothing has an interval.
    var html: HTML? {
        let bars = comparisons.compactMap(bar)
        guard !bars.isEmpty else { return nil }
        let lower = bars.reduce(0) { min($0, $1.interval.lower) }, upper = bars.reduce(0) { max($0, $1.interval.upper) }
        let shown = ExperimentBand.shown(lower...upper, isRelative: isRelative)
        return figure(.class("chart")) {
            ul(.class("funnel")) {
                for one in comparisons {
                    li {
                        p(.class("head")) {
                            span { words.against(one.variation, one.control) }
                            span { text(one) }
                        }
                        if let bar = bar(one) { drawing(bar, shown) }
                    }
                }
            }
            p(.class("ends"), Attribute("aria-hidden", "true")) {
                span { label(shown.lowerBound) }
                span { label(shown.upperBound) }
            }
            figcaption {
                span(.class("key estimate")) { words.estimate }
                span(.class("key")) { words.bandInterval }
                span(.class("key zero")) { words.zero }
            }
        }
    }

    private func text(_ one: ResultsDocument.Comparison) -> String {
        guard let bar = bar(one) else { return words.tooFew }
        let interval = isRelative ? language.lift(bar.interval) : "\(label(bar.interval.lower)) … \(label(bar.interval.upper))"
        return bar.estimate.map { "\(label($0)) (\(interval))" } ?? interval
    }

    private func drawing(_ bar: Bar, _ shown: ClosedRange<Double>) -> HTML {
        func x(_ value: Double) -> String {
            let share = (min(max(value, shown.lowerBound), shown.upperBound) - shown.lowerBound) / (shown.upperBound - shown.lowerBound)
            return ExperimentBand.text(Self.width * share)
        }
        return svg(
            Attribute("viewBox", "0 0 \(Int(Self.width)) \(Int(Self.height))"), Attribute("preserveAspectRatio", "none"),
            Attribute("aria-hidden", "true")
        ) {
            path(.class("band"), Attribute("d", "M\(x(bar.interval.lower)) 3V17H\(x(bar.interval.upper))V3Z")) {}
            path(.class("zero"), Attribute("d", "M\(x(0)) 0v\(Int(Self.height))")) {}
            if let estimate = bar.estimate { path(.class("estimate"), Attribute("d", "M\(x(estimate)) 3v14")) {} }
        }
    }
}
