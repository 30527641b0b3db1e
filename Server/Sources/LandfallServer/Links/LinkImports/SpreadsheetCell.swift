// SPDX-License-Identifier: Apache-2.0

/// A text as a cell of comma-separated values.
package enum SpreadsheetCell {
    /// Strangers can write campaigns, paths and ids. A text that a spreadsheet would run as a formula gets an apostrophe in front.
    package static func text(_ text: String?) -> String {
        guard var text else { return "" }
        if isFormula(text) { text = "'" + text }
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The text that ``text(_:)`` wrote, once the quotes of the table are read.
    static func reading(_ cell: String) -> String {
        cell.hasPrefix("'") && isFormula(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
    }

    /// Spreadsheets of some regions read full-width signs as the usual ones. Apostrophes in front are skipped, so that the one
    /// that is added can be distinguished from the text's own.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map { formulaStarts.contains($0) } ?? false
    }

    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
}
