// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
package import LandfallStore

/// Counts days of charges that are marked.
///
/// Marks are read before the charges, and only these are deleted with the count: what changes meanwhile has a mark of its own, and the day is
/// counted once more. So a count that nothing marks is right, and after a crash the marks are still there.
package struct ChargeDayUpdate: Sendable {
    /// Marks of one step: deleting them takes the writer's time.
    static let mostMarks = 2_000

    private let database: any Database
    private let app: AppID

    package init(database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    /// Counts the day that has waited longest, by purchases and by bookings.
    /// - Returns: false if no day is marked.
    package func step() async throws -> Bool {
        let marks = try await database.read { [app] in try DirtyMark.oldest(DirtyMark.charges, of: app, Self.mostMarks, $0) }
        guard let day = try marks.first?.chargeDay else { return false }
        var statements = try marks.filter { try $0.chargeDay == day }.map { $0.deletion(from: app) }
        for view in [RevenueView.purchase, .booking] {
            let text = try await ChargeDayReader(database: database, app: app, view: view).recounted(day)
            statements.append(ChargeDayRows(app: app, view: view).replacement(of: day, with: text))
        }
        try await database.write(.bulk, locking: []) { [statements] in _ = try $0.batch(statements) }
        return true
    }

    /// Has days counted again, whatever is stored of them.
    package func mark(_ days: ClosedRange<Int64>, nowMs: Int64) async throws {
        let marks = DirtyMark.charges(on: days, sinceMs: nowMs, stamp: DirtyMark.drawnStamp())
        try await database.write(.bulk, locking: []) { [app] in _ = try $0.batch(marks.map { $0.insertion(into: app) }) }
    }
}
