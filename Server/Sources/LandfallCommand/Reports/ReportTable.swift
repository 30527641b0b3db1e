// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallServer

/// A report for people: the first rows, with a bar for the first value, and the totals below.
struct ReportTable {
    private static let mostRows = 50
    private static let longestField = 40
    private static let longestBar = 24

    let document: ReportDocument

    init(_ document: ReportDocument) { self.document = document }

    var lines: [String] {
        let title = "\(document.report), \(document.from) to \(document.to) (\(document.timeZone)), complete to \(completeTo)"
        guard !document.rows.isEmpty else { return [title, "Nothing was counted on these days."] }
        let shown = document.rows.prefix(Self.mostRows)
        let cells = shown.map { row in document.by.map { named(row.key[$0] ?? nil, $0) } + columns.map { number(row.values[$0.name], $0) } }
        let total = document.by.indices.map { $0 == 0 ? "total" : "" } + columns.map { number(document.totals[$0.name], $0) }
        let table = [document.by + columns.map(\.name)] + cells + [total]
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let texts = table.map { row in
            row.indices.map { index in row[index].padded(to: widths[index], toTheRight: index >= document.by.count) }
                .joined(separator: "  ")
        }
        let more = document.rows.count > shown.count ? ["… and \(document.rows.count - shown.count) more rows; --csv has all."] : []
        let bars = shown.map { bar($0) }
        let body = zip(texts.dropFirst().dropLast(), bars).map { "\($0)  \($1)" }
        return [title, texts[0]] + body.map(trimmed) + more + [trimmed(texts[texts.count - 1])]
    }

    private var completeTo: String { Output.time(document.completeToMilliseconds) }

    /// Without columns in which nothing was counted. The first column always stays.
    private var columns: [ReportDocument.Column] {
        document.columns.enumerated().filter { index, column in
            index == 0 || document.rows.contains { ($0.values[column.name] ?? nil) ?? 0 != 0 }
        }.map(\.element)
    }

    private func bar(_ row: ReportDocument.Row) -> String {
        let name = columns[0].name
        let most = document.rows.compactMap { $0.values[name] ?? nil }.max() ?? 0
        guard most > 0, let value = row.values[name] ?? nil, value > 0 else { return "" }
        return String(repeating: "█", count: max(1, Int(value * Double(Self.longestBar) / most)))
    }

    private func number(_ value: Double??, _ column: ReportDocument.Column) -> String {
        guard let value, let value else { return "unknown" }
        if column.unit == .milliseconds { return Output.seconds(value / 1_000) }
        return column.unit == .ratio ? Output.percent(value) : Int64(value).inGroups
    }

    /// An id of Apple Ads with its name behind it, and with the custom product pages of its ads.
    private func named(_ text: String?, _ field: String) -> String {
        guard let text, let name = document.name(of: text, field) else { return shortened(text) }
        let pages = document.productPages(of: text, field).map(\.label).joined(separator: ", ")
        return shortened("\(text) \(name)" + (pages.isEmpty ? "" : " (\(pages))"))
    }

    private func shortened(_ text: String?) -> String {
        guard let text else { return "–" }
        return text.count <= Self.longestField ? text : text.prefix(Self.longestField - 1) + "…"
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
