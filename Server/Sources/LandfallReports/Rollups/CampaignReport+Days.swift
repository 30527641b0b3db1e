// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// The report of campaigns from computed days: the same numbers as from the rows, without reading them.
extension CampaignReport {
    /// The counts of installs, without clicks.
    package struct Installs: Sendable {
        /// By key, in the places of a cohort.
        package let rows: [ReportSheet.Key: [Int64?]]
        package let known: ReportKnowledge
        /// Places that no day counted.
        var uncounted: [Int] = []
        /// Everything that came before is counted.
        package let completeToMs: Int64
    }

    /// - Returns: nil if no cut has these fields, or no generation is complete yet: then only the rows can tell.
    /// - Throws: the errors of the store.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> ReportSheet? {
        guard let found = try await computed(store.database, snapshot, state, nowMs: nowMs) else { return nil }
        let clicks = try await self.clicks([.clicks, .uniqueClicks], store.clicks, snapshot, nowMs: nowMs)
        return sheet(
            found.rows, clicks.rows, found.known, uncounted: found.uncounted, completeToMs: min(found.completeToMs, clicks.completeToMs))
    }

    /// From computed days if there are any, otherwise from the rows.
    package func installs(
        _ database: any Database, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, _ rows: RowReading
    ) async throws -> Installs {
        if let state, let found = try await computed(database, snapshot, state, nowMs: nowMs) { return found }
        return try await rows.run { try await installs(database, snapshot, nowMs: nowMs) }
    }

    private func computed(_ database: any Database, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> Installs? {
        guard let serving = state.serving, days.zone == serving.rules.zone, let cut = RollupCut.with(by, serving.rules) else { return nil }
        let reading = RollupReading(database: database, app: snapshot.app.id)
        let found = try await reading.read(serving, cut.rawValue, days.days, nowMs: nowMs)
        let places = serving.rules.places(of: metrics)
        let known = ReportKnowledge(days, state)
        var sums = DaySums(fields: cut.fields, by: by, size: cut.size(serving.rules))
        try await sums.add(found.days)
        let isCounted = metrics.indices.map { metrics[$0].event == nil || places[$0] != nil }
        let form = serving.rules.form
        let uncounted = (form < RollupCounts.reinstallsForm ? [ReportCohort.reinstalls] : [])
            + (form < RollupCounts.unverifiedForm ? [ReportCohort.unverified] : [])
            + isCounted.indices.filter { !isCounted[$0] }.map { ReportCohort.firstMetric + $0 }
        let rows = sums.rows.mapValues { counts in
            var values = known.counts(Self.cohort(counts, places, serving.rules))
            for place in uncounted { values[place] = nil }
            return values
        }
        return Installs(rows: rows, known: known, uncounted: uncounted, completeToMs: found.completeToMs)
    }

    /// The counts in the places of a cohort.
    private static func cohort(_ counts: [Int64], _ places: [Int?], _ rules: RollupRules) -> [Int64] {
        var values = Array(repeating: Int64(0), count: ReportCohort.firstMetric + places.count)
        values[ReportCohort.installs] = counts[RollupCounts.installs]
        values[ReportCohort.attributed] = counts[RollupCounts.attributed]
        values[ReportCohort.late] = counts[RollupCounts.late]
        values[ReportCohort.shown] = counts[RollupCounts.shown]
        values[ReportCohort.organic] = counts[RollupCounts.organic]
        values[ReportCohort.unknown] = counts[RollupCounts.installs] - counts[RollupCounts.attributed] - counts[RollupCounts.organic]
        values[ReportCohort.reinstalls] = counts[RollupCounts.reinstalls(rules)]
        values[ReportCohort.unverified] = counts[RollupCounts.unverified(rules)]
        for (place, metric) in places.enumerated() {
            if let metric { values[ReportCohort.firstMetric + place] = counts[RollupCounts.firstMetric + metric] }
        }
        return values
    }
}
