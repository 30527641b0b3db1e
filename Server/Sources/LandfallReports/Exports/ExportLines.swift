// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore

/// Rows as lines of a file.
struct ExportLines: Sendable {
    private let fields: [ExportField]
    private let format: ExportFormat
    /// Each name as it stands before its value.
    private let keys: [[UInt8]]

    init(_ fields: [ExportField], _ format: ExportFormat) {
        (self.fields, self.format) = (fields, format)
        keys = fields.map { Array("\"\($0.name)\":".utf8) }
    }

    /// What stands above all rows.
    var head: [UInt8] {
        switch format {
        case .jsonl: []
        case .csv: Array((fields.map(\.name).joined(separator: ",") + "\r\n").utf8)
        }
    }

    /// - Parameter rows: each with a value for every field, in their order.
    func bytes(_ rows: [[SQLValue]]) -> [UInt8] {
        switch format {
        case .jsonl: json(rows)
        case .csv: Array(rows.map { zip(fields, $0).map(cell).joined(separator: ",") + "\r\n" }.joined().utf8)
        }
    }

    private func json(_ rows: [[SQLValue]]) -> [UInt8] {
        var writer = JSONWriter(capacity: rows.count * 512)
        for row in rows {
            writer.beginObject()
            for place in fields.indices {
                writer.element()
                writer.json(keys[place])
                write(row[place], fields[place].type, to: &writer)
            }
            writer.endObject()
            writer.json([UInt8(ascii: "\n")])
        }
        return writer.bytes
    }

    private func write(_ value: SQLValue, _ type: ExportField.Kind, to writer: inout JSONWriter) {
        switch (type, value) {
        case (_, .null): writer.null()
        case (.boolean, .integer(let number)): writer.flag(number != 0)
        // A line end inside an object can only stand between its values.
        case (.json, .text(let text)): writer.json(text.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 })
        case (.hexadecimal, _): writer.string(Self.hexadecimal(value))
        case (_, .integer(let number)): writer.integer(number)
        case (_, .real(let number)): writer.number(number)
        case (_, .text(let text)): writer.string(text)
        case (_, .blob(let bytes)): writer.string(bytes.hexadecimal)
        }
    }

    private func cell(_ field: ExportField, _ value: SQLValue) -> String {
        switch (field.type, value) {
        case (_, .null): ""
        case (.boolean, .integer(let number)): number == 0 ? "false" : "true"
        case (.hexadecimal, _): Self.hexadecimal(value)
        case (_, .integer(let number)): "\(number)"
        case (_, .real(let number)): "\(number)"
        case (_, .text(let text)): SpreadsheetCell.text(text)
        case (_, .blob(let bytes)): bytes.hexadecimal
        }
    }

    private static func hexadecimal(_ value: SQLValue) -> String {
        switch value {
        case .blob(let bytes): bytes.hexadecimal
        case .integer(let number): withUnsafeBytes(of: UInt64(bitPattern: number).bigEndian) { $0.hexadecimal }
        case .text(let text): text
        case .real, .null: ""
        }
    }
}
