// SPDX-License-Identifier: Apache-2.0
import LandfallPages

extension [DayChart.Day] {
    /// Every day of a report with a column's value. A day without a row counts nothing; what the report does not know stays unknown.
    /// - Parameters:
    ///   - now: the report by day.
    ///   - before: the report of as many days before; nil draws no comparison.
    ///   - today: is not over yet.
    init(_ column: String, _ days: ReportDays, now: ReportDocument, before: ReportDocument?, today: Int64) {
        let values = now.values(column), earlier = before?.values(column)
        self = days.days.map { day in
            DayChart.Day(
                date: ReportDays.text(day), value: values(day), before: earlier?(day - Int64(days.days.count)), isWhole: day < today)
        }
    }
}

extension ReportDocument {
    /// A column's value by day: of a day without a row zero, if the sum of all days is known.
    fileprivate func values(_ column: String) -> (Int64) -> Int64? {
        var found: [String: Double?] = [:]
        for row in rows { if let key = row.key["day"] ?? nil { found.updateValue(row.values[column] ?? nil, forKey: key) } }
        let none: Double? = (totals[column] ?? nil).map { _ in 0 }
        return { day in (found[ReportDays.text(day)] ?? none).map { Int64($0) } }
    }
}
