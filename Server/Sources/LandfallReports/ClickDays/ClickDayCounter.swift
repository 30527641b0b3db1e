// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts the clicks of days that are over: a part of the job that computes days.
struct ClickDayCounter: Sendable {
    /// A day is over so long after its end: its last clicks are on disk by then.
    static let graceMs: Int64 = 600_000

    let database: any Database
    let app: AppID
    let retention: Retention
    let openDays: CountedOpenDays

    /// Counts one day, or deletes some days of a former zone.
    /// - Returns: false if nothing is left to do.
    func step(_ zones: [ReportZone], nowMs: Int64) async throws -> Bool {
        openDays.forget { day in day.app == app && !zones.contains { $0.name == day.zone } }
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
    private static let countMs: Int64 = 30_000, clicksPerMs: Int64 = 10
    /// A click that was followed so long ago is on disk.
    private static let commitMs: Int64 = 10_000

    /// Counts the clicks of large days that are not over.
    private func count(_ days: ClickDays, nowMs: Int64) async throws -> Bool {
        let today = days.zone.day(ofMs: nowMs)
        let (closed, large, counted) = try await database.read { connection -> (ClickDays.Closed?, [Int64], Int64) in
            guard let closed = try days.closed(connection), closed.nextDay <= today else { return (nil, [], 0) }
            let open = closed.nextDay...today
            var counted: Int64 = 0
            for day in try days.days(.whole, open, connection) where !openDays.contains(days.day(day.day)) {
                try DayText.forEach(day.text, fields: 0) { counted += $0.counts.reduce(0, +) }
            }
            return (closed, try open.filter { try days.clicks(of: $0, connection).firstUnreadID != nil }, counted)
        }
        openDays.forget { $0.app == app && $0.zone == days.zone.name && !large.contains($0.day) }
        guard let closed, !large.isEmpty, nowMs - closed.countedToMs >= max(Self.countMs, counted / Self.clicksPerMs) else { return false }
        let toMs = nowMs - Self.commitMs
        var replacing: [Statement] = []
        for day in large { replacing += try await self.replacing(day, days, toMs: toMs) }
        let advance = days.advance(countedTo: toMs, from: closed.nextDay)
        return try await database.write(.bulk, locking: []) { [replacing] connection in
            guard try connection.run(advance) > 0 else { return false }
            try connection.batch(replacing)
            return true
        }
    }

    /// The clicks of a day that is not over, up to a time: the new ones are added to those that this node has counted.
    private func replacing(_ day: Int64, _ days: ClickDays, toMs: Int64) async throws -> [Statement] {
        let key = days.day(day), beginning = CountedClicks(of: day, in: days.zone, ClickDimensions.allLists)
        var counted = openDays.take(key) ?? beginning
        let areAll = try await database.read { [app, counted] in try counted.areAll(of: app, $0) }
        if !areAll { counted = beginning }
        let endMs = min(toMs, days.zone.startMs(ofDay: day + 1))
        try await LinkReportStore(database: database).add(to: &counted, of: app, before: UUIDv7.earliest(atMs: endMs))
        // Where clicks come late again and again, every second time begins anew, and later.
        if areAll { openDays.keep(counted, of: key) }
        return zip(ClickDimensions.allCases, counted.texts).map { days.replacement(of: day, $0, with: $1) }
    }

    private func replacing(_ day: Int64, _ days: ClickDays) async throws -> [Statement] {
        let texts = try await LinkReportStore(database: database).texts(of: day, ClickDimensions.allLists, of: app, in: days.zone)
        return zip(ClickDimensions.allCases, texts).map { days.replacement(of: day, $0, with: $1) }
    }
}
