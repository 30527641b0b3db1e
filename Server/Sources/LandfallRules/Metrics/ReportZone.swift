// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The time zone of the days in reports. A day has 24 hours, or 23 or 25 when the clocks change, or none if a
/// country skipped it.
package struct ReportZone: Hashable, Sendable {
    package static let utc = ReportZone(name: "UTC", zone: nil)

    package let name: String
    /// Nil for UTC, which needs no table.
    private let zone: TimeZone?

    private init(name: String, zone: TimeZone?) {
        self.name = name
        self.zone = zone
    }

    /// - Parameter name: of the IANA database, such as `Europe/Berlin`; nil for anything else.
    package init?(_ name: String) {
        if name == "UTC" { self = .utc; return }
        guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
        self.init(name: name, zone: zone)
    }

    /// The day since 1970 on which an instant lies.
    package func day(ofMs atMs: Int64) -> Int64 {
        let atMs = Self.nearest(atMs)
        let day = Self.floor(atMs + offsetMs(atMs))
        // If clocks went back over midnight, the next day had begun before.
        return zone != nil && startMs(ofDay: day + 1) <= atMs ? day + 1 : day
    }

    /// The first instant at which the calendar shows the day or a later one.
    package func startMs(ofDay day: Int64) -> Int64 {
        let day = min(max(day, Self.days.lowerBound), Self.days.upperBound)
        guard zone != nil else { return day * Self.dayMs }
        // No zone is further from UTC than this.
        var (before, after) = (day * Self.dayMs - Self.widestMs, day * Self.dayMs + Self.widestMs)
        // Zones change at whole minutes.
        while after - before > 60_000 {
            let middle = (before + after) / 2 / 60_000 * 60_000
            let probe = middle > before ? middle : before + 60_000
            if Self.floor(probe + offsetMs(probe)) >= day { after = probe } else { before = probe }
        }
        return after
    }

    /// The instant at which the zone's clocks show a time, given as if it were UTC. If they show it twice, the first one; a time that
    /// they skip is that much later.
    package func instantMs(ofLocal localMs: Int64) -> Int64 {
        let localMs = Self.nearest(localMs)
        let found = [localMs - Self.dayMs, localMs + Self.dayMs].map { localMs - offsetMs($0) }
        return found.filter { $0 + offsetMs($0) == localMs }.min() ?? found.max() ?? localMs
    }

    /// How far the zone's clocks are ahead of UTC at an instant.
    package func offsetMs(_ atMs: Int64) -> Int64 {
        guard let zone else { return 0 }
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(Self.nearest(atMs)) / 1000))) * 1000
    }

    /// An instant that a phone or a stored row names may be any number. Outside the years 1 to 9999 the nearest one counts.
    private static func nearest(_ ms: Int64) -> Int64 { min(max(ms, instants.lowerBound), instants.upperBound) }

    private static let instants: ClosedRange<Int64> = -62_135_596_800_000...Instant.latestMs
    /// All days with such instants, and some around them.
    private static let days: ClosedRange<Int64> = -800_000...3_000_000

    private static let dayMs = Retention.dayMs
    private static let widestMs: Int64 = 16 * 3_600_000

    private static func floor(_ ms: Int64) -> Int64 { ms >= 0 ? ms / dayMs : -((-ms + dayMs - 1) / dayMs) }
}
