// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Revenue as a spreadsheet reads it: a line for each row, its key first. Milliunits stay whole numbers.
package struct RevenueCSV {
    private let document: RevenueDocument

    package init(_ document: RevenueDocument) { self.document = document }

    package var text: String {
        let columns = RevenueColumn.list(document.view)
        let lines = document.rows.map { row in
            document.by.map { SpreadsheetCell.text(row.key[$0]) } + columns.map { Self.text(row.values, $0) }
        }
        return ([(document.by + columns.map(\.rawValue)).map { SpreadsheetCell.text($0) }] + lines)
            .map { $0.joined(separator: ",") }.joined(separator: "\n")
    }

    /// Empty for what is not known.
    private static func text(_ values: RevenueValues, _ column: RevenueColumn) -> String {
        if column.unit == .ratio { values.ratios[column].map { "\($0)" } ?? "" } else { values.numbers[column].map { "\($0)" } ?? "" }
    }
}
