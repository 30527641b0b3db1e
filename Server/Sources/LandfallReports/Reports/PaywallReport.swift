// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// What installs did after they saw a paywall, by paywall.
package struct PaywallReport: Sendable {
    package enum Dimension: String, ReportDimension {
        case day, placement, paywall, variation, audience, origin
    }

    let days: ReportDays
    let by: [Dimension]
    let metrics: [Metric]

    /// From computed days; before the first of them, every day is counted here.
    /// - Throws: the errors of the store.
    func sheet(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, rows reading: RowReader = RowReader()
    ) async throws -> ReportSheet {
        let serving = state?.serving.flatMap { $0.rules.zone == days.zone ? $0 : nil }
        let rules = serving?.rules ?? RollupRules(snapshot, in: days.zone)
        let numbers = rules.numbers(of: metrics), stored = PaywallReport.layout(rules.metrics.count), layout = PaywallReport.layout(metrics.count)
        let known = serving.flatMap { _ in state }.map { ReportKnowledge(days, $0) } ?? ReportKnowledge(days, snapshot.retention, nowMs: nowMs)
        let empty = Array(repeating: Int64(0), count: stored.count)
        var rows: [ReportSheet.Key: [Int64]], totals: [Int64], completeToMs = nowMs
        if let serving {
            let reading = RollupReader(database: database, app: snapshot.app.id)
            let found = try await reading.read(serving, PaywallDimensions(by).report, days.days, nowMs: nowMs)
            rows = try await sums(found, by: by, size: empty.count)
            completeToMs = found.completeToMs
            // An install that is in several rows counts once in the totals.
            totals = try await sums(reading.read(serving, PaywallDimensions([]).report, days.days, nowMs: nowMs), by: [], size: empty.count)[[]] ?? empty
        } else {
            let counting = PaywallDay(app: snapshot.app.id, rules: rules, testDevices: snapshot.testDevices)
            var sum = DaySums(fields: PaywallDimensions(by).list, by: by, size: empty.count), whole = DaySums(fields: by, by: [], size: empty.count)
            try await reading.run {
                for day in days.days {
                    let cells = try await counting.cells(of: day, database)
                    try sum.add(day, DayText.text(cells[PaywallDimensions(by)] ?? [:]))
                    for (key, counts) in cells[PaywallDimensions([])] ?? [:] { whole.add(key, counts) }
                }
            }
            (rows, totals) = (sum.rows, whole.rows[[]] ?? empty)
        }
        // What no day counted is unknown; what is not recorded at all has a column that says so.
        let indices = layout.indices(in: stored, numbers), isKnown = layout.metrics.map { metric in
            if case .converted(let number) = metric { metrics[number].event == nil || numbers[number] != nil } else { true }
        }
        func counts(_ counts: [Int64]) -> [Int64?] {
            guard known.installs, known.events else { return layout.metrics.map { _ in nil } }
            return zip(indices, isKnown).map { index, isKnown in isKnown ? index.map { counts[$0] } ?? 0 : nil }
        }
        return ReportSheet(
            kind: .paywalls, days: days, completeToMs: completeToMs, by: by.map(\.rawValue), columns: columns, layout: layout, rows: rows.mapValues(counts), totals: counts(totals))
    }

    private func sums(_ found: RollupReader.Found, by: [Dimension], size: Int) async throws -> [ReportSheet.Key: [Int64]] {
        var sums = DaySums(fields: PaywallDimensions(by).list, by: by, size: size)
        try await sums.add(found.days)
        return sums.rows
    }

    private var columns: [ReportSheet.Column] {
        [
            .init(.shown, "Installs that saw the paywall for the first time on these days."),
            .init(.exposures, "How often it was seen on these days, by any install."),
            .init(.attributed, "Installs with a known source."),
            .init(.late, "Attributed installs that saw it before the source was known."),
            .init(
                name: "elapsed.p50",
                definition: "Milliseconds from the app's question to the paywall: half of the exposures whose app told it took no longer.",
                content: .quantile(0.5)),
            .init(name: "elapsed.p95", definition: "The same for 95 of 100 exposures.", content: .quantile(0.95)),
        ] + ReportCohort.columns(metrics, in: .shown, since: "they first saw it", among: "the installs")
    }
}
