// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// The days on which an install was seen again. Day n is from 24 n to 24 (n + 1) hours after its first call; day 0 is that of the
/// first call, and needs no row. Days are only ever added, so facts may come late, repeated and in any order.
package struct InstallActivity: Hashable, Sendable {
    /// The last day that is kept.
    static let lastDay: Int64 = 90
    /// The days of the retention report.
    package static let askedDays: [Int64] = [1, 3, 7, 14, 30, 60, 90]
    private static let lowDays: Int64 = 63

    /// One bit a day: days 1 to 62, then days 63 to 90.
    private(set) var low: Int64 = 0
    private(set) var high: Int64 = 0

    init() {}

    /// - Returns: nil before the first call, and after the last day that is kept.
    static func day(ofMs atMs: Int64, sinceMs: Int64) -> Int64? {
        guard atMs >= sinceMs else { return nil }
        let day = (atMs - sinceMs) / Retention.dayMs
        return day <= lastDay ? day : nil
    }

    mutating func insert(_ day: Int64) {
        switch day {
        case 1..<Self.lowDays: low |= 1 << day
        case Self.lowDays...Self.lastDay: high |= 1 << (day - Self.lowDays)
        default: break
        }
    }

    mutating func insert(atMs: Int64, sinceMs: Int64) {
        if let day = Self.day(ofMs: atMs, sinceMs: sinceMs) { insert(day) }
    }

    package func contains(_ day: Int64) -> Bool {
        switch day {
        case 1..<Self.lowDays: low & (1 << day) != 0
        case Self.lowDays...Self.lastDay: high & (1 << (day - Self.lowDays)) != 0
        default: false
        }
    }

    var isEmpty: Bool { low == 0 && high == 0 }
    /// The days of the retention report on which the install was seen.
    package var asked: [Int64] { Self.askedDays.filter { contains($0) } }
}

/// The table `install_activity`.
extension InstallActivity {
    /// Changes no row where nothing is new.
    func insertion(of install: InstallID, into app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO install_activity (app_id, install_id, days_low, days_high) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id, install_id) DO UPDATE SET days_low = (install_activity.days_low | excluded.days_low),
              days_high = (install_activity.days_high | excluded.days_high)
            WHERE (install_activity.days_low | excluded.days_low) <> install_activity.days_low
              OR (install_activity.days_high | excluded.days_high) <> install_activity.days_high
            """, [.text(app.rawValue), .text(install.rawValue), .integer(low), .integer(high)])
    }

    static let text = "SELECT days_low, days_high FROM install_activity WHERE app_id = $1 AND install_id = $2"

    package static func stored(of install: String, in app: AppID, _ connection: any ReadConnection) throws -> InstallActivity {
        var activity = InstallActivity()
        if let row = try connection.row(text, [.text(app.rawValue), .text(install)]) {
            activity.low = try row.integer(0)
            activity.high = try row.integer(1)
        }
        return activity
    }

    static func removal(of install: InstallID, in app: AppID) -> Statement {
        Statement(
            "DELETE FROM install_activity WHERE app_id = $1 AND install_id = $2", [.text(app.rawValue), .text(install.rawValue)])
    }
}

extension Install {
    /// Whether a visit is stored: if the last one was an hour ago, or on another day of the install.
    func isVisitNews(nowMs: Int64) -> Bool {
        guard let lastSeenAtMs else { return true }
        return nowMs - lastSeenAtMs >= Self.lastSeenPrecision || newDay(after: lastSeenAtMs, atMs: nowMs) != nil
    }

    /// The day of an instant, if the last visit was on another day.
    func newDay(after lastMs: Int64, atMs: Int64) -> Int64? {
        let day = InstallActivity.day(ofMs: atMs, sinceMs: createdAtMs)
        return day == InstallActivity.day(ofMs: lastMs, sinceMs: createdAtMs) ? nil : day
    }
}

extension InstallRecord {
    /// The day that this visit adds.
    var addedActivity: InstallActivity {
        var activity = InstallActivity()
        if let lastMs = stored.lastSeenAtMs, let seenAtMs = install.lastSeenAtMs, let day = install.newDay(after: lastMs, atMs: seenAtMs) {
            activity.insert(day)
        }
        return activity
    }
}
