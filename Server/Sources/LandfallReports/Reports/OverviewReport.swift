// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// The app as a whole, day by day: first opens and what became of them, beside all clicks. Its numbers are those of the campaigns
/// report without its fields, so the sums of both agree.
package struct OverviewReport: Sendable {
    static let name = "overview"

    package enum Field: String, ReportField {
        case day
    }

    let by: [Field]

    /// - Throws: `invalid_value`.
    init(by text: String?) throws(RequestError) { by = try Field.list(text, usual: [.day]) }

    /// What the campaigns report is asked for.
    var fields: String { by.map(\.rawValue).joined(separator: ",") }

    /// - Parameter campaigns: the campaigns report by ``fields``.
    package static func sheet(_ campaigns: ReportSheet) -> ReportSheet {
        ReportSheet(
            name: name, days: campaigns.days, by: campaigns.by, columns: campaigns.columns, rows: campaigns.rows, totals: campaigns.totals)
    }
}
