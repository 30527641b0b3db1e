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

    /// - Returns: of each report nil if no table has its dimensions, or no generation is complete yet: then only the rows can tell.
    /// - Throws: the errors of the store.
    static func sheets(
        _ reports: [CampaignReport], _ store: ReportStore, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64
    ) async throws -> [ReportSheet?] {
        var sheets: [ReportSheet?] = []
        for (report, found) in zip(reports, try await computed(reports, store.database, snapshot, state, nowMs: nowMs)) {
            guard let found else {
                sheets.append(nil)
                continue
            }
            let clicks = try await report.clicks(Self.clicks, store.clicks, snapshot, nowMs: nowMs)
            sheets.append(report.sheet(found, clicks.rows, completeToMs: min(found.completeToMs, clicks.completeToMs)))
        }
        return sheets
    }

    /// From computed days if there are any, otherwise from the rows.
    package func installs(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, _ rows: RowReader
    ) async throws -> Installs {
        if let state, let found = try await Self.computed([self], database, snapshot, state, nowMs: nowMs)[0] { return found }
        return try await rows.run { try await installs(database, snapshot, nowMs: nowMs) }
    }

    /// What is read together.
    private struct Source: Hashable {
        let table: RollupDimensions
        let days: ClosedRange<Int64>
    }

    private static func computed(
        _ reports: [CampaignReport], _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState, nowMs: Int64
    ) async throws -> [Installs?] {
        var found: [Installs?] = reports.map { _ in nil }
        guard let serving = state.serving else { return found }
        let sources = reports.map { report in
            report.days.zone == serving.rules.zone ? RollupDimensions.with(report.by, serving.rules).map { Source(table: $0, days: report.days.days) } : nil
        }
        let reading = RollupReader(database: database, app: snapshot.app.id)
        var seen: Set<Source> = []
        for case let source? in sources where seen.insert(source).inserted {
            let asked = reports.indices.filter { sources[$0] == source }, layout = source.table.layout(serving.rules)
            let read = try await reading.read(serving, source.table.rawValue, source.days, nowMs: nowMs)
            var sums = asked.map { DaySums(fields: source.table.list, by: reports[$0].by, size: layout.count, only: reports[$0].only) }
            try await DaySums.add(read.days, to: &sums)
            for (index, sums) in zip(asked, sums) {
                found[index] = reports[index].installs(sums, layout, serving.rules, ReportKnowledge(reports[index].days, state), read.completeToMs)
            }
        }
        return found
    }

    /// - Parameter days: the layout of the sums.
    private func installs(
        _ sums: DaySums, _ days: MetricLayout, _ rules: RollupRules, _ known: ReportKnowledge, _ completeToMs: Int64
    ) -> Installs {
        let numbers = rules.numbers(of: metrics), layout = ReportCohort.layout(metrics.count)
        var uncounted = Set(metrics.indices.filter { metrics[$0].event != nil && numbers[$0] == nil }.map { ReportMetric.converted($0) })
        if rules.form < RollupForm.reinstalls { uncounted.insert(.reinstalls) }
        if rules.form < RollupForm.unverified { uncounted.insert(.unverified) }
        let indices = layout.indices(in: days, numbers), isKnown = layout.metrics.map { known.knows($0) && !uncounted.contains($0) }
        let rows = sums.rows.mapValues { counts in
            var values = indices.map { $0.map { counts[$0] } ?? 0 }
            values[layout[.unknown]] = values[layout[.firstOpens]] - values[layout[.attributed]] - values[layout[.organic]]
            return zip(values, isKnown).map { $1 ? $0 : nil as Int64? }
        }
        return Installs(rows: rows, layout: layout, known: known, uncounted: uncounted, completeToMs: completeToMs)
    }
}
