// SPDX-License-Identifier: Apache-2.0
import LandfallReports

extension [DayChart.Day] {
    /// Every day of a report with a column's value, or every week from the first day on. A day without a row counts nothing; what
    /// the report does not know of a day stays unknown, also for the day's week.
    /// - Parameters:
    ///   - now: the report by day.
    ///   - before: the report of as many days before; nil draws no comparison.
    ///   - today: is not over yet.
    ///   - length: the days of a bar.
    init(_ column: String, _ days: ReportDays, now: ReportDocument, before: ReportDocument?, today: Int64, length: Int = 1) {
        let values = now.values(column), earlier = before?.values(column)
        let all = Int64(days.days.count)
        self = stride(from: days.days.lowerBound, through: days.days.upperBound, by: length).map { first in
            let bar = first...Swift.min(first + Int64(length) - 1, days.days.upperBound)
            return DayChart.Day(
                date: ReportDays.text(first), value: DayChart.sum(bar.map(values)), before: earlier.flatMap { earlier in DayChart.sum(bar.map { earlier($0 - all) }) },
                isWhole: bar.upperBound < today && bar.count == length)
        }
    }
}

extension [DayChart.Day] {
    /// The page of each bar alone; a chart of one bar has none.
    /// - Parameters:
    ///   - last: day of all.
    ///   - place: of the page of some days, both included.
    func places(to last: String, _ place: (_ from: String, _ to: String) -> Place) -> [Place] {
        guard count > 1 else { return [] }
        return indices.map { index in
            let next = index + 1 < count ? ReportDays.day(self[index + 1].date) : nil
            return place(self[index].date, next.map { ReportDays.text($0 - 1) } ?? last)
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
