// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallResults

/// The results as a picture: the cumulative band of each variation where days were noted, else an interval for each comparison.
struct ResultsPicture {
    private static let width = 760.0
    private static let left = 190.0
    private static let right = 730.0

    private let results: ResultsDocument
    private let numbers: ExperimentNumbers

    init(_ results: ResultsDocument, _ numbers: ExperimentNumbers) { (self.results, self.numbers) = (results, numbers) }

    var text: String {
        let bands = numbers.variations.indices.dropFirst().map {
            (numbers.variations[$0], ResultsBand(numbers, variation: $0))
        }
        .filter { $0.1.points.count > 1 }
        var y = 64.0, parts: [String] = []
        for (name, band) in bands {
            parts.append(plot(name, band, top: y))
            y += 260
        }
        let shown = results.comparisons.filter { $0.interval != nil }
        parts.append(forest(shown, top: y))
        y += Double(shown.count) * 30 + 40
        let title = results.experiment ?? "Experiment", units = results.variations.reduce(0) { $0 + $1.units }
        let remark =
            results.isSuppressed ? "Sample ratio failed: every verdict is suppressed" : "Intervals are valid at any look"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(Self.width)) \(n(y))" font-family="system-ui, sans-serif" font-size="13">
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="20" y="30" font-size="18" font-weight="600">\(escaped(title))</text>
            <text x="20" y="50" fill="#555">\(ResultsFigures.count(units)) units \(results.basis.rawValue) · \(remark)</text>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func plot(_ name: String, _ band: ResultsBand, top: Double) -> String {
        let bottom = top + 200, most = Double(band.points.map(\.units).max() ?? 1)
        let y = scale(band.points.map(\.interval), isRelative: band.isRelative, from: bottom, to: top + 20)
        func x(_ point: ResultsBand.Point) -> Double {
            Self.left + (Self.right - Self.left) * Double(point.units) / max(1, most)
        }
        let upper = band.points.map { "\(n(x($0))),\(n(y($0.interval.upper)))" }
        let lower = band.points.reversed().map { "\(n(x($0))),\(n(y($0.interval.lower)))" }
        let middle = band.points.map { "\(n(x($0))),\(n(y($0.estimate)))" }
        let epochs = band.points.filter(\.opensEpoch).map { point in
            "<line x1=\"\(n(x(point)))\" x2=\"\(n(x(point)))\" y1=\"\(n(top + 20))\" y2=\"\(n(bottom))\" stroke=\"#999\" stroke-dasharray=\"2 3\"/>"
        }
        let last = band.points[band.points.count - 1]
        func label(_ value: Double) -> String { band.isRelative ? ResultsFigures.lift(value) : ResultsFigures.signed(value, 4) }
        return """
            <text x="20" y="\(n(top + 10))" font-weight="600">\(escaped(name)) against \(escaped(numbers.variations[0])): \
            \(band.isRelative ? "lift" : "difference") of \(escaped(numbers.primary.name)), by units</text>
            <polygon points="\((upper + lower).joined(separator: " "))" fill="#4477aa" fill-opacity="0.18"/>
            <polyline points="\(middle.joined(separator: " "))" fill="none" stroke="#4477aa" stroke-width="2"/>
            \(zero(y(0), "x"))
            \(epochs.joined())
            <text x="\(n(Self.left - 8))" y="\(n(y(0) + 4))" text-anchor="end">0</text>
            <text x="\(n(Self.left - 8))" y="\(n(y(last.interval.upper) - 8))" text-anchor="end">\(label(last.interval.upper))</text>
            <text x="\(n(Self.left - 8))" y="\(n(y(last.interval.lower) + 16))" text-anchor="end">\(label(last.interval.lower))</text>
            <text x="\(n(Self.right))" y="\(n(bottom + 18))" text-anchor="end" fill="#555">\(ResultsFigures.count(last.units)) units</text>
            """
    }

    private func forest(_ shown: [ResultsDocument.Comparison], top: Double) -> String {
        let relative = shown.allSatisfy { $0.liftInterval != nil }
        let intervals = shown.compactMap { relative ? $0.liftInterval : $0.interval }
        let x = scale(intervals, isRelative: relative, from: Self.left, to: Self.right - 110)
        let rows = zip(shown, intervals).enumerated().map { place, pair in
            let (one, interval) = pair, y = top + 20 + Double(place) * 30
            let name = [one.variation, one.segment ?? one.metric].joined(separator: ", ")
            return """
                <text x="20" y="\(n(y + 4))">\(escaped(name.count > 24 ? name.prefix(23) + "…" : name))</text>
                <line x1="\(n(x(interval.lower)))" x2="\(n(x(interval.upper)))" y1="\(n(y))" y2="\(n(y))" stroke="#222" stroke-width="2"/>
                <circle cx="\(n(x((relative ? one.lift : one.difference) ?? 0)))" cy="\(n(y))" r="4" fill="#222"/>
                <text x="\(n(Self.right))" y="\(n(y + 4))" text-anchor="end">\(one.verdict.rawValue)</text>
                """
        }
        let bottom = top + Double(shown.count) * 30 + 4
        return """
            <line x1="\(n(x(0)))" x2="\(n(x(0)))" y1="\(n(top))" y2="\(n(bottom))" stroke="#999" stroke-dasharray="4 3"/>
            <text x="\(n(x(0)))" y="\(n(bottom + 16))" text-anchor="middle" fill="#555">0 (\(relative ? "lift" : "difference"))</text>
            \(rows.joined(separator: "\n"))
            """
    }

    private func zero(_ at: Double, _ axis: String) -> String {
        "<line x1=\"\(n(Self.left))\" x2=\"\(n(Self.right))\" y1=\"\(n(at))\" y2=\"\(n(at))\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>"
    }

    /// Values as x coordinates; lifts are clipped at −100 % and +300 %.
    private func scale(_ intervals: [Interval], isRelative: Bool, from: Double, to: Double) -> (Double) -> Double {
        let bounds = isRelative ? -1.0...3.0 : -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        let lower = max(bounds.lowerBound, min(0, intervals.map(\.lower).min() ?? 0))
        let upper = min(bounds.upperBound, max(0, intervals.map(\.upper).max() ?? 0))
        let span = upper > lower ? upper - lower : 1
        return { from + (to - from) * ((min(max($0, lower), upper) - lower) / span) }
    }

    private func n(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: some StringProtocol) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // XML has no control characters, not even escaped.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
