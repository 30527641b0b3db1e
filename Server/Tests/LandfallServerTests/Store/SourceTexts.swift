// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The SQL that stands in the server's source files, line by line.
enum SourceTexts {
    private static let beginnings = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "]

    /// Every line that begins a statement or a part of one, as it stands in its literal.
    static func lines() throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/LandfallServer")
        let files = FileManager.default.enumerator(at: root.standardizedFileURL, includingPropertiesForKeys: nil)
        return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
            .reduce(into: []) { $0.formUnion(lines(of: try String(contentsOf: $1, encoding: .utf8))) }
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
