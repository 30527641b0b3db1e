// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// A report as a spreadsheet reads it.
package struct ReportCSV {
    package let document: ReportDocument

    package init(_ document: ReportDocument) { self.document = document }

    package var text: String {
        let names = document.columns.map(\.name)
        let lines = document.rows.map { row in
            document.by.map { SpreadsheetCell.text(row.key[$0] ?? nil) } + document.columns.map { value(row.values[$0.name], $0) }
        }
        return ([(document.by + names).map { SpreadsheetCell.text($0) }] + lines).map { $0.joined(separator: ",") }.joined(separator: "\n")
    }

    private func value(_ value: Double??, _ column: ReportDocument.Column) -> String {
        guard let value, let value else { return "" }
        return column.unit == .ratio ? "\(value)" : "\(Int64(value))"
    }
}
