// SPDX-License-Identifier: Apache-2.0
@testable import LandfallServer
@testable import LandfallStore

/// Recorded statements as a script for `psql`: each text is prepared once, unchanged, and executed with its values; a marker
/// and the number of its statement announce each answer.
struct PostgresReplay {
    private static let marker = "@@statement"
    private static let countMarker = "@@changed"

    let recorded: [RecordedStatement]

    var script: String {
        var names: [String: String] = [:]
        var lines: [String] = []
        for (number, record) in recorded.enumerated() {
            lines.append("\\echo \(Self.marker) \(number)")
            let text = record.statement.text
            if Self.isSchema(text) {
                lines.append("\(text)\n;")
                continue
            }
            if names[text] == nil {
                names[text] = "p\(names.count)"
                lines.append("PREPARE \(names[text] ?? "") AS \(text)\n;")
            }
            let values = record.statement.values.map(Self.literal).joined(separator: ", ")
            lines.append("EXECUTE \(names[text] ?? "")\(values.isEmpty ? "" : "(\(values))");")
            lines.append("\\echo \(Self.countMarker) :ROW_COUNT")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What PostgreSQL answered otherwise than the recorded engine, a sentence each.
    func differences(in output: String) -> [String] {
        var sections = [Int: Substring]()
        for section in output.split(separator: Self.marker + " ").map({ $0 }) {
            let number = section.prefix { $0.isNumber }
            if let key = Int(number) { sections[key] = section.dropFirst(number.count) }
        }
        return recorded.enumerated().compactMap { number, record in
            let text = record.statement.text
            if Self.isSchema(text) { return nil }
            guard let section = sections[number], let count = section.firstRange(of: Self.countMarker) else {
                return "no answer to: \(text)"
            }
            if let changed = record.changed {
                let other = section[count.upperBound...].filter(\.isNumber)
                return Int(other) == changed ? nil : "changed \(other), not \(changed): \(text)"
            }
            let rows = Self.rows(section[..<count.lowerBound])
            let expected = (record.rows ?? []).map { $0.values.map(Self.text) }.sorted(by: Self.order)
            return rows == expected ? nil : "\(rows), not \(expected): \(text)"
        }
    }

    /// What PREPARE does not take.
    private static func isSchema(_ text: String) -> Bool {
        ["CREATE", "ALTER", "DROP"].contains(where: text.hasPrefix)
    }

    private static func rows(_ text: Substring) -> [[String]] {
        let trimmed = text.drop { $0 == "\n" }
        guard !trimmed.isEmpty else { return [] }
        let body = trimmed.hasSuffix("\n") ? trimmed.dropLast() : trimmed
        return body.split(separator: "\u{1E}", omittingEmptySubsequences: false)
            .map { $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init) }
            .sorted(by: order)
    }

    /// Answers without ORDER BY come in any order, so both sides are sorted.
    private static func order(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }

    /// As `psql` prints it.
    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "\u{1D}"
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .blob(let bytes): "\\x\(bytes.hexadecimal)"
        }
    }

    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .integer(let integer): "\(integer)"
        case .real(let real): "\(real)"
        case .blob(let bytes): "'\\x\(bytes.hexadecimal)'"
        }
    }
}
