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
            // Calls for a cluster are printed; no node runs them.
            return (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" && $0.lastPathComponent != "CitusCalls.swift" }
        }
    }

    /// A line with a part that is put in when the program runs brings the next line of its literal: its own words may be few.
    static func lines(of source: String) -> Set<String> { Set(numbered(source).map(\.text)) }

    /// Where a trimmed statement may stand, as `File.swift:12`: every place of the longest line of ``lines()`` that it has.
    static func places(of statement: String) throws -> [String] {
        var found: [(length: Int, place: String)] = []
        for file in try files().map({ (name: $0.lastPathComponent, source: try String(contentsOf: $0, encoding: .utf8)) }) {
            for line in numbered(file.source) where has(line.text, in: statement) {
                found.append((line.text.count, "\(file.name):\(line.number)"))
            }
        }
        let longest = found.map(\.length).max()
        return found.filter { $0.length == longest }.map(\.place)
    }

    private static func numbered(_ source: String) -> [(number: Int, text: String)] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { index, line in
            let quoted = line.split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false)
            let isWhole = quoted.count == 2
            let text = isWhole ? quoted[1].prefix { $0 != "\"" } : line.drop { $0 == " " }
            guard beginnings.contains(where: text.hasPrefix) else { return nil }
            let own = text.trimmingCharacters(in: .whitespaces)
            guard text.contains("\\("), !isWhole, lines.indices.contains(index + 1) else { return (index + 1, own) }
            let next = lines[index + 1].trimmingCharacters(in: .whitespaces)
            return (index + 1, next.hasPrefix("\"\"\"") ? own : own + "\n" + next)
        }
    }

    /// A statement without the spaces at the ends of its lines.
    static func trimmed(_ statement: String) -> String {
        statement.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// Whether a trimmed statement has a line of ``lines()``; what is put in when the program runs may be anything.
    static func has(_ line: String, in statement: String) -> Bool {
        var rest = Substring(statement)
        for part in fixedParts(of: line) where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    /// What stands around `\(…)`.
    private static func fixedParts(of line: String) -> [String] {
        var parts = [""], depth = 0, isEscaped = false
        for character in line {
            if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if isEscaped, character == "(" {
                parts[parts.count - 1].removeLast()
                parts.append("")
                depth = 1
            } else {
                parts[parts.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        return parts
    }
}
