// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallServer
package import LandfallStore
import LandfallWire

/// The report of campaigns from computed days: the same numbers as from the rows, without reading them.
extension CampaignReport {
    /// The counts of installs, without clicks.
    package struct Installs: Sendable {
        /// By key, in the order of ``layout``.
        package let rows: [ReportSheet.Key: [Int64?]]
        package let layout: MetricLayout
        package let known: ReportKnowledge
        /// What no day counted.
        var uncounted: Set<ReportMetric> = []
        /// Everything that came before is counted.
        package let completeToMs: Int64

        /// Whether the counts of every row are known.
        func knows(_ metric: ReportMetric) -> Bool { known.knows(metric) && !uncounted.contains(metric) }
    }

    /// - Returns: nil if no table has these dimensions, or no generation is complete yet: then only the rows can tell.
    /// - Throws: the errors of the store.
    func sheet(_ store: ReportStore, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> ReportSheet? {
        guard let found = try await computed(store.database, snapshot, state, nowMs: nowMs) else { return nil }
        let clicks = try await self.clicks(Self.clicks, store.clicks, snapshot, nowMs: nowMs)
        return sheet(found, clicks.rows, completeToMs: min(found.completeToMs, clicks.completeToMs))
    }

    /// From computed days if there are any, otherwise from the rows.
    package func installs(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, _ rows: RowReader
    ) async throws -> Installs {
        if let state, let found = try await computed(database, snapshot, state, nowMs: nowMs) { return found }
        return try await rows.run { try await installs(database, snapshot, nowMs: nowMs) }
    }

    private func computed(_ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64) async throws -> Installs? {
        guard let serving = state.serving, days.zone == serving.rules.zone, let dimensions = RollupDimensions.with(by, serving.rules) else { return nil }
        let reading = RollupReader(database: database, app: snapshot.app.id)
        let found = try await reading.read(serving, dimensions.rawValue, days.days, nowMs: nowMs)
        let rules = serving.rules, numbers = rules.numbers(of: metrics)
        let days = dimensions.layout(rules), layout = ReportCohort.layout(metrics.count)
        let known = ReportKnowledge(self.days, state)
        var sums = DaySums(fields: dimensions.list, by: by, size: days.count, only: only)
        try await sums.add(found.days)
        var uncounted = Set(metrics.indices.filter { metrics[$0].event != nil && numbers[$0] == nil }.map { ReportMetric.converted($0) })
        if rules.form < RollupForm.reinstalls { uncounted.insert(.reinstalls) }
        if rules.form < RollupForm.unverified { uncounted.insert(.unverified) }
        let indices = layout.indices(in: days, numbers), isKnown = layout.metrics.map { known.knows($0) && !uncounted.contains($0) }
        let rows = sums.rows.mapValues { counts in
            var values = indices.map { $0.map { counts[$0] } ?? 0 }
            values[layout[.unknown]] = values[layout[.firstOpens]] - values[layout[.attributed]] - values[layout[.organic]]
            return zip(values, isKnown).map { $1 ? $0 : nil as Int64? }
        }
        return Installs(rows: rows, layout: layout, known: known, uncounted: uncounted, completeToMs: found.completeToMs)
    }
}
