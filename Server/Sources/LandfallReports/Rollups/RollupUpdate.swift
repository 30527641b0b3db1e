// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Computes again what facts have marked: first installs, then the days that count them.
///
/// Whatever is computed replaces what was there, in the transaction that deletes the mark. So a repeated fact, a late one and
/// work that runs twice change nothing, and after a crash the mark is still there.
struct RollupUpdate: Sendable {
    /// Installs of one transaction: most of its time is reading, outside the writer.
    static let mostInstalls = 200
    /// Installs of one read.
    static let part = 100

    let database: any Database
    let app: AppID
    let types: Set<Event.Kind>
    /// The longest time after an exposure in which a metric counts.
    let windowMs: Int64
    let testDevices: TestDevices
    let retention: Retention

    private struct Computed: Sendable {
        let mark: DirtyMark
        let stored: InstallProgressRows.Stored?
        let fresh: InstallProgressRows.Stored?
        /// When paywalls were seen that count otherwise than before.
        var shownMs: [Int64] = []
        /// Of charges that count for somebody else than before.
        var chargeDays: Set<Int64> = []

        var isChanged: Bool { stored != fresh }
    }

    /// Computes the installs whose marks are the oldest.
    /// - Returns: how many marks there were.
    func settleInstalls(nowMs: Int64) async throws -> Int {
        let marks = try await database.read { [app] in try DirtyMark.oldest(DirtyMark.installs, of: app, Self.mostInstalls, $0) }
        try await settle(marks, nowMs: nowMs)
        return marks.count
    }

    private func settle(_ marks: [DirtyMark], nowMs: Int64) async throws {
        guard !marks.isEmpty else { return }
        let computed = try await computed(marks, nowMs: nowMs)
        let stamp = DirtyMark.drawnStamp()
        try await database.write(.bulk, locking: [RollupState.lock(app)]) { [app] connection in
            // Read here: a generation that begins meanwhile gets its marks too.
            let following = try RollupState.load(app, connection)?.following ?? []
            let deleted = try connection.batch(computed.map { $0.mark.deletion(from: app) })
            // A mark with another stamp is newer than what was computed here.
            let valid = zip(computed, deleted).filter { $0.1 > 0 && $0.0.isChanged }.map(\.0)
            let rows = valid.compactMap { one in one.fresh.map { InstallProgressRows.replacement(one.mark.bucket, of: app, with: $0) } }
            let marks = following.flatMap { generation in
                [
                    (DirtyMark.days(of: generation.number), openedMs(of:)), (DirtyMark.paywallDays(of: generation.number), \.shownMs),
                ].flatMap { dayMarks($0.0, valid, at: $0.1, generation, stamp: stamp, nowMs: nowMs) }
            }
            let charges = DirtyMark.charges(on: valid.flatMap(\.chargeDays), sinceMs: nowMs, stamp: stamp)
            if !rows.isEmpty { try connection.batch(rows + (marks + charges).map { $0.insertion(into: app) }) }
        }
    }

    /// The clocks of nodes differ by less than this.
    private static let clocksMs: Int64 = 600_000

    private func computed(_ marks: [DirtyMark], nowMs: Int64) async throws -> [Computed] {
        try await marks.readInParts(of: Self.part) { part in
            try await database.read { connection in try part.map { try self.computed($0, nowMs: nowMs, connection) } }
        }
    }

    private func computed(_ mark: DirtyMark, nowMs: Int64, _ connection: any ReadConnection) throws -> Computed {
        let reading = InstallProgressReader(app: app, types: types, testDevices: testDevices)
        let stored = try InstallProgressRows.stored(mark.bucket, of: app, connection)
        guard let progress = try reading.progress(of: mark.bucket, connection) else { return Computed(mark: mark, stored: stored, fresh: stored) }
        let fresh = try InstallProgressRows.Stored(
            progress, after: stored, exposures: progress.exposures.hash, eventMs: retention.eventMs, nowMs: nowMs)
        var computed = Computed(mark: mark, stored: stored, fresh: fresh)
        if fresh.exposures != stored?.exposures ?? 0 {
            computed.shownMs = try shownMs(progress.exposures, after: stored?.exposures ?? 0, reading, mark, connection)
        }
        if computed.isChanged {
            let isMoved = try stored.map {
                try $0.firstOpenAtMs != progress.firstOpenAtMs || !InstallProgress.Facts($0.facts).hasOrigin(of: progress.facts)
            } ?? true
            computed.chargeDays = try ChargeDays.brought(by: mark.bucket, onlyUnsold: !isMoved, in: app, from: connection)
        }
        return computed
    }

    /// When paywalls were seen that count otherwise than before. An install that comes back after months does not make its first days be
    /// counted again: they would be most days of a large store.
    private func shownMs(
        _ exposures: InstallProgress.Exposures, after stored: Int64, _ reading: InstallProgressReader, _ mark: DirtyMark,
        _ connection: any ReadConnection
    ) throws -> [Int64] {
        let news = try reading.news(of: mark.bucket, sinceMs: mark.sinceMs - Self.clocksMs, connection)
        let later = try news.shownMs.map { try reading.exposures(of: mark.bucket, fromMs: $0, connection) } ?? []
        // Nothing new: rows were deleted.
        guard !exposures.isOtherwise(than: stored), news.shownMs != nil || news.ownMs != nil else { return exposures.firstMs + later }
        // An own event counts only for what was seen so long before it.
        return exposures.firstMs.filter { first in news.ownMs.map { first >= $0 - windowMs } ?? false } + later
    }

    private func openedMs(of one: Computed) -> [Int64] { InstallProgressRows.Stored.openedMs(one.stored, one.fresh) }

    private func dayMarks(
        _ report: String, _ installs: [Computed], at instants: (Computed) -> [Int64], _ generation: RollupState.Generation, stamp: Int64,
        nowMs: Int64
    ) -> [DirtyMark] {
        var since: [Int64: Int64] = [:]
        for install in installs {
            for day in Set(instants(install).map { generation.rules.zone.day(ofMs: $0) }) where !isFrozen(day, report, generation, nowMs: nowMs) {
                since[day] = min(since[day] ?? .max, install.mark.sinceMs)
            }
        }
        return since.sorted { $0.key < $1.key }.map { DirtyMark(report: report, bucket: "\($0)", sinceMs: $1, stamp: stamp) }
    }

    /// Rows of this day may be deleted already, so that it can only stay as it is.
    func isFrozen(_ day: Int64, _ report: String, _ generation: RollupState.Generation, nowMs: Int64) -> Bool {
        let keptMs = report == DirtyMark.paywallDays(of: generation.number) ? min(retention.eventMs, retention.installMs) : retention.installMs
        return generation.rules.zone.startMs(ofDay: day) < nowMs - keptMs
    }

    /// Whether at most so many installs and days wait.
    func isSmall(_ generation: RollupState.Generation, marks: Int) async throws -> Bool {
        let reports = [DirtyMark.installs] + DirtyMark.allDays(of: generation.number)
        return try await database.read { [app] connection in
            try reports.allSatisfy { try DirtyMark.oldest($0, of: app, marks + 1, connection).count <= marks }
        }
    }

    /// Computes the marked day that has waited longest, of first opens or of exposures.
    /// - Parameters:
    ///   - isBuilding: the generation serves no reports yet.
    ///   - most: of installs or exposures: a larger day stays marked.
    /// - Returns: false if no day of the generation is marked, or only large ones are next.
    func settleDay(
        _ generation: RollupState.Generation, isBuilding: Bool = false, atMost most: Int64 = .max, nowMs: Int64
    ) async throws -> Bool {
        let (marks, waitingMs) = try await database.read { [app] connection in
            let marks = try DirtyMark.allDays(of: generation.number).flatMap { try DirtyMark.oldest($0, of: app, 1, connection) }
            return (marks, try DirtyMark.oldest(DirtyMark.installs, of: app, 1, connection).first?.sinceMs)
        }
        // What an install that waits here has done may mark the day while it is counted.
        let countedToMs = min(nowMs, waitingMs ?? nowMs)
        // In turn: otherwise installs that come without pause would mark their day again before any exposures are counted.
        for mark in marks.sorted(by: { $0.sinceMs < $1.sinceMs }) {
            guard let day = Int64(mark.bucket) else { throw DatabaseError.unexpectedValue(column: "bucket") }
            if most != .max, try await size(of: day, generation, upTo: most) > most { continue }
            // Rows of a day that was marked long ago, or by an erasure, may be deleted already.
            // A generation that is being built has no such day yet: it gets what is there.
            let isFrozen = !isBuilding && isFrozen(day, mark.report, generation, nowMs: nowMs)
            let replacing = isFrozen ? [] : try await replacing(day, mark.report, generation)
            try await database.write(.bulk, locking: []) { [app] connection in
                // Marked again while it was counted: the day is counted again, and has this meanwhile. Otherwise a large day would have
                // nothing for as long as installs come faster than it is counted.
                guard try connection.run(mark.deletion(from: app)) > 0 || connection.run(mark.advance(to: countedToMs, in: app)) > 0,
                    !replacing.isEmpty
                else { return }
                try connection.batch(replacing)
            }
            return true
        }
        return false
    }

    static let openedText = """
        SELECT COUNT(*) AS count FROM (
          SELECT 1 AS one FROM install_progress WHERE app_id = $1 AND first_open_at_ms >= $2 AND first_open_at_ms < $3 LIMIT $4
        ) AS opened
        """
    static let shownText = """
        SELECT COUNT(*) AS count FROM (
          SELECT 1 AS one FROM event WHERE app_id = $1 AND type = 'paywall_shown' AND occurred_at_ms >= $2 AND occurred_at_ms < $3 LIMIT $4
        ) AS shown
        """

    /// The installs or the exposures of a day, whichever are more.
    private func size(of day: Int64, _ generation: RollupState.Generation, upTo most: Int64) async throws -> Int64 {
        let zone = generation.rules.zone
        let values: [SQLValue] = [
            .text(app.rawValue), .integer(zone.startMs(ofDay: day)), .integer(zone.startMs(ofDay: day + 1)), .integer(most + 1),
        ]
        let counts = try await database.rows([Self.openedText, Self.shownText].map { Statement($0, values) })
        return try counts.joined().map { try $0.integer("count") }.max() ?? 0
    }

    private func replacing(_ day: Int64, _ report: String, _ generation: RollupState.Generation) async throws -> [Statement] {
        let rows = RollupRows(app: app, generation: generation.number)
        let texts = report == DirtyMark.paywallDays(of: generation.number)
            ? try await paywallTexts(of: day, generation)
            : try await database.read { try self.texts(of: day, generation, $0) }
        return texts.sorted { $0.key < $1.key }.map { rows.replacement(of: day, $0.key, with: $0.value) }
    }

    /// What the installs of a day add up to, by table.
    func texts(of day: Int64, _ generation: RollupState.Generation, _ connection: any ReadConnection) throws -> [String: String] {
        let zone = generation.rules.zone
        let openedMs = zone.startMs(ofDay: day)..<zone.startMs(ofDay: day + 1)
        var sums = RollupDimensions.allCases.map { RollupCells($0, generation.rules) }
        for (text, installs) in try InstallProgressRows.facts(of: app, openedMs: openedMs, connection) {
            let fact = try InstallProgress.Facts(text)
            for index in sums.indices { sums[index].add(fact, installs: installs) }
        }
        return Dictionary(sums.map { ($0.dimensions.rawValue, $0.text) }) { first, _ in first }
    }

    /// The same of the exposures of a day.
    func paywallTexts(of day: Int64, _ generation: RollupState.Generation) async throws -> [String: String] {
        let cells = try await PaywallDay(app: app, rules: generation.rules, testDevices: testDevices).cells(of: day, database)
        return Dictionary(cells.map { ($0.key.report, DayText.text($0.value)) }) { first, _ in first }
    }
}
