// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// The report of campaigns from computed days: the same numbers as from the rows, without reading them.
extension CampaignReport {
    struct Computed: Sendable {
        var sheet: ReportSheet
        /// Everything that came before is counted.
        let completeToMs: Int64
    }

    /// The counts of installs, without clicks.
    struct Installs: Sendable {
        /// By key, in the places of a cohort.
        let rows: [ReportSheet.Key: [Int64?]]
        let known: ReportKnowledge
        /// Places that no day counted.
        var uncounted: [Int] = []
        /// Everything that came before is counted.
        let completeToMs: Int64
    }

    /// - Returns: nil if no cut has these fields, or no generation is complete yet: then only the rows can tell.
    /// - Throws: the errors of the store.
    func sheet(_ database: any Database, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> Computed? {
        guard let found = try await computed(database, snapshot, state, nowMs: nowMs) else { return nil }
        let clicks = try await self.clicks([.clicks, .uniqueClicks], database, snapshot, nowMs: nowMs)
        return Computed(sheet: sheet(found.rows, clicks, found.known, uncounted: found.uncounted), completeToMs: found.completeToMs)
    }

    /// From computed days if there are any, otherwise from the rows.
    func installs(_ database: any Database, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64) async throws -> Installs {
        if let state, let found = try await computed(database, snapshot, state, nowMs: nowMs) { return found }
        return try await installs(database, snapshot, nowMs: nowMs)
    }

    private func computed(_ database: any Database, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> Installs? {
        guard let serving = state.serving, days.zone == serving.rules.zone, let cut = RollupCut.with(by) else { return nil }
        let reading = RollupReading(database: database, app: snapshot.app.id)
        let found = try await reading.read(serving, cut, days.days, nowMs: nowMs)
        let places = metrics.map { metric in
            metric.event.flatMap { type in
                serving.rules.metrics.firstIndex(
                    of: .init(name: metric.name, type: type.rawValue, windowDays: metric.windowDays))
            }
        }
        let known = ReportKnowledge(days, state)
        var counts: [ReportSheet.Key: [Int64]] = [:]
        for cell in found.days {
            let key = by.map { field in
                let text = field == .day ? ReportDays.text(cell.day) : cut.fields.firstIndex(of: field).flatMap { cell.fields[$0] }
                return text.map { Array($0.utf8) }
            }
            let one = Self.cohort(cell.counts, places)
            counts[key] = counts[key].map { zip($0, one).map { $0 + $1 } } ?? one
        }
        let isCounted = metrics.indices.map { metrics[$0].event == nil || places[$0] != nil }
        let rows = counts.mapValues { values in
            known.counts(values).enumerated().map { place, value in
                place < ReportCohort.firstMetric || isCounted[place - ReportCohort.firstMetric] ? value : nil
            }
        }
        let uncounted = isCounted.indices.filter { !isCounted[$0] }.map { ReportCohort.firstMetric + $0 }
        return Installs(rows: rows, known: known, uncounted: uncounted, completeToMs: found.completeToMs)
    }

    /// The counts in the places of a cohort.
    private static func cohort(_ counts: RollupCounts, _ places: [Int?]) -> [Int64] {
        var values = Array(repeating: Int64(0), count: ReportCohort.firstMetric + places.count)
        values[ReportCohort.installs] = counts.values[RollupCounts.installs]
        values[ReportCohort.attributed] = counts.values[RollupCounts.attributed]
        values[ReportCohort.late] = counts.values[RollupCounts.late]
        values[ReportCohort.shown] = counts.values[RollupCounts.shown]
        for (place, metric) in places.enumerated() {
            // A day of an earlier generation that stays may have fewer metrics.
            guard let metric, RollupCounts.firstMetric + metric < counts.values.count else { continue }
            values[ReportCohort.firstMetric + place] = counts.values[RollupCounts.firstMetric + metric]
        }
        return values
    }
}
