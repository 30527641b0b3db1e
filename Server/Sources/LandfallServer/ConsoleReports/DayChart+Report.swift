// SPDX-License-Identifier: Apache-2.0
import LandfallPages

extension [DayChart.Day] {
    /// Every day of a report with a column's value; a day without a row has none.
    /// - Parameters:
    ///   - now: the report by day.
    ///   - before: the report of as many days before; nil draws no comparison.
    ///   - today: is not over yet.
    init(_ column: String, _ days: ReportDays, now: ReportDocument, before: ReportDocument?, today: Int64) {
        let values = now.values(column, by: "day"), earlier = before?.values(column, by: "day")
        self = days.days.map { day in
            DayChart.Day(
                date: ReportDays.text(day), value: values[ReportDays.text(day)] ?? 0,
                before: earlier.map { $0[ReportDays.text(day - Int64(days.days.count))] ?? 0 }, isWhole: day < today)
        }
    }
}

extension ReportDocument {
    /// The values of a column by a single field.
    fileprivate func values(_ column: String, by field: String) -> [String: Int64] {
        rows.reduce(into: [:]) { values, row in
            if let key = row.key[field] ?? nil, let value = row.values[column] ?? nil { values[key] = Int64(value) }
        }
    }
}
