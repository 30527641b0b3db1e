// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// How the interval of a variation narrowed as units came: a picture that the server draws, and the same numbers in a table.
struct ExperimentBand {
    /// The newest ones are drawn.
    static let mostPoints = 92
    private static let width = 920.0, height = 220.0
    /// Lifts are cut here, so that one wide interval leaves the others readable.
    private static let mostShown = -1.0...3.0

    /// Tells pictures of one page apart.
    let number: Int
    let name: String
    let band: ResultsBand
    let language: Language

    private var words: ExperimentWords { Words(language).experiments }
    private var points: ArraySlice<ResultsBand.Point> { band.points.suffix(Self.mostPoints) }

    /// Nil with less than two days: there is nothing to follow.
    var html: HTML? {
        guard points.count > 1, let last = points.last else { return nil }
        let range = range
        return details {
            summary { name }
            figure(.class("chart")) {
                div(.class("plot")) {
                    p(.class("top"), Attribute("aria-hidden", "true")) { label(range.upperBound) }
                    drawing(range, last)
                    p(.class("ends"), Attribute("aria-hidden", "true")) {
                        span { label(range.lowerBound) }
                        span { words.units(last.units) }
                    }
                }
                figcaption {
                    span(.class("key estimate")) { words.estimate }
                    span(.class("key")) { words.bandInterval }
                    span(.class("key zero")) { words.zero }
                    if points.contains(where: \.opensEpoch) { span(.class("key epoch")) { words.newEpoch } }
                }
                details {
                    summary { words.words.asTable }
                    numbers
                }
            }
        }
    }

    private var range: ClosedRange<Double> {
        let lower = points.reduce(0) { min($0, $1.interval.lower) }, upper = points.reduce(0) { max($0, $1.interval.upper) }
        return Self.shown(lower...upper, isRelative: band.isRelative)
    }

    /// The axis for a range of values, of which 0 is one.
    static func shown(_ range: ClosedRange<Double>, isRelative: Bool) -> ClosedRange<Double> {
        let shown = isRelative ? max(range.lowerBound, mostShown.lowerBound)...min(range.upperBound, mostShown.upperBound) : range
        return shown.lowerBound < shown.upperBound ? shown : shown.lowerBound - 1...shown.upperBound + 1
    }

    private func label(_ value: Double) -> String { band.isRelative ? language.lift(value) : language.signed(value, 4) }

    private func drawing(_ range: ClosedRange<Double>, _ last: ResultsBand.Point) -> HTML {
        let most = Double(max(1, last.units)), span = range.upperBound - range.lowerBound
        func x(_ point: ResultsBand.Point) -> String { Self.text(Self.width * min(1, Double(point.units) / most)) }
        func y(_ value: Double) -> String {
            Self.text(Self.height * (range.upperBound - min(max(value, range.lowerBound), range.upperBound)) / span)
        }
        let upper = points.map { "\(x($0)) \(y($0.interval.upper))" }
        let lower = points.reversed().map { "\(x($0)) \(y($0.interval.lower))" }
        let middle = points.map { "\(x($0)) \(y($0.estimate))" }
        let finding = words.bandFinding(
            label(last.estimate), "\(label(last.interval.lower)) … \(label(last.interval.upper))", units: last.units)
        return svg(
            Attribute("viewBox", "0 0 \(Int(Self.width)) \(Int(Self.height))"), Attribute("preserveAspectRatio", "none"),
            Attribute("role", "img"), Attribute("aria-labelledby", "band-\(number)-title band-\(number)-desc")
        ) {
            title(.id("band-\(number)-title")) { name }
            desc(.id("band-\(number)-desc")) { finding }
            path(.class("band"), Attribute("d", "M" + (upper + lower).joined(separator: "L") + "Z")) {}
            path(.class("zero"), Attribute("d", "M0 \(y(0))h\(Int(Self.width))")) {}
            for point in points where point.opensEpoch {
                path(.class("epoch"), Attribute("d", "M\(x(point)) 0v\(Int(Self.height))")) {}
            }
            path(.class("estimate"), Attribute("d", "M" + middle.joined(separator: "L"))) {}
        }
    }

    private var numbers: HTML {
        scrollingTable(
            name, titles: [words.words.day], numbers: [words.units, words.estimate, words.from, words.to]
        ) {
            for point in points {
                tr {
                    th(Attribute("scope", "row")) {
                        words.day(point.day)
                        if point.opensEpoch { span(.class("quiet line")) { words.newEpoch } }
                    }
                    td(.class("number")) { words.count(point.units) }
                    td(.class("number")) { label(point.estimate) }
                    td(.class("number")) { label(point.interval.lower) }
                    td(.class("number")) { label(point.interval.upper) }
                }
            }
        }
    }

    /// At most one decimal.
    static func text(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
