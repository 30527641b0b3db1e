// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The SQL that stands in the server's source files, line by line.
enum SourceTexts {
    private static let beginnings = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "]

    /// Every line that begins a statement or a part of one, as it stands in its literal.
    static func lines() throws -> Set<String> {
        try files().reduce(into: []) { $0.formUnion(lines(of: try String(contentsOf: $1, encoding: .utf8))) }
    }

    /// Of every module that a node consists of.
    static func files() -> [URL] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardizedFileURL
        return ["LandfallServer", "LandfallReports", "LandfallConsole", "LandfallNode"].flatMap { module in
            let found = FileManager.default.enumerator(at: root.appending(path: module), includingPropertiesForKeys: nil)
            return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        }
    }

    static func lines(of source: String) -> Set<String> {
        Set(
            source.split(separator: "\n").compactMap { line in
                let quoted = line.split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false)
                let text = quoted.count == 2 ? quoted[1].prefix { $0 != "\"" } : line.drop { $0 == " " }
                return beginnings.contains(where: text.hasPrefix) ? text.trimmingCharacters(in: .whitespaces) : nil
            })
    }
}
