// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// Revenue for people: the first rows, the totals below them, and what is to be known about both.
struct RevenueTable {
    private static let mostRows = 50
    private static let longestField = 40
    private static let mostDifferences = 20

    private let document: RevenueDocument

    init(_ document: RevenueDocument) { self.document = document }

    var lines: [String] {
        let currency = document.currency.map { ", in \($0)" } ?? ""
        let title = "revenue by \(Self.days(document.view)), \(document.from) to \(document.to) (\(document.timeZone))\(currency)"
        guard !document.rows.isEmpty else { return [title, "Nothing was paid on these days."] + remarks }
        let shown = document.rows.prefix(Self.mostRows)
        let head = document.by + columns.map(heading)
        let cells = shown.map { row in document.by.map { shortened(row.key[$0]) } + columns.map { text(row.values, $0) } }
        let total = document.by.indices.map { $0 == 0 ? "total" : "" } + columns.map { text(document.totals, $0) }
        let table = [head] + cells + (document.by.isEmpty ? [] : [total])
        let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        var texts = table.map { row in
            row.indices.map { row[$0].padded(to: widths[$0], toTheRight: $0 >= document.by.count) }.joined(separator: "  ")
        }
        if document.rows.count > shown.count {
            texts.insert("… and \(document.rows.count - shown.count) more rows; --csv has all.", at: texts.count - (document.by.isEmpty ? 0 : 1))
        }
        return [title] + texts + remarks
    }

    /// What the rows do not say.
    var remarks: [String] {
        var remarks = document.unconverted.map { money -> String in
            let amounts = [money.grossMilliunits, money.refundsMilliunits].map { $0.map { Self.amount($0) } ?? "unknown" }
            return "Not converted, and in no row: \(amounts[0]) \(money.currency) gross, \(amounts[1]) \(money.currency) paid back. "
                + advice(money.currency)
        }
        let erased = document.erased
        if erased.numbers.values.contains(where: { $0 != 0 }) {
            let net = erased.numbers[.netMilliunits].map { "\(Self.amount($0)) net" } ?? "a part"
            remarks.append("Of the total, \(net) is of people who were erased since.")
        }
        if let verified = document.verified {
            remarks.append(
                verified.differences.isEmpty
                    ? "Verified: \(verified.originals.inGroups) originals that Apple signed say the same."
                    : "Verified: what is stored differs from the \(verified.originals.inGroups) originals that Apple signed:")
            remarks += verified.differences.prefix(Self.mostDifferences).map { "  \($0)" }
            let more = verified.differences.count - Self.mostDifferences
            if more > 0 { remarks.append("  … and \(more) more; --json has them.") }
        }
        return remarks
    }

    private func advice(_ currency: String) -> String {
        document.currency == nil
            ? "Name the currency of reports as 'currency' in 'purchases' of the configuration."
            : "Add a rate of \(currency) for these days to 'rates' in 'purchases' of the configuration."
    }

    private static func days(_ view: RevenueView) -> String {
        switch view {
        case .purchase: "day of purchase"
        case .booking: "day of booking"
        case .subscriptions: "what was running"
        case .cohorts: "day of the first open"
        }
    }

    /// Without columns in which nothing was counted. The first column always stays.
    private var columns: [RevenueColumn] {
        RevenueColumn.list(document.view).enumerated().filter { index, column in
            index == 0 || document.rows.contains { $0.values.numbers[column] ?? 0 != 0 || $0.values.ratios[column] ?? 0 != 0 }
        }.map(\.element)
    }

    private func heading(_ column: RevenueColumn) -> String {
        switch column {
        case .grossMilliunits: "gross"
        case .refundsMilliunits: "paid back"
        case .netMilliunits: "net"
        case .proceedsEstimatedMilliunits: "proceeds (estimated)"
        case .upgradeCreditEstimatedMilliunits: "upgrade credit (estimated)"
        case .trialsStarted: "trials started"
        case .trialsPaid: "trials paid"
        case .mrrMilliunits: "MRR"
        case .arrMilliunits: "ARR"
        case .day7Milliunits: "7 days"
        case .day30Milliunits: "30 days"
        case .day90Milliunits: "90 days"
        case .day365Milliunits: "365 days"
        case .spendMilliunits: "spend"
        case .roas: "ROAS"
        case .purchases, .refunds, .active, .trials, .started, .ended, .churn, .installs, .payers, .coverage: column.rawValue
        }
    }

    private func text(_ values: RevenueValues, _ column: RevenueColumn) -> String {
        switch column.unit {
        case .count: values.numbers[column]?.inGroups ?? "unknown"
        case .milliunits: values.numbers[column].map { Self.amount($0) } ?? "unknown"
        case .ratio: values.ratios[column].map { Output.percent($0) } ?? "unknown"
        }
    }

    /// With two decimals, half away from zero: `1,234.57`.
    static func amount(_ milliunits: Int64) -> String {
        let hundredths = milliunits.magnitude / 10 + (milliunits.magnitude % 10 >= 5 ? 1 : 0), cents = hundredths % 100
        let sign = milliunits < 0 && hundredths > 0 ? "−" : ""
        return "\(sign)\(Int64(hundredths / 100).inGroups).\(cents < 10 ? "0" : "")\(cents)"
    }

    private func shortened(_ text: String?) -> String {
        guard let text else { return "–" }
        return text.count <= Self.longestField ? text : text.prefix(Self.longestField - 1) + "…"
    }
}
