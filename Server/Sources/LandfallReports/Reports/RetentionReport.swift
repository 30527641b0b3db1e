// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// How many installs come back, by the day of their first open.
package struct RetentionReport: Sendable {
    /// Of more days than this, a row is a week.
    static let mostDays = 31

    package enum Dimension: String, ReportDimension {
        case day, week, source, campaign
    }

    private static let layout = MetricLayout([.size] + InstallActivity.askedDays.indices.flatMap { [.eligible($0), .seen($0)] })

    let days: ReportDays
    let by: [Dimension]

    /// - Throws: ``ReportError/daysAndWeeks``.
    init(days: ReportDays, by: [Dimension]) throws(ReportError) {
        if by.contains(.day), by.contains(.week) { throw .daysAndWeeks }
        (self.days, self.by) = (days, by)
    }

    /// What rows are grouped by where nobody says it.
    package static func usual(_ days: ReportDays) -> [Dimension] { [days.days.count > mostDays ? .week : .day] }

    /// - Parameter state: nil before the first days are counted; then only the size is known.
    /// - Throws: the errors of the store.
    func sheet(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, rows reading: RowReader = RowReader()
    ) async throws -> ReportSheet {
        let counted = try await cells(database, snapshot, state, nowMs: nowMs, reading)
        var rows: [ReportSheet.Key: [Int64?]] = [:]
        var totals: [Int64?] = Array(repeating: nil, count: Self.layout.count)
        totals[Self.layout[.size]] = counted.isKnown ? 0 : nil
        for cell in counted.cells {
            let cohort = cohort(of: cell.day)
            let values = values(of: cell, cohort, counted)
            let key = key(of: cell)
            rows[key] = rows[key].map { ReportSheet.sum($0, values) } ?? values
            totals = ReportSheet.sum(totals, values)
        }
        return ReportSheet(
            kind: .retention, days: days, completeToMs: counted.completeToMs, by: by.map(\.rawValue), columns: Self.columns, layout: Self.layout, rows: rows, totals: totals)
    }

    private struct Cell {
        let day: Int64
        /// The values of ``dimensions``.
        let key: ReportSheet.Key
        /// In the order of the days of retention.
        let counts: [Int64]
    }

    /// What rows are grouped by besides days and weeks.
    private var dimensions: [CampaignReport.Dimension] { by.compactMap { CampaignReport.Dimension(rawValue: $0.rawValue) }.filter { $0 != .day } }

    private struct Counted {
        var cells: [Cell] = []
        /// Everything that came before is counted.
        var completeToMs: Int64
        /// Whether all installs of the days are counted.
        var isKnown: Bool
        /// Since when it is recorded on which days installs are seen; nil if it is not.
        var activityFromMs: Int64?
        /// Of the cells.
        var layout = MetricLayout([.size])
    }

    private func cells(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, _ rows: RowReader
    ) async throws -> Counted {
        guard let state, let serving = state.serving, serving.rules.zone == days.zone else {
            return try await sizes(database, snapshot, state, nowMs: nowMs, rows)
        }
        let table = RollupDimensions.retention
        let found = try await RollupReader(database: database, app: snapshot.app.id).read(serving, table.rawValue, days.days, nowMs: nowMs)
        var counted = Counted(
            completeToMs: found.completeToMs, isKnown: ReportKnowledge(days, state).installs, activityFromMs: state.activityFromMs,
            layout: table.layout(serving.rules))
        for day in found.days {
            // Weeks and dimensions that nobody asked for are summed here, a day at a time: whether a day is old enough depends on the day.
            var sums = DaySums(fields: table.list, by: dimensions, size: counted.layout.count)
            try await sums.add(CollectionOfOne(day))
            counted.cells += sums.rows.map { key, counts in Cell(day: day.day, key: key, counts: counts) }
        }
        return counted
    }

    /// Only how many installs there are: no days of this form are counted yet.
    private func sizes(
        _ database: any StoreReading, _ snapshot: Snapshot, _ state: RollupState?, nowMs: Int64, _ rows: RowReader
    ) async throws -> Counted {
        let report = CampaignReport(days: days, by: [.day] + dimensions, metrics: [])
        let found = try await report.installs(database, snapshot, state, nowMs: nowMs, rows)
        var counted = Counted(completeToMs: found.completeToMs, isKnown: found.known.installs)
        let firstOpens = found.layout[.firstOpens], numbers = Dictionary(days.days.map { (Array(ReportDays.text($0).utf8), $0) }) { first, _ in first }
        for (key, counts) in found.rows {
            // A row may be about reinstalls only.
            guard let day = (key.first ?? nil).flatMap({ numbers[$0] }), counts[firstOpens] != 0 else { continue }
            counted.cells.append(Cell(day: day, key: Array(key.dropFirst()), counts: [counts[firstOpens] ?? 0]))
        }
        return counted
    }

    /// The days that a row has together, as far as they are asked for.
    private func cohort(of day: Int64) -> ClosedRange<Int64> {
        guard by.contains(.week) else { return day...day }
        // The first day of 1970 was a Thursday.
        let monday = day - (day + 3) % 7
        return max(monday, days.days.lowerBound)...min(monday + 6, days.days.upperBound)
    }

    private func key(of cell: Cell) -> ReportSheet.Key {
        by.map { dimension in
            switch dimension {
            case .day: Array(ReportDays.text(cell.day).utf8)
            case .week: Array(ReportDays.text(cell.day - (cell.day + 3) % 7).utf8)
            case .source: dimensions.firstIndex(of: .source).flatMap { cell.key[$0] }
            case .campaign: dimensions.firstIndex(of: .campaign).flatMap { cell.key[$0] }
            }
        }
    }

    private func values(of cell: Cell, _ cohort: ClosedRange<Int64>, _ counted: Counted) -> [Int64?] {
        let layout = Self.layout, stored = counted.layout
        var values: [Int64?] = Array(repeating: nil, count: layout.count)
        guard counted.isKnown else { return values }
        values[layout[.size]] = cell.counts[stored[.size]]
        guard let fromMs = counted.activityFromMs, let watched = stored.index(of: .watched) else { return values }
        let (startMs, endMs) = (days.zone.startMs(ofDay: cohort.lowerBound), days.zone.startMs(ofDay: cohort.upperBound + 1))
        for (number, day) in InstallActivity.askedDays.enumerated()
        where startMs + day * Retention.dayMs >= fromMs && endMs + (day + 1) * Retention.dayMs <= counted.completeToMs {
            values[layout[.eligible(number)]] = cell.counts[watched]
            values[layout[.seen(number)]] = cell.counts[stored[.seen(number)]]
        }
        return values
    }

    private static let columns: [ReportSheet.Column] =
        [.init(.size, CampaignReport.firstOpens)]
        + InstallActivity.askedDays.enumerated().flatMap { number, day -> [ReportSheet.Column] in
            [
                .init(.seen(number), "Installs that were seen from \(24 * day) to \(24 * (day + 1)) hours after their first call."),
                .init(
                    .eligible(number),
                    "Installs of days that are old enough for it, if their first call came within a day of their first open."),
                .init(
                    name: "rate.day\(day)", definition: "day\(day) in eligible.day\(day).",
                    content: .ratio(.seen(number), in: .eligible(number))),
            ]
        }
}
