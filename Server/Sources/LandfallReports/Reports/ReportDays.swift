// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer

/// The days of a report in the app's time zone, first and last included.
package struct ReportDays: Hashable, Sendable {
    /// The most days of a report: clicks are kept for this long by default.
    static let most: Int64 = 400
    static let usual: Int64 = 30

    /// Days since 1970.
    package let days: ClosedRange<Int64>
    package let zone: ReportZone

    /// - Throws: ``ReportError/reversed``, ``ReportError/tooManyDays``.
    package init(_ first: Int64, _ last: Int64, in zone: ReportZone) throws(ReportError) {
        guard first <= last else { throw .reversed }
        guard last - first < Self.most else { throw .tooManyDays }
        (days, self.zone) = (first...last, zone)
    }

    /// - Parameters:
    ///   - from: a date; nil means ``usual`` days that end with the last day.
    ///   - to: a date; nil means today.
    /// - Throws: a ``ReportError`` about days.
    package init(from: String?, to: String?, in zone: ReportZone = .utc, nowMs: Int64) throws(ReportError) {
        let (first, last) = try Self.read(from: from, to: to)
        let end = last ?? zone.day(ofMs: nowMs)
        try self.init(first ?? end - Self.usual + 1, end, in: zone)
    }

    /// The days that a caller names; nil for one that it does not name.
    /// - Throws: ``ReportError/unreadable(_:)``.
    package static func read(from: String?, to: String?) throws(ReportError) -> (first: Int64?, last: Int64?) {
        let (first, last) = (from.map(day), to.map(day))
        let unreadable: [ReportError.Day] = (first == .some(nil) ? [.from] : []) + (last == .some(nil) ? [.to] : [])
        guard unreadable.isEmpty else { throw .unreadable(unreadable) }
        return (first ?? nil, last ?? nil)
    }

    package var from: String { Self.text(days.lowerBound) }
    package var to: String { Self.text(days.upperBound) }
    var milliseconds: Range<Int64> { zone.startMs(ofDay: days.lowerBound)..<endMs }
    var endMs: Int64 { zone.startMs(ofDay: days.upperBound + 1) }

    package static func text(_ day: Int64) -> String { Instant.text(ofDay: Int(day)) }

    /// - Parameter text: such as 2026-11-01.
    package static func day(_ text: String) -> Int64? {
        Instant.day(text).flatMap { $0 < 100_000 ? Int64($0) : nil }
    }
}
