// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallServer
import LandfallWire

/// How many installs see a placement for the first time in a day, and which share of them a metric counts: an experiment is planned by them.
package struct PlacementTraffic: Hashable, Sendable {
    /// Whole weeks, because users at weekends differ.
    package static let days = 28

    package let shown: Int
    /// Nil if reports do not count the metric, such as one of purchases.
    package let converted: Int?
    /// The first and the last day that count, such as 2026-11-01.
    package let from: String
    package let to: String
    package let unitsPerDay: Double

    package var rate: Double? { converted.map { Double($0) / Double(shown) } }

    /// The days before a new placement's first traffic do not count.
    /// - Parameters:
    ///   - report: of paywalls, by day and placement; with an audience, also by audience.
    ///   - audience: nil for all of the placement.
    /// - Returns: nil if nobody saw it on these days.
    package init?(_ report: ReportDocument, placement: String, audience: String? = nil, metric: String) {
        func has(_ row: ReportDocument.Row, _ field: String, _ value: String) -> Bool { (row.key[field] ?? nil)?.hasSameBytes(as: value) == true }
        var shown = 0.0, converted: Double? = 0, first: String?
        for row in report.rows where has(row, "placement", placement) && audience.map({ has(row, "audience", $0) }) ?? true {
            guard let day = row.key["day"] ?? nil, let units = row.values["shown"] ?? nil, units > 0 else { continue }
            shown += units
            converted = (row.values["converted." + metric] ?? nil).flatMap { those in converted.map { $0 + those } }
            first = min(first ?? day, day)
        }
        guard let first, let start = ReportDays.day(first), let end = ReportDays.day(report.to), start <= end, let units = Int(exactly: shown) else {
            return nil
        }
        (self.shown, self.converted) = (units, converted.flatMap { Int(exactly: $0) })
        (from, to) = (first, report.to)
        unitsPerDay = shown / Double(end - start + 1)
    }
}

extension Reports {
    /// The traffic of a placement on the newest days on which the metric's window is over, from computed days only: to read every event
    /// takes too long for a page.
    /// - Parameters:
    ///   - audience: nil for all of the placement.
    ///   - isMerging: small groups count only together with others.
    /// - Returns: nil if nobody saw it, or before the first days are computed.
    package func traffic(
        of placement: String, audience: String?, metric: Metric, _ snapshot: Snapshot, isMerging: Bool
    ) async throws -> PlacementTraffic? {
        let moment = try await moment(snapshot), by: [PaywallReport.Dimension] = [.day, .placement] + (audience == nil ? [] : [.audience])
        let last = moment.today - metric.windowDays - 1
        guard moment.state?.serving != nil, last > PlacementTraffic.days else { return nil }
        let days = try moment.days(PlacementTraffic.days, endingOn: last)
        let sheet = try await answer(ReportRequest(.paywalls(by: by), days), snapshot, at: moment)
        let told = isMerging ? sheet.forEverybody() ?? sheet : sheet
        return PlacementTraffic(told.document(), placement: placement, audience: audience, metric: metric.name)
    }
}
