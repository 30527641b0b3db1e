// SPDX-License-Identifier: Apache-2.0

/// A text as a cell of comma-separated values.
public enum SpreadsheetCell {
    /// Strangers write campaigns, paths and ids: what a spreadsheet would run as a formula gets an apostrophe in front.
    public static func text(_ text: String?) -> String {
        guard var text else { return "" }
        if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { text = "'" + text }
        guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
