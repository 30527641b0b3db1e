// SPDX-License-Identifier: Apache-2.0
@testable import LandfallConsole
@testable import LandfallReports

/// A table whose rows are written as lists, in the order of the dimensions and columns.
struct SampleTable {
    struct Row {
        var key: [String?] = []
        let values: [Double?]
        /// The same of the time before; empty if nobody asked for it.
        var before: [Double?] = []
    }

    let by: [String]
    let columns: [ReportDocument.Column]
    let rows: [Row]
    let totals: Row

    static func column(_ name: String, _ definition: String = "d", _ unit: ReportDocument.Unit = .count) -> ReportDocument.Column {
        ReportDocument.Column(name: name, definition: definition, unit: unit, windowDays: nil)
    }

    /// - Parameter count: of all pages; nil if there is one.
    func table(count: Int? = nil, hasMergedGroups: Bool = false) -> ReportTable {
        let now = document(rows, totals.values) { $0.values }
        let before = totals.before.isEmpty ? nil : document(rows.filter { !$0.before.isEmpty }, totals.before) { $0.before }
        return ReportTable(now, rows: now.rows[...], count: count ?? rows.count, before: before, hasMergedGroups: hasMergedGroups)
    }

    private func document(_ rows: [Row], _ totals: [Double?], _ values: (Row) -> [Double?]) -> ReportDocument {
        func named(_ values: [Double?]) -> [String: Double?] { Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), values)) }
        return ReportDocument(
            report: "sample", from: "2026-11-01", to: "2026-11-28", timeZone: "UTC", completeToMilliseconds: 0, by: by, columns: columns,
            rows: rows.map { .init(key: Dictionary(uniqueKeysWithValues: zip(by, $0.key)), values: named(values($0))) }, totals: named(totals))
    }
}
