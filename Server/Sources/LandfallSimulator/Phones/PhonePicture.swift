// SPDX-License-Identifier: Apache-2.0

/// Both distributions of the time to paywall, one above the other, as SVG.
package struct PhonePicture: Sendable {
    private let report: PhoneReport
    private let results: PhoneResults
    private let bins: TimeBins

    private static let (width, height, left, panel) = (760.0, 340.0, 40.0, 110.0)
    private static let ink = "#6e7781"

    package init(_ report: PhoneReport, _ results: PhoneResults) {
        self.report = report
        self.results = results
        bins = TimeBins(width: 0.1, upTo: report.deadlineSeconds + 0.5)
    }

    package var svg: String {
        let title = "Time to paywall of \(report.phones) first opens, scenario “\(report.scenario)”, seed \(report.seed)"
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(Self.width)) \(number(Self.height))" \
            font-family="system-ui, sans-serif" font-size="13" fill="\(Self.ink)" role="img">
            """,
            "<title>\(title)</title>",
            "<text x=\"\(number(Self.left))\" y=\"20\" font-size=\"15\">\(title)</text>",
        ]
        parts += panel("Landfall", results.landfall, median: report.landfall?.p50, colour: "#2da44e", base: 160)
        if let documented = report.documented {
            parts += panel("the documented way", results.documented, median: documented.p50, colour: "#bf8700", base: 300)
        }
        parts += axis
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private func panel(_ name: String, _ times: [Double], median: Double?, colour: String, base: Double) -> [String] {
        let counts = bins.counts(times)
        let tallest = Double(max(1, counts.max() ?? 1))
        var parts = [
            "<line x1=\"\(number(Self.left))\" x2=\"\(number(x(bins.width * Double(counts.count))))\" y1=\"\(number(base))\" y2=\"\(number(base))\" stroke=\"\(Self.ink)\"/>"
        ]
        for (bin, count) in counts.enumerated() where count > 0 {
            let tall = max(1, Self.panel * Double(count) / tallest)
            parts.append(
                """
                <rect x="\(number(x(bins.starts[bin])))" y="\(number(base - tall))" width="\(number(x(bins.width) - x(0) - 1))" \
                height="\(number(tall))" fill="\(colour)"><title>\(count)</title></rect>
                """
            )
        }
        let median = median.map { ", median \($0.rounded(to: 2)) s" } ?? ""
        parts.append("<text x=\"\(number(x(1.7)))\" y=\"\(number(base - 80))\" fill=\"\(colour)\">\(name)\(median)</text>")
        return parts
    }

    private var axis: [String] {
        (0...Int(report.deadlineSeconds)).map { second in
            let label = second == Int(report.deadlineSeconds) ? "\(second) s, the deadline" : "\(second)"
            return "<text x=\"\(number(x(Double(second))))\" y=\"325\" text-anchor=\"middle\">\(label)</text>"
        }
    }

    private func x(_ seconds: Double) -> Double {
        Self.left + seconds * (Self.width - 2 * Self.left) / (bins.width * Double(bins.starts.count))
    }

    private func number(_ value: Double) -> String { "\(value.rounded(to: 1))" }
}
