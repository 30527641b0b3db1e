// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallServer
import LandfallStore

/// What the clicks of some days add up to.
package struct LinkCounts: Sendable {
    /// Grouped as the report is; the counts are in the order of ``LinkReport/layout``.
    package var table = CellTable(size: LinkReport.layout.count)
    /// The first day that was counted before its clicks could be deleted.
    var firstDay: Int64?
    /// Later clicks may not be counted; nil if all are.
    package var countedToMs: Int64?

    var rows: [ReportSheet.Key: [Int64]] { table.rows }

    /// False if clicks of these days may have been deleted before they were counted.
    package func isWhole(_ days: ReportDays, _ retention: Retention, nowMs: Int64) -> Bool {
        firstDay.map { $0 <= days.days.lowerBound } ?? false || days.milliseconds.lowerBound >= nowMs - retention.clickMs
    }
}

/// Counts the clicks of a report: from days that were counted before if a table has the dimensions, otherwise from the clicks, some
/// at a time. So no read holds the store for long, and a caller who disconnects ends it.
package struct LinkReportStore: Sendable {
    /// Clicks of one read: a few milliseconds.
    private static let mostAtOnce: Int64 = 2_000

    let database: any StoreReading
    var openDays = OpenClickDays()
    /// Nil adds up every day each time.
    var closedDays: ClosedClickDays?
    /// For dimensions that no table has: then every click of the days is read.
    var rows = RowReader()

    /// - Throws: `busy` if too many reports read every click; `CancellationError`; the errors of the store.
    package func counts(_ report: LinkReport, of app: AppID) async throws -> LinkCounts {
        let (table, days) = (ClickDimensions.with(report.by), ClickDays(app: app, zone: report.days.zone))
        let found = try await database.read { connection -> Counted in
            guard let table, let closed = try days.closed(connection) else { return Counted() }
            var counted = Counted(closed: closed)
            counted.question = closed.over(report.days.days).map { .init(app: app, zone: days.zone.name, days: $0, by: report.by, only: report.only) }
            counted.sums = counted.question.flatMap { closedDays?.sums($0) }
            let unread = counted.sums == nil ? report.days.days : closed.notOver(report.days.days)
            counted.texts = try unread.map { try days.days(table, $0, connection) } ?? []
            let stored = Set(counted.texts.map(\.day))
            for day in report.days.days where day >= closed.nextDay {
                let clicks = try days.clicks(of: day, connection)
                // The time alone does not say it: the day before is counted past midnight, when this one may still be small.
                let isCounted = clicks.firstUnreadID != nil && stored.contains(day) && days.zone.startMs(ofDay: day) < closed.countedToMs
                if isCounted { counted.large.insert(day) } else { counted.opened[day] = clicks }
                let toMs = isCounted ? closed.countedToMs : clicks.firstUnreadID.map { UUIDv7.milliseconds(of: $0) }
                if let toMs { counted.toMs = min(counted.toMs ?? .max, toMs) }
            }
            return counted
        }
        let dimensions = table?.list ?? report.by.filter { $0 != .day }
        var sums = found.sums ?? DaySums(fields: dimensions, by: report.by, size: LinkReport.layout.count, only: report.only)
        if found.sums == nil {
            try await sums.add(found.texts.filter { found.closed?.contains($0.day) == true })
            if let question = found.question { closedDays?.keep(sums, for: question) }
        }
        try await sums.add(found.texts.filter { found.large.contains($0.day) })
        let missing = report.days.days.filter { !found.contains($0) }
        if let table {
            for day in missing {
                let text: String
                if let clicks = found.opened[day] {
                    text = try await openDays.texts(of: day, days, clicks) {
                        try await self.texts(of: day, ClickDimensions.allLists, of: app, in: days.zone, before: clicks.firstUnreadID)
                    }[table.index]
                } else {
                    text = try await texts(of: day, [dimensions], of: app, in: days.zone)[0]
                }
                try sums.add(day, text)
            }
        } else {
            try await rows.run {
                for day in missing { try sums.add(day, try await texts(of: day, [dimensions], of: app, in: days.zone)[0]) }
            }
        }
        return LinkCounts(table: sums.table, firstDay: found.closed?.firstDay, countedToMs: found.toMs)
    }

    /// The days that need not be read.
    private struct Counted: Sendable {
        var closed: ClickDays.Closed?
        /// About those of the days that are over; nil if none is.
        var question: ClosedClickDays.Question?
        /// Of these days, if they are known.
        var sums: DaySums?
        var texts: [(day: Int64, text: String)] = []
        /// Days that are not over and were counted up to a time.
        var large: Set<Int64> = []
        /// The clicks of the others that are not over.
        var opened: [Int64: ClickDays.Clicks] = [:]
        /// Later clicks may not be counted; nil if all are.
        var toMs: Int64?

        func contains(_ day: Int64) -> Bool { closed?.contains(day) == true || large.contains(day) }
    }

    /// The cells of a day, as ``ClickDays`` keeps them: for each set of fields, from one pass through the clicks.
    /// - Parameter end: the first click that is not counted; nil for the next day's first one.
    func texts(
        of day: Int64, _ sets: [[LinkReport.Dimension]], of app: AppID, in zone: ReportZone, before end: String? = nil
    ) async throws -> [String] {
        var counted = CountedClicks(of: day, in: zone, sets)
        try await add(to: &counted, of: app, before: end ?? UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1)))
        return counted.texts
    }

    /// Adds the clicks that came after those which are counted.
    func add(to counted: inout CountedClicks, of app: AppID, before end: String) async throws {
        while true {
            try Task.checkCancellation()
            // An id begins with its time, so the primary key is the index.
            let values: [SQLValue] = [.text(app.rawValue), .text(counted.lastID), .text(end), .integer(Self.mostAtOnce)]
            let rows = try await database.read { try $0.rows(ClickTally.text, values) }
            for row in rows { try counted.add(row) }
            guard rows.count == Self.mostAtOnce else { return }
        }
    }
}
