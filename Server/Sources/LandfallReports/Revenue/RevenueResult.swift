// SPDX-License-Identifier: Apache-2.0

/// What a view of revenue has added up.
struct RevenueResult: Sendable {
    let currency: String?
    /// By day, then by key.
    let rows: [RevenueDocument.Row]
    let totals: RevenueValues
    let unconverted: [RevenueDocument.Unconverted]

    /// Of people who were erased only counts of equal charges are left: they are neither in what runs nor in cohorts.
    func document(_ request: RevenueRequest, by: [RevenueDimension], verified: RevenueDocument.Verified?) -> RevenueDocument {
        RevenueDocument(
            currency: currency, by: by.map(\.rawValue), view: request.view, from: request.days.from, to: request.days.to, rows: rows,
            totals: totals, unconverted: unconverted, erased: RevenueValues(totals.columns), verified: verified)
    }
}

extension RevenueDocument.Row {
    /// - Parameters:
    ///   - day: nil if rows have none.
    ///   - key: by the dimensions.
    init(day: Int64?, _ key: ReportSheet.Key, _ by: [RevenueDimension], _ values: RevenueValues) {
        var names = Dictionary(zip(by, key)) { first, _ in first }.mapValues { String(decoding: $0 ?? [], as: UTF8.self) }
        names[.day] = day.map(ReportDays.text)
        self.init(key: Dictionary(names.map { ($0.key.rawValue, $0.value) }) { first, _ in first }, values: values)
    }
}
