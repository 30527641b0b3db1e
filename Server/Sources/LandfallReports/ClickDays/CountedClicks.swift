// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

/// The clicks of a day that are counted so far. A click never changes and their ids are in the order of time, so later ones are only added.
struct CountedClicks: Sendable {
    private let sets: [[LinkReport.Dimension]]
    private var tally: ClickTally
    /// Less than all ids of the day.
    let firstID: String
    /// Of the last click that is counted; ``firstID`` before the first one.
    private(set) var lastID: String
    private(set) var count: Int64 = 0

    init(of day: Int64, in zone: ReportZone, _ sets: [[LinkReport.Dimension]]) {
        self.sets = sets
        tally = ClickTally(sets)
        firstID = UUIDv7.earliest(atMs: zone.startMs(ofDay: day))
        lastID = firstID
    }

    /// - Parameter row: of ``ClickTally/text``.
    mutating func add(_ row: Row) throws {
        try tally.add(row)
        lastID = try row.text(0)
        count += 1
    }

    static let countText = "SELECT COUNT(*) AS count FROM click WHERE app_id = $1 AND click_id > $2 AND click_id <= $3"

    /// Whether there are the same clicks up to the last one. A node whose clock is behind stores clicks among those that are counted.
    func areAll(of app: AppID, _ connection: any ReadConnection) throws -> Bool {
        try connection.row(Self.countText, [.text(app.rawValue), .text(firstID), .text(lastID)])?.integer("count") == count
    }

    /// The cells of each set of fields, as ``ClickDays`` keeps them.
    var texts: [String] { zip(tally.tables, sets).map { DayText.text($0.capped(DayCells.most, fields: $1.count)) } }
    var byteCount: Int { tally.byteCount }
}

/// What this node has counted of large days that are not over: next time only their new clicks are read. Once a day is over, it is counted
/// from its beginning.
package final class CountedOpenDays: Sendable {
    /// Of all days together: some two million visitors. A larger day is counted from its beginning each time, and less often.
    package static let mostBytes = 64 << 20

    private let days = Mutex<[ClickDays.Day: CountedClicks]>([:])
    private let mostBytes: Int

    package init(mostBytes: Int = mostBytes) { self.mostBytes = mostBytes }

    func contains(_ day: ClickDays.Day) -> Bool { days.withLock { $0[day] != nil } }

    /// Takes it out, so that no two callers add to it. To be kept again afterwards.
    func take(_ day: ClickDays.Day) -> CountedClicks? { days.withLock { $0.removeValue(forKey: day) } }

    func keep(_ counted: CountedClicks, of day: ClickDays.Day) {
        days.withLock { days in
            days[day] = nil
            if days.values.reduce(counted.byteCount, { $0 + $1.byteCount }) <= mostBytes { days[day] = counted }
        }
    }

    /// Forgets days that are over, and those of a former time zone.
    func forget(_ isOver: (ClickDays.Day) -> Bool) { days.withLock { days in days = days.filter { !isOver($0.key) } } }
}
