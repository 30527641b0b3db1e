// SPDX-License-Identifier: Apache-2.0

/// A report and its distributions as text, at most 80 columns wide.
package struct PhoneTable: Sendable {
    private let report: PhoneReport
    private let results: PhoneResults

    package init(_ report: PhoneReport, _ results: PhoneResults) {
        self.report = report
        self.results = results
    }

    package var lines: [String] {
        (table + [""] + distribution).map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    }

    private var table: [String] {
        let sides = [("documented", report.documented), ("Landfall", report.landfall)].compactMap { name, side in
            side.map { (name, $0) }
        }
        func row(_ title: String, _ value: (PhoneReport.Side) -> String, limit: (Quantiles) -> String = { _ in "" }) -> String {
            let cells = sides.map { value($0.1) } + [report.limit.map(limit) ?? ""]
            return padded(title, 34, toTheRight: false) + cells.map { padded($0, 12) }.joined()
        }
        let head = padded("", 34) + (sides.map(\.0) + [report.limit == nil ? "" : "limit"]).map { padded($0, 12) }.joined()
        var rows = [
            head,
            row("time to paywall, median", { seconds($0.p50) }, limit: { seconds($0.p50) }),
            row("  90 %", { seconds($0.p90) }, limit: { seconds($0.p90) }),
            row("  99 %", { seconds($0.p99) }, limit: { seconds($0.p99) }),
            row("  slowest", { seconds($0.max) }),
            row("  Apple Ads phones, median", { $0.appleAdsP50.map(seconds) ?? "–" }),
            row("the paywall that Apple's answer gives", { percent($0.targeted) }),
            row("  of those that had it in time", { $0.targetedOfPossible.map(percent) ?? "" }),
            row("after the deadline", { "\($0.late)" }),
            row("without a paywall", { "\($0.withoutPaywall)" }),
            row("requests until the paywall", { "\($0.requestsPerOpen)" }),
        ]
        if let behind = report.behindLimit {
            rows.append("Phone by phone, Landfall is \(seconds(behind.p50)) s behind the limit (90 %: \(seconds(behind.p90)) s).")
        }
        if let ratio = report.ratioP50 { rows.append("Landfall's median is \(percent(ratio)) of the documented one.") }
        return rows
    }

    /// One line for each quarter of a second, a bar for each way.
    private var distribution: [String] {
        let bins = TimeBins(width: 0.25, upTo: report.deadlineSeconds + 0.5)
        let (documented, landfall) = (bins.counts(results.documented), bins.counts(results.landfall))
        let longest = max(1, (documented + landfall).max() ?? 1)
        func bar(_ count: Int) -> String {
            let length = count == 0 ? 0 : max(1, count * 28 / longest)
            return padded(String(repeating: "█", count: length), 29, toTheRight: false)
        }
        let head =
            padded("seconds", 9) + "  " + padded("Landfall", 29, toTheRight: false)
            + (documented.allSatisfy { $0 == 0 } ? "" : "documented")
        let rows = bins.starts.indices.map { bin in
            padded(seconds(bins.starts[bin]), 9) + "  " + bar(landfall[bin]) + bar(documented[bin])
        }
        return [head] + rows
    }

    private func seconds(_ value: Double) -> String {
        let milliseconds = Int((abs(value) * 1_000).rounded())
        let rest = "\(milliseconds % 1_000)"
        return (value < 0 ? "-" : "") + "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    private func percent(_ share: Double) -> String { "\((share * 100).rounded(to: 1)) %" }

    private func padded(_ text: String, _ width: Int, toTheRight: Bool = true) -> String {
        let fill = String(repeating: " ", count: max(0, width - text.count))
        return toTheRight ? fill + text : text + fill
    }
}

/// Times in equal steps; later times count in the last step.
struct TimeBins {
    let width: Double
    let starts: [Double]

    init(width: Double, upTo end: Double) {
        self.width = width
        starts = (0..<max(1, Int((end / width).rounded()))).map { Double($0) * width }
    }

    func counts(_ times: [Double]) -> [Int] {
        var counts = starts.map { _ in 0 }
        for time in times { counts[min(counts.count - 1, max(0, Int(time / width)))] += 1 }
        return counts
    }
}
