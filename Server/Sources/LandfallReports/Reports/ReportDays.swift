// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer

/// The days of a report in the app's time zone, first and last included.
package struct ReportDays: Hashable, Sendable {
    /// The most days of a report: clicks are kept for this long by default.
    static let most: Int64 = 400
    static let usual: Int64 = 30
    static let dayMs = Retention.dayMs

    /// Days since 1970.
    package let days: ClosedRange<Int64>
    package let zone: ReportZone

    /// - Parameters:
    ///   - from: a date; nil means ``usual`` days that end with the last day.
    ///   - to: a date; nil means today.
    /// - Throws: `invalid_value`.
    package init(from: String?, to: String?, in zone: ReportZone = .utc, nowMs: Int64) throws(RequestError) {
        self.zone = zone
        let last = try to.map { text throws(RequestError) in try Self.day(text, "to") } ?? zone.day(ofMs: nowMs)
        let first = try from.map { text throws(RequestError) in try Self.day(text, "from") } ?? last - Self.usual + 1
        guard first <= last else { throw .invalid("from", "a day that is not after 'to'.") }
        guard last - first < Self.most else { throw .invalid("from", "at most \(Self.most) days before 'to'.") }
        days = first...last
    }

    package var from: String { Self.text(days.lowerBound) }
    package var to: String { Self.text(days.upperBound) }
    var milliseconds: Range<Int64> { zone.startMs(ofDay: days.lowerBound)..<endMs }
    var endMs: Int64 { zone.startMs(ofDay: days.upperBound + 1) }

    package static func text(_ day: Int64) -> String { Instant.text(ofDay: Int(day)) }

    private static func day(_ text: String, _ field: String) throws(RequestError) -> Int64 {
        if text.utf8.count == 10, let start = Instant(text + "T00:00:00Z") {
            let day = start.milliseconds / dayMs
            if (0..<100_000).contains(day), start.milliseconds >= 0 { return day }
        }
        throw .invalid(field, "a day, such as 2026-11-01.")
    }
}
