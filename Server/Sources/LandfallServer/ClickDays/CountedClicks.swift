// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Synchronization

/// The clicks of a day that are counted so far. A click never changes and their ids are in the order of time, so later ones are only added.
struct CountedClicks: Sendable {
    private let sets: [[LinkReport.Field]]
    private var tally: ClickTally
    /// Of the last click that is counted; before the first one it is less than all of the day.
    private(set) var lastID: String

    init(of day: Int64, in zone: ReportZone, _ sets: [[LinkReport.Field]]) {
        self.sets = sets
        tally = ClickTally(sets)
        lastID = UUIDv7.earliest(atMs: zone.startMs(ofDay: day))
    }

    /// - Parameter row: of ``ClickTally/text``.
    mutating func add(_ row: Row) throws {
        try tally.add(row)
        lastID = try row.text(0)
    }

    /// The cells of each set of fields, as ``ClickDays`` keeps them.
    var texts: [String] { zip(tally.tables, sets).map { DayText.text($0.capped(DayCells.most, fields: $1.count)) } }
    var byteCount: Int { tally.byteCount }
}

/// What this node has counted of large days that are not over: next time only their new clicks are read. A node that takes the job over
/// counts the day from its beginning, and so does everybody once it is over.
final class CountedOpenDays: Sendable {
    struct Key: Hashable {
        let app: AppID
        let zone: String
        let day: Int64
    }

    /// Of all days together: some two million visitors. A larger day is counted from its beginning each time, and less often.
    static let mostBytes = 64 << 20

    private let days = Mutex<[Key: CountedClicks]>([:])
    private let mostBytes: Int

    init(mostBytes: Int = mostBytes) { self.mostBytes = mostBytes }

    func contains(_ key: Key) -> Bool { days.withLock { $0[key] != nil } }

    /// Hands it over: who adds to it keeps it again.
    func take(_ key: Key) -> CountedClicks? { days.withLock { $0.removeValue(forKey: key) } }

    /// Days that began earlier than the day before are forgotten: they are over in every zone.
    func keep(_ counted: CountedClicks, of key: Key) {
        days.withLock { days in
            days = days.filter { $0.key.app != key.app || $0.key.day >= key.day - 1 }
            if days.values.reduce(counted.byteCount, { $0 + $1.byteCount }) <= mostBytes { days[key] = counted }
        }
    }
}
