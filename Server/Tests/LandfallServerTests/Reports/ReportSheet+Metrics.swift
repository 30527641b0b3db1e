// SPDX-License-Identifier: Apache-2.0
@testable import LandfallReports

extension ReportSheet {
    /// Nil if it cannot be known.
    func total(_ metric: ReportMetric) -> Int64? { totals[layout[metric]] }

    /// The same of a row; nil also if there is no such row.
    func value(_ metric: ReportMetric, of key: Key) -> Int64? { rows[key]?[layout[metric]] }
}
