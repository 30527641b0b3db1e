// SPDX-License-Identifier: Apache-2.0
import LandfallPages

extension [DayChart.Day] {
    /// Every day of a report with a column's value, or every week from the first day on; a day without a row has none.
    /// - Parameters:
    ///   - now: the report by day.
    ///   - before: the report of as many days before; nil draws no comparison.
    ///   - today: is not over yet.
    ///   - length: the days of a bar.
    init(_ column: String, _ days: ReportDays, now: ReportDocument, before: ReportDocument?, today: Int64, length: Int = 1) {
        let values = now.values(column, by: "day"), earlier = before?.values(column, by: "day")
        let all = Int64(days.days.count)
        self = stride(from: days.days.lowerBound, through: days.days.upperBound, by: length).map { first in
            let bar = first...Swift.min(first + Int64(length) - 1, days.days.upperBound)
            return DayChart.Day(
                date: ReportDays.text(first), value: bar.reduce(0) { $0 + (values[ReportDays.text($1)] ?? 0) },
                before: earlier.map { earlier in bar.reduce(0) { $0 + (earlier[ReportDays.text($1 - all)] ?? 0) } },
                isWhole: bar.upperBound < today && bar.count == length)
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
