// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Computes a generation from its beginning: every install, then every day. It only marks; ``RollupUpdate`` computes what is
/// marked, by any fact. So facts that come meanwhile need nothing of their own.
struct RollupBuild: Sendable {
    static let mostInstalls: Int64 = 500

    let settling: RollupUpdate

    private var database: any Database { settling.database }
    private var app: AppID { settling.app }

    /// Marks the next installs, then the next day. Once everything is computed that was marked until then, the generation is what
    /// reports read: facts that come meanwhile are marked later.
    /// - Returns: false if something is still to be computed, or another node was faster.
    func step(_ state: RollupState, nowMs: Int64) async throws -> Bool {
        guard let building = state.building else { return false }
        return try await building.readsInstalls ? markInstalls(state, building, nowMs: nowMs) : markDay(state, building, nowMs: nowMs)
    }

    static let installsText = "SELECT install_id FROM install WHERE app_id = $1 AND install_id > $2 ORDER BY install_id LIMIT $3"
    static let firstText = "SELECT MIN(first_open_at_ms) AS first_ms FROM install_progress WHERE app_id = $1"
    /// A phone may tell an exposure of a day before any first open.
    static let firstShownText = "SELECT MIN(occurred_at_ms) AS first_ms FROM event WHERE app_id = $1 AND type = 'paywall_shown'"
    static let firstDayText = "SELECT MIN(day) AS day FROM report_day WHERE app_id = $1 AND generation = $2 AND report = $3"

    private func markInstalls(_ state: RollupState, _ building: RollupState.Building, nowMs: Int64) async throws -> Bool {
        let (installs, count) = try await database.read { [app] connection in
            let values: [SQLValue] = [.text(app.rawValue), .text(building.doneTo), .integer(Self.mostInstalls)]
            let count = building.doneTo.isEmpty
                ? try connection.row("SELECT COUNT(*) AS count FROM install WHERE app_id = $1", [.text(app.rawValue)])?.integer("count") : nil
            return (try connection.rows(Self.installsText, values).map { try $0.text(0) }, count ?? building.total)
        }
        var next = building
        next.total = count
        next.done += Int64(installs.count)
        if let last = installs.last { next.doneTo = last }
        // Those that come later are marked by what they send.
        if installs.count < Self.mostInstalls { (next.readsInstalls, next.doneTo, next.done, next.total) = (false, "", 0, 0) }
        let stamp = DirtyMark.drawnStamp()
        let marks = installs.map { DirtyMark(report: DirtyMark.installs, bucket: $0, sinceMs: nowMs, stamp: stamp).insertion(into: app) }
        return try await write(state, next, marks)
    }

    private func markDay(_ state: RollupState, _ building: RollupState.Building, nowMs: Int64) async throws -> Bool {
        let generation = building.generation
        let today = generation.rules.zone.day(ofMs: nowMs)
        var next = building
        let day: Int64
        if let markedMs = Self.markedMs(building) {
            let isWaiting = try await database.read { [app] connection in
                try ([DirtyMark.installs] + DirtyMark.allDays(of: generation.number)).contains {
                    try DirtyMark.oldest($0, of: app, 1, connection).contains { $0.sinceMs <= markedMs }
                }
            }
            return isWaiting ? false : try await finish(state)
        } else if let done = Int64(building.doneTo) {
            day = done + 1
        } else {
            guard let first = try await firstDay(state, generation) else { return try await end(state, building, nowMs: nowMs) }
            day = first
            next.total = max(0, today - first + 1)
        }
        guard day <= today else { return try await end(state, building, nowMs: nowMs) }
        next.doneTo = "\(day)"
        next.done += 1
        let stamp = DirtyMark.drawnStamp()
        var statements: [Statement] = []
        for mark in DirtyMark.allDays(of: generation.number) {
            if settling.isFrozen(day, mark, generation, nowMs: nowMs), let serving = state.serving {
                statements += try await moved(day, mark, from: serving, to: generation)
            } else {
                statements.append(DirtyMark(report: mark, bucket: "\(day)", sinceMs: nowMs, stamp: stamp).insertion(into: app))
            }
        }
        return try await write(state, next, statements)
    }

    /// A day as it is in another generation, with the metrics of the new one. What the other did not count is zero; what it counted
    /// behind its metrics stays.
    private func moved(
        _ day: Int64, _ mark: String, from: RollupState.Generation, to: RollupState.Generation
    ) async throws -> [Statement] {
        let numbers = to.rules.metrics.map { from.rules.metrics.firstIndex(of: $0) }
        let paywalls = PaywallReport.layout(from.rules.metrics.count).converted
        let tables: [(report: String, fields: Int, converted: Range<Int>?)] =
            mark == DirtyMark.paywallDays(of: to.number)
            ? PaywallDimensions.choices.map { ($0.report, $0.list.count, paywalls) }
            : RollupDimensions.allCases.map { ($0.rawValue, $0.list.count, $0.layout(from.rules).converted) }
        // Days of earlier forms have no cell for each link or version: their installs become the rest.
        let untold = Set(RollupDimensions.allCases.filter { from.rules.form < $0.firstForm }.map(\.rawValue))
        let sources = tables.map { untold.contains($0.report) ? RollupDimensions.whole.rawValue : $0.report }
        let texts = try await database.read { [app] connection in
            try sources.map { try RollupReader.days(app, from, $0, day...day, connection).first?.text ?? "" }
        }
        let rows = RollupRows(app: app, generation: to.number)
        return try zip(zip(tables, sources), texts).map { table, text in
            let (table, isRest) = (table.0, table.0.report != table.1)
            var cells: [ReportSheet.Key: [Int64]] = [:]
            try DayText.forEach(text, fields: isRest ? 0 : table.fields) { cell in
                let counts = Array(cell.counts)
                let moved = table.converted.map { converted in
                    let former = counts.dropFirst(converted.lowerBound).prefix(converted.count)
                    return counts.prefix(converted.lowerBound) + numbers.map { $0.flatMap { former.dropFirst($0).first } ?? 0 }
                        + counts.dropFirst(converted.upperBound)
                }
                let key = isRest ? ReportSheet.Key(repeating: Array(DayCells.other.utf8), count: table.fields) : (0..<table.fields).map { cell.value($0) }
                cells[key] = moved.map { Array($0) } ?? counts
            }
            return rows.replacement(of: day, table.report, with: DayText.text(cells))
        }
    }

    private func firstDay(_ state: RollupState, _ generation: RollupState.Generation) async throws -> Int64? {
        try await database.read { [app] connection in
            let firstMs = try [Self.firstText, Self.firstShownText].compactMap {
                try connection.row($0, [.text(app.rawValue)])?.optionalInteger("first_ms")
            }.min()
            let former = try state.serving.flatMap { serving in
                try [RollupDimensions.whole.rawValue, PaywallDimensions([]).report].compactMap { report in
                    try connection.row(Self.firstDayText, [.text(app.rawValue), .integer(serving.number), .text(report)])?
                        .optionalInteger("day")
                }.min()
            }
            return [firstMs.map { generation.rules.zone.day(ofMs: $0) }, former].compactMap(\.self).min()
        }
    }

    /// What ``RollupState/Building/doneTo`` has once everything is marked: the time of the last marking. An earlier release takes it for
    /// no day, and marks the days again.
    private static let marked = "marked "

    private static func markedMs(_ building: RollupState.Building) -> Int64? {
        building.doneTo.hasPrefix(marked) ? Int64(building.doneTo.dropFirst(marked.count)) : nil
    }

    private func end(_ state: RollupState, _ building: RollupState.Building, nowMs: Int64) async throws -> Bool {
        var next = building
        next.doneTo = Self.marked + "\(nowMs)"
        return try await write(state, next, [])
    }

    private func finish(_ state: RollupState) async throws -> Bool {
        var next = state
        next.serving = state.building?.generation
        next.building = nil
        let former = state.serving.map { RollupRows(app: app, generation: $0.number).staleMarks() } ?? []
        return try await next.replace(state, with: former, in: app, database)
    }

    /// Writes the progress and the marks together, so that a crash leaves neither alone.
    private func write(_ state: RollupState, _ next: RollupState.Building, _ statements: [Statement]) async throws -> Bool {
        var after = state
        after.building = next
        return try await after.replace(state, with: statements, in: app, database)
    }
}
