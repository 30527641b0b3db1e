// SPDX-License-Identifier: Apache-2.0
@testable import LandfallConsole
@testable import LandfallReports

/// Revenue whose rows are written as lists, in the order of the columns; nil is not known.
enum SampleRevenue {
    static func values(_ numbers: [RevenueColumn: Int64?], _ view: RevenueView = .purchase, ratios: [RevenueColumn: Double] = [:]) -> RevenueValues {
        RevenueValues(RevenueColumn.list(view), numbers: numbers.compactMapValues { $0 }, ratios: ratios)
    }

    /// - Parameter rows: by the first dimension.
    static func document(
        _ rows: [(String, RevenueValues)], by: RevenueDimension = .source, totals: RevenueValues, _ view: RevenueView = .purchase,
        currency: String? = "USD", unconverted: [RevenueDocument.Unconverted] = [], erased: RevenueValues? = nil
    ) -> RevenueDocument {
        RevenueDocument(
            currency: currency, by: [by.rawValue], view: view, from: "2026-11-01", to: "2026-11-28",
            rows: rows.map { .init(key: [by.rawValue: $0.0], values: $0.1) }, totals: totals, unconverted: unconverted,
            erased: erased ?? RevenueValues(RevenueColumn.list(view)), verified: nil)
    }

    /// A page of 1 to 28 November.
    static func page(
        _ document: RevenueDocument?, _ values: [String: String] = [:], _ role: Role = .owner, _ language: Language = .english,
        _ change: (inout RevenuePage) -> Void = { _ in }
    ) -> String {
        var page = RevenuePage(frame: .sample(role, language), query: RevenueQuery(values), from: "2026-11-01", to: "2026-11-28")
        page.document = document
        change(&page)
        return page.html.markup.withoutCells
    }
}
