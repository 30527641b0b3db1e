// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Counts the clicks of days that are over: a part of the job that computes days.
struct ClickClosing: Sendable {
    /// A day is over so long after its end: its last clicks are on disk by then.
    static let graceMs: Int64 = 600_000

    let database: any Database
    let app: AppID
    let retention: Retention
    var openDays = CountedOpenDays()

    /// Counts one day, or deletes some days of a former zone.
    /// - Returns: false if nothing is left to do.
    func step(_ zones: [ReportZone], nowMs: Int64) async throws -> Bool {
        for zone in zones where try await close(ClickDays(app: app, zone: zone), nowMs: nowMs) { return true }
        for zone in zones where try await count(ClickDays(app: app, zone: zone), nowMs: nowMs) { return true }
        let stored = try await database.read { [app] connection in
            try connection.rows(ClickDays.zonesText, [.text(app.rawValue)]).map { try $0.text(0) }
        }
        let former = stored.first { name in !zones.contains { $0.name == name } }.flatMap { ReportZone($0) }
        guard let former else { return false }
        let days = ClickDays(app: app, zone: former)
        return try await database.write(.bulk, locking: []) { connection in
            if try connection.run(days.removal(RetentionRule.mostRows)) < RetentionRule.mostRows { try connection.run(days.end) }
            return true
        }
    }

    private func close(_ days: ClickDays, nowMs: Int64) async throws -> Bool {
        let today = days.zone.day(ofMs: nowMs - Self.graceMs)
        let (closed, firstMs) = try await database.read { [app] connection in
            let closed = try days.closed(connection)
            let first = closed == nil ? try connection.row(ClickDays.firstClickText, [.text(app.rawValue)]) : nil
            return (closed, try first?.integer(0))
        }
        guard let closed else {
            let kept = min(today, days.zone.day(ofMs: nowMs - retention.clickMs) + 1)
            let next = max(kept, firstMs.map { min(today, days.zone.day(ofMs: $0)) } ?? today)
            let beginning = days.beginning(.init(firstDay: kept, nextDay: next))
            try await database.write(.bulk, locking: []) { _ = try $0.run(beginning) }
            return true
        }
        guard closed.nextDay < today else { return false }
        let replacing = try await replacing(closed.nextDay, days)
        return try await database.write(.bulk, locking: []) { connection in
            if try connection.run(days.advance(past: closed.nextDay)) > 0 { try connection.batch(replacing) }
            return true
        }
    }

    /// A day that is not over is counted at most so often. If all its clicks must be read again, less often the more it has: that takes a few
    /// hundredths of the time.
    private static let countMs: Int64 = 30_000, clicksPerMs: Int64 = 3
    /// A click that was followed so long ago is on disk.
    private static let commitMs: Int64 = 10_000

    /// Counts the clicks of large days that are not over.
    private func count(_ days: ClickDays, nowMs: Int64) async throws -> Bool {
        let today = days.zone.day(ofMs: nowMs)
        let (closed, large, counted) = try await database.read { connection -> (ClickDays.Closed?, [Int64], Int64) in
            guard let closed = try days.closed(connection), closed.nextDay <= today else { return (nil, [], 0) }
            let open = closed.nextDay...today
            var counted: Int64 = 0
            for day in try days.days(.whole, open, connection) {
                try DayText.forEach(day.text, fields: 0) { counted += $0.counts.reduce(0, +) }
            }
            return (closed, try open.filter { try days.clicks(of: $0, connection).firstUnreadID != nil }, counted)
        }
        let keys = large.map { CountedOpenDays.Key(app: app, zone: days.zone.name, day: $0) }
        let pauseMs = keys.allSatisfy(openDays.contains) ? Self.countMs : max(Self.countMs, counted / Self.clicksPerMs)
        guard let closed, !large.isEmpty, nowMs - closed.countedToMs >= pauseMs else { return false }
        let toMs = nowMs - Self.commitMs
        var replacing: [Statement] = []
        for key in keys { replacing += try await self.replacing(key, days, toMs: toMs) }
        let advance = days.advance(countedTo: toMs, from: closed.nextDay)
        return try await database.write(.bulk, locking: []) { [replacing] connection in
            guard try connection.run(advance) > 0 else { return false }
            try connection.batch(replacing)
            return true
        }
    }

    private func replacing(_ key: CountedOpenDays.Key, _ days: ClickDays, toMs: Int64) async throws -> [Statement] {
        var counted = openDays.take(key) ?? CountedClicks(of: key.day, in: days.zone, ClickCut.allFields)
        try await LinkReportStore(database: database).add(to: &counted, of: app, before: UUIDv7.earliest(atMs: toMs))
        openDays.keep(counted, of: key)
        return zip(ClickCut.allCases, counted.texts).map { days.replacement(of: key.day, $0, with: $1) }
    }

    private func replacing(_ day: Int64, _ days: ClickDays) async throws -> [Statement] {
        let texts = try await LinkReportStore(database: database).texts(of: day, ClickCut.allFields, of: app, in: days.zone)
        return zip(ClickCut.allCases, texts).map { days.replacement(of: day, $0, with: $1) }
    }
}
