// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// What reports count of an install that is being erased. An install stays counted also if it is erased before a job has computed
/// it: then it is computed here, while its rows are still there. Everything comes from the store: an erasure knows no configuration.
///
/// What is kept says nothing about the person: texts that the phone or a tapped address said may be about one person alone, so they are
/// not kept, and the day that counted the install by them is counted again.
struct ErasedProgress {
    let erasure: CountedErasure

    /// Keeps what the install did, without its id, and marks the days that count it otherwise from now on.
    func statements(of install: InstallID) throws -> [Statement] {
        let stored = try InstallProgressRows.stored(install.rawValue, of: erasure.app, erasure.connection)
        let values: [SQLValue] = [.text(erasure.app.rawValue), .text(DirtyMark.installs), .text(install.rawValue)]
        let markedMs = try erasure.connection.row(RollupRecount.markedText, values)?.integer("since_ms")
        let state = try RollupState.load(erasure.app, erasure.connection)
        guard let found = try markedMs == nil ? stored ?? fresh(install, stored, state) : fresh(install, stored, state) ?? stored
        else { return [] }
        let facts = try InstallProgress.Facts(found.facts), kept = facts.withoutTexts
        var openedMs = InstallProgressRows.Stored.openedMs(stored, found)
        if kept != facts, openedMs.isEmpty { openedMs = [found.firstOpenAtMs] }
        return [InstallProgressRows.keeping(kept, openedAtMs: found.firstOpenAtMs, in: erasure.app)]
            + dayMarks(openedMs, state, sinceMs: markedMs ?? erasure.nowMs).map { $0.insertion(into: erasure.app) }
    }

    /// What the install did, computed now; nil if it has too many events for that.
    private func fresh(
        _ install: InstallID, _ stored: InstallProgressRows.Stored?, _ state: RollupState?
    ) throws -> InstallProgressRows.Stored? {
        guard try hasFewEvents(install) else { return nil }
        let reading = InstallProgressReader(
            app: erasure.app, types: (state?.generations ?? []).reduce(into: []) { $0.formUnion($1.rules.types) },
            testDevices: try testDevices(install, stored))
        guard let progress = try reading.progress(of: install.rawValue, erasure.connection) else { return nil }
        // An erasure does not know for how long events are kept.
        return try InstallProgressRows.Stored(
            progress, after: stored, exposures: 0, eventMs: Retention.eventDays.lowerBound * Retention.dayMs, nowMs: erasure.nowMs)
    }

    /// Everybody with an SDK key can send any number of events, and they would be read while first opens wait for the writer. An install
    /// with more is counted as it was computed.
    private func hasFewEvents(_ install: InstallID) throws -> Bool {
        let values: [SQLValue] = [.text(erasure.app.rawValue), .text(install.rawValue), .integer(Self.mostEvents + 1)]
        return try erasure.connection.row(Self.countText, values)?.integer("n") ?? 0 <= Self.mostEvents
    }

    private static let mostEvents: Int64 = 20_000
    private static let countText = """
        SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM event WHERE app_id = $1 AND install_id = $2 LIMIT $3) AS found
        """

    /// The install itself if it was computed as a test device, or if the first install of its phone was.
    private func testDevices(_ install: InstallID, _ stored: InstallProgressRows.Stored?) throws -> TestDevices {
        let row = try erasure.connection.row(
            "SELECT first_install_id FROM install WHERE app_id = $1 AND install_id = $2",
            [.text(erasure.app.rawValue), .text(install.rawValue)])
        let first = try row?.optionalText("first_install_id").flatMap { try InstallProgressRows.stored($0, of: erasure.app, erasure.connection) }
        guard let known = stored ?? first, try InstallProgress.Facts(known.facts).isTest else { return TestDevices() }
        return TestDevices([TestDevice(name: "", install: install)])
    }

    /// A day stays as it is if installs of it may be deleted already: who counts it again knows the configuration, see
    /// ``RollupUpdate/isFrozen(_:_:_:nowMs:)``.
    private func dayMarks(_ openedMs: [Int64], _ state: RollupState?, sinceMs: Int64) -> [DirtyMark] {
        var marks: [DirtyMark] = []
        for generation in state?.following ?? [] {
            let zone = generation.rules.zone
            for day in Set(openedMs.map { zone.day(ofMs: $0) }).sorted() {
                marks.append(
                    DirtyMark(report: DirtyMark.days(of: generation.number), bucket: "\(day)", sinceMs: sinceMs, stamp: erasure.stamp))
            }
        }
        return marks
    }
}
