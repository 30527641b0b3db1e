// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Revenue as a spreadsheet reads it.
package struct RevenueCSV {
    package let document: RevenueDocument

    package init(_ document: RevenueDocument) { self.document = document }

    package var text: String {
        let columns = document.totals.columns
        let lines = document.rows.map { row in
            document.by.map { SpreadsheetCell.text(row.key[$0]) } + columns.map { value(row.values, $0) }
        }
        return ([(document.by + columns.map(\.rawValue)).map { SpreadsheetCell.text($0) }] + lines)
            .map { $0.joined(separator: ",") }.joined(separator: "\n")
    }

    private func value(_ values: RevenueValues, _ column: RevenueColumn) -> String {
        column.unit == .ratio ? values.ratios[column].map { "\($0)" } ?? "" : values.numbers[column].map { "\($0)" } ?? ""
    }
}
