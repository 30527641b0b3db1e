// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
import LandfallStore
import LandfallWire

/// Counts a day again from its rows and compares: the net below marks and closed days. Nothing should ever differ; what does is
/// put right, and told.
package struct RollupRecount: Sendable {
    /// What was not as it should be.
    package struct Differences: Hashable, Sendable, Codable {
        var installs: Int64 = 0
        /// 1 if the day's counts of installs or exposures differed.
        var days: Int64 = 0
        /// 1 if the day's counts of clicks differed.
        var clickDays: Int64 = 0

        static func + (one: Differences, other: Differences) -> Differences {
            Differences(
                installs: one.installs + other.installs, days: one.days + other.days, clickDays: one.clickDays + other.clickDays)
        }
    }

    private static let slices: Int64 = 24

    let settling: RollupUpdate
    let generation: RollupState.Generation

    private var database: any Database { settling.database }
    private var app: AppID { settling.app }
    private var zone: ReportZone { generation.rules.zone }

    static let installsText = """
        SELECT install_id FROM install_progress WHERE app_id = $1 AND first_open_at_ms >= $2 AND first_open_at_ms < $3
        """
    /// Installs that nothing is known of, although they came on that day.
    static let missingText = """
        SELECT i.install_id FROM install i
        WHERE i.app_id = $1 AND i.created_at_ms >= $2 AND i.created_at_ms < $3 AND NOT EXISTS (
          SELECT 1 FROM install_progress p WHERE p.app_id = $1 AND p.install_id = i.install_id
        )
        """
    static let markedText = "SELECT since_ms FROM report_dirty WHERE app_id = $1 AND report = $2 AND bucket = $3"

    func recount(_ day: Int64, nowMs: Int64) async throws -> Differences {
        let installs = try await recountInstalls(day, nowMs: nowMs)
        // What differed is settled first, so that the day counts it.
        try await settleInstalls(nowMs: nowMs)
        let wrong = try await wrongDays(day, nowMs: nowMs)
        let stamp = DirtyMark.drawnStamp()
        let marks = wrong.filter { !settling.isFrozen(day, $0, generation, nowMs: nowMs) }.map {
            DirtyMark(report: $0, bucket: "\(day)", sinceMs: nowMs, stamp: stamp).insertion(into: app)
        }
        if !marks.isEmpty { try await database.write(.bulk, locking: []) { _ = try $0.batch(marks) } }
        for _ in 0..<RollupWork.mostSteps { guard try await settling.settleDay(generation, nowMs: nowMs) else { break } }
        let isClickDayRight = try await recountClicks(day, nowMs: nowMs)
        return Differences(installs: installs, days: marks.isEmpty ? 0 : 1, clickDays: isClickDayRight ? 0 : 1)
    }

    /// - Returns: how many installs were stored with other facts than their rows have, or not at all, and had no mark.
    private func recountInstalls(_ day: Int64, nowMs: Int64) async throws -> Int64 {
        let (startMs, endMs) = (zone.startMs(ofDay: day), zone.startMs(ofDay: day + 1))
        // The events of earlier installs are deleted by and by.
        guard startMs >= nowMs - settling.retention.eventMs + Retention.dayMs else { return 0 }
        let reading = InstallProgressReader(app: app, types: settling.types, testDevices: settling.testDevices)
        var count: Int64 = 0
        for slice in 0..<Self.slices {
            try Task.checkCancellation()
            let (fromMs, toMs) = (
                startMs + (endMs - startMs) * slice / Self.slices, startMs + (endMs - startMs) * (slice + 1) / Self.slices
            )
            let values: [SQLValue] = [.text(app.rawValue), .integer(fromMs), .integer(toMs)]
            let installs = try await database.rows([Self.installsText, Self.missingText].map { Statement($0, values) }).joined().map {
                try $0.text(0)
            }
            for start in stride(from: 0, to: installs.count, by: RollupUpdate.part) {
                let part = Array(installs[start..<min(start + RollupUpdate.part, installs.count)])
                // One snapshot: what differs has its mark, or should have had one.
                let changed = try await database.read { [app] connection in
                    try part.filter { install in
                        guard let fresh = try reading.progress(of: install, connection) else { return false }
                        let stored = try InstallProgressRows.stored(install, of: app, connection)
                        let isSame = stored.map {
                            $0.firstOpenAtMs == fresh.firstOpenAtMs && $0.facts == fresh.facts.text && $0.exposures == fresh.exposures.hash
                        }
                        return try isSame != true && !isMarked(DirtyMark.installs, install, connection)
                    }
                }
                guard !changed.isEmpty else { continue }
                count += Int64(changed.count)
                let stamp = DirtyMark.drawnStamp()
                let marks = changed.map {
                    DirtyMark(report: DirtyMark.installs, bucket: $0, sinceMs: nowMs, stamp: stamp).insertion(into: app)
                }
                try await database.write(.bulk, locking: []) { _ = try $0.batch(marks) }
            }
        }
        return count
    }

    private func isMarked(_ report: String, _ bucket: String, _ connection: any ReadConnection) throws -> Bool {
        try connection.row(Self.markedText, [.text(app.rawValue), .text(report), .text(bucket)]) != nil
    }

    private func settleInstalls(nowMs: Int64) async throws {
        for _ in 0..<RollupWork.mostSteps { guard try await settling.settleInstalls(nowMs: nowMs) > 0 else { break } }
    }

    /// The marks of the kinds of days whose cells are not those of their rows, and which are not marked already.
    private func wrongDays(_ day: Int64, nowMs: Int64) async throws -> [String] {
        let installs = DirtyMark.days(of: generation.number), exposures = DirtyMark.paywallDays(of: generation.number)
        let areInstallsRight = try await database.read { [self] connection in
            let counted = try settling.texts(of: day, generation, connection)
            let stored = try stored(of: day, installs, counted.keys, connection)
            return stored == nil || stored == counted
        }
        let areExposuresRight = try await areExposuresRight(day, exposures, nowMs: nowMs)
        return (areInstallsRight ? [] : [installs]) + (areExposuresRight ? [] : [exposures])
    }

    /// Exposures are counted in many reads, and facts come between them. So they differ only if they do so twice: meanwhile every
    /// install is computed that was marked at the first time, and the same cells are stored.
    private func areExposuresRight(_ day: Int64, _ mark: String, nowMs: Int64) async throws -> Bool {
        var before: [[String: String]] = []
        for _ in 0..<Self.mostTries {
            let counted = try await settling.paywallTexts(of: day, generation)
            let found = try await database.read { [self] in try stored(of: day, mark, counted.keys, $0) }
            guard let found, found != counted else { return true }
            if before == [found, counted] { return false }
            before = [found, counted]
            try await settleInstalls(nowMs: nowMs)
        }
        return true
    }

    private static let mostTries = 4

    /// The stored cells of a day by report; nil if it is marked.
    private func stored(
        of day: Int64, _ mark: String, _ reports: some Sequence<String>, _ connection: any ReadConnection
    ) throws -> [String: String]? {
        if try isMarked(mark, "\(day)", connection) { return nil }
        return try reports.reduce(into: [:]) { texts, report in
            texts[report] = try RollupReader.days(app, generation, report, day...day, connection).first?.text ?? ""
        }
    }

    /// - Returns: false if the counted clicks of the day were others than its clicks. Now they are the same.
    private func recountClicks(_ day: Int64, nowMs: Int64) async throws -> Bool {
        let days = ClickDays(app: app, zone: zone)
        guard try await database.read({ try days.closed($0) })?.contains(day) == true,
            zone.startMs(ofDay: day) >= nowMs - settling.retention.clickMs + Retention.dayMs
        else { return true }
        var replacing: [Statement] = []
        let texts = try await LinkReportStore(database: database).texts(of: day, ClickDimensions.allLists, of: app, in: zone)
        for (dimensions, counted) in zip(ClickDimensions.allCases, texts) {
            let stored = try await database.read { try days.days(dimensions, day...day, $0) }.first?.text ?? ""
            if stored != counted { replacing.append(days.replacement(of: day, dimensions, with: counted)) }
        }
        guard !replacing.isEmpty else { return true }
        try await database.write(.bulk, locking: []) { [replacing] in _ = try $0.batch(replacing) }
        return false
    }
}

/// What `landfall report rebuild` has done in one call.
package struct RebuiltDays: Hashable, Sendable, Codable {
    /// The first and the last day that were counted again, in the form 2026-11-01; null while the first days are being computed.
    package var from: String?
    package var to: String?
    /// Days that were counted again.
    package var days: Int64 = 0
    /// What was not as it should be, and is now.
    package var installs: Int64 = 0
    package var changedDays: Int64 = 0
    package var changedClickDays: Int64 = 0
    package var milliseconds: Int64 = 0
    /// The first day of the rest; null if everything is done.
    package var next: String?

    package init() {}

    package mutating func add(_ other: RebuiltDays) {
        from = from ?? other.from
        to = other.to ?? to
        days += other.days
        installs += other.installs
        changedDays += other.changedDays
        changedClickDays += other.changedClickDays
        milliseconds += other.milliseconds
        next = other.next
    }
}

extension RollupWork {
    /// The last days that are counted again each night.
    static let nights: Int64 = 3
    /// More than a recount of a large store takes: its lease is not renewed.
    static let recountLeaseMs: Int64 = 6 * 3_600_000
    /// The time of day of the nightly recount, after midnight in the zone of the days.
    private static let recountMs: Int64 = 3 * 3_600_000 + 600_000

    /// The nightly recount: one job for all its days, so that no two of them are counted again at once, on whatever node.
    package var recounts: JobWork {
        JobWork(
            kind: .recounts, leaseMs: Self.recountLeaseMs, standing: [JobName(app: configuration.snapshot.app.id, kind: .recounts, key: "nights")],
            attempt: { _ in .again(atMs: try await recountNights()) })
    }

    /// Each of the last days, one after the other. The answer is when that is due again.
    func recountNights() async throws -> Int64 {
        var dueMs = time.nowMs()
        for back in 1...Self.nights { dueMs = try await recountNightly(back) }
        return dueMs
    }

    /// One of the last days, counted again. The answer is when that is due again.
    func recountNightly(_ back: Int64) async throws -> Int64 {
        let nowMs = time.nowMs()
        // While days are computed by other rules, the served ones differ from what this release counts.
        guard let (state, serving) = try await current() else { return nowMs + Self.recountMs }
        let today = serving.rules.zone.day(ofMs: nowMs)
        let recount = RollupRecount(settling: settling(configuration.snapshot, state), generation: serving)
        onDifferences(try await recount.recount(today - back, nowMs: nowMs))
        return serving.rules.zone.startMs(ofDay: today + 1) + Self.recountMs
    }

    /// Counts days again, a few in one call.
    /// - Parameter mostDays: after so many days the answer names the next one.
    func rebuild(_ days: ReportDays, mostDays: Int64) async throws -> RebuiltDays {
        let startMs = time.nowMs()
        var rebuilt = RebuiltDays()
        if try await current() == nil { _ = try await work() }
        // The first days, or days by other rules, are still being computed.
        guard let (state, serving) = try await current() else {
            rebuilt.next = days.from
            rebuilt.milliseconds = time.nowMs() - startMs
            return rebuilt
        }
        let recount = RollupRecount(settling: settling(configuration.snapshot, state), generation: serving)
        let last = min(days.days.upperBound, days.days.lowerBound + mostDays - 1)
        var differences = RollupRecount.Differences()
        for day in days.days.lowerBound...last {
            try Task.checkCancellation()
            differences = differences + (try await recount.recount(day, nowMs: time.nowMs()))
            rebuilt.days += 1
        }
        let charges = ChargeDayUpdate(database: database, app: app)
        try await charges.mark(days.days.lowerBound...last, nowMs: time.nowMs())
        for _ in days.days.lowerBound...last { guard try await charges.step() else { break } }
        onDifferences(differences)
        (rebuilt.from, rebuilt.to) = (days.from, ReportDays.text(last))
        (rebuilt.installs, rebuilt.changedDays, rebuilt.changedClickDays) = (differences.installs, differences.days, differences.clickDays)
        rebuilt.next = last < days.days.upperBound ? ReportDays.text(last + 1) : nil
        rebuilt.milliseconds = time.nowMs() - startMs
        return rebuilt
    }

    /// Nil while a generation is being computed, or has yet to begin.
    private func current() async throws -> (RollupState, RollupState.Generation)? {
        guard let (state, serving) = try await served(), state.building == nil, serving.rules == RollupRules(configuration.snapshot) else {
            return nil
        }
        return (state, serving)
    }

    private func served() async throws -> (RollupState, RollupState.Generation)? {
        let state = try await database.read { [app = configuration.snapshot.app.id] in try RollupState.load(app, $0) }
        guard let state, let serving = state.serving else { return nil }
        return (state, serving)
    }
}
