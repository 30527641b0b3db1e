// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Computes again what facts have marked: first installs, then the days that count them.
///
/// Whatever is computed replaces what was there, in the transaction that deletes the mark. So a repeated fact, a late one and
/// work that runs twice change nothing, and after a crash the mark is still there.
struct RollupSettling: Sendable {
    /// Installs of one transaction. A few milliseconds of the writer.
    static let mostInstalls = 100

    let database: any Database
    let app: AppID
    let types: Set<Event.Kind>
    let testDevices: TestDevices
    let retention: Retention

    private struct Computed: Sendable {
        let mark: ReportMark
        let stored: (firstOpenAtMs: Int64, facts: String)?
        let fresh: (firstOpenAtMs: Int64, facts: String)?

        var isChanged: Bool { stored?.firstOpenAtMs != fresh?.firstOpenAtMs || stored?.facts != fresh?.facts }
    }

    /// Computes the installs whose marks are the oldest.
    /// - Returns: how many marks there were.
    func settleInstalls(nowMs: Int64) async throws -> Int {
        let marks = try await database.read { [app] in try ReportMark.oldest(ReportMark.installs, of: app, Self.mostInstalls, $0) }
        try await settle(marks, nowMs: nowMs)
        return marks.count
    }

    private func settle(_ marks: [ReportMark], nowMs: Int64) async throws {
        guard !marks.isEmpty else { return }
        // Events of earlier installs are deleted by and by: what was counted of them stays.
        let frozenMs = nowMs - retention.eventMs + Retention.dayMs
        let reading = InstallProgressReading(app: app, types: types, testDevices: testDevices)
        let computed = try await database.read { [app] connection in
            try marks.map { mark in
                let stored = try InstallProgressRows.stored(mark.bucket, of: app, connection)
                if let stored, stored.firstOpenAtMs < frozenMs { return Computed(mark: mark, stored: stored, fresh: stored) }
                let fresh = try reading.progress(of: mark.bucket, connection).map { ($0.firstOpenAtMs, try $0.facts.text) }
                return Computed(mark: mark, stored: stored, fresh: fresh ?? stored)
            }
        }
        let stamp = ReportMark.drawnStamp()
        let lock = RowLock("report_state", ["app_id": .text(app.rawValue)])
        try await database.write(.bulk, locking: [lock]) { [app] connection in
            // Read here: a generation that begins meanwhile gets its marks too.
            let following = try RollupState.load(app, connection)?.following ?? []
            let deleted = try connection.batch(computed.map { $0.mark.deletion(from: app) })
            // A mark with another stamp is newer than what was computed here.
            let valid = zip(computed, deleted).filter { $0.1 > 0 && $0.0.isChanged }.map(\.0)
            let rows = valid.compactMap { one in
                one.fresh.map {
                    InstallProgressRows.replacement(one.mark.bucket, of: app, firstOpenAtMs: $0.firstOpenAtMs, facts: $0.facts)
                }
            }
            let marks = following.flatMap { dayMarks(of: valid, $0, stamp: stamp, nowMs: nowMs) }
            if !rows.isEmpty { try connection.batch(rows + marks.map { $0.insertion(into: app) }) }
        }
    }

    private func dayMarks(of installs: [Computed], _ generation: RollupState.Generation, stamp: Int64, nowMs: Int64) -> [ReportMark] {
        var since: [Int64: Int64] = [:]
        for install in installs {
            for atMs in Set([install.stored?.firstOpenAtMs, install.fresh?.firstOpenAtMs].compactMap(\.self)) {
                let day = generation.rules.zone.day(ofMs: atMs)
                guard !isFrozen(day, generation, nowMs: nowMs) else { continue }
                since[day] = min(since[day] ?? .max, install.mark.sinceMs)
            }
        }
        return since.sorted { $0.key < $1.key }.map { day, sinceMs in
            ReportMark(report: ReportMark.days(of: generation.number), bucket: "\(day)", sinceMs: sinceMs, stamp: stamp)
        }
    }

    /// Installs of this day may be deleted already, so that it can only stay as it is.
    func isFrozen(_ day: Int64, _ generation: RollupState.Generation, nowMs: Int64) -> Bool {
        generation.rules.zone.startMs(ofDay: day) < nowMs - retention.installMs
    }

    /// Computes the marked day that has waited longest.
    /// - Returns: false if no day of the generation is marked.
    func settleDay(_ generation: RollupState.Generation) async throws -> Bool {
        let report = ReportMark.days(of: generation.number)
        let marks = try await database.read { [app] in try ReportMark.oldest(report, of: app, 1, $0) }
        guard let mark = marks.first else { return false }
        guard let day = Int64(mark.bucket) else { throw DatabaseError.unexpectedValue(column: "bucket") }
        let cells = try await database.read { connection -> [RollupCut: [[String?]: RollupCounts]] in
            try self.cells(of: day, generation, connection)
        }
        let rows = RollupRows(app: app, generation: generation.number)
        let replacing = try RollupCut.allCases.flatMap { try rows.replacement(of: day, $0, with: cells[$0] ?? [:]) }
        try await database.write(.bulk, locking: []) { [app] connection in
            guard try connection.run(mark.deletion(from: app)) > 0 else { return }
            try connection.batch(replacing)
        }
        return true
    }

    /// What the installs of a day add up to.
    func cells(
        of day: Int64, _ generation: RollupState.Generation, _ connection: any ReadConnection
    ) throws -> [RollupCut: [[String?]: RollupCounts]] {
        let zone = generation.rules.zone
        let openedMs = zone.startMs(ofDay: day)..<zone.startMs(ofDay: day + 1)
        let facts = try InstallProgressRows.facts(of: app, openedMs: openedMs, connection)
        var sums = RollupCut.allCases.map { RollupCells($0, generation.rules) }
        for (text, installs) in facts {
            let fact = try InstallProgress.Facts(text)
            for place in sums.indices { sums[place].add(fact, installs: installs) }
        }
        return Dictionary(uniqueKeysWithValues: sums.map { ($0.cut, $0.cells) })
    }
}
