// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A table in CSV: fields between commas, rows between ends of lines, quotes around fields that contain one of these (RFC 4180).
/// Reads bytes, once. Every field keeps its place.
package struct CSVTable: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        let text: String
        let place: Place
    }

    /// Both count from 1; a column is a Unicode scalar, as in the messages about landfall.yaml.
    package struct Place: Hashable, Sendable, Comparable {
        package var line: Int
        package var column: Int
        package static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    /// The number counts rows from 1, the header and empty lines too.
    struct Row: Hashable, Sendable {
        let number: Int
        let fields: [Field]
    }

    private(set) var rows: [Row] = []

    /// - Throws: ``LinkRefusal`` for a quoted field that does not end, or that is followed by text.
    init(_ text: String) throws(LinkRefusal) {
        var reader = Reader(text)
        var number = 0
        while let fields = try reader.row() {
            number += 1
            guard fields.count > 1 || fields[0].text.isEmpty == false else { continue }
            rows.append(Row(number: number, fields: fields))
        }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var at = 0
        private var place = Place(line: 1, column: 1)

        init(_ text: String) {
            bytes = Array(text.utf8)
            // A byte order mark does not belong to the first field.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        }

        /// Nil at the end.
        mutating func row() throws(LinkRefusal) -> [Field]? {
            guard at < bytes.count else { return nil }
            var fields: [Field] = []
            while true {
                fields.append(try field())
                guard at < bytes.count else { return fields }
                let end = bytes[at]
                step()
                if end == UInt8(ascii: ",") { continue }
                if end == UInt8(ascii: "\r"), at < bytes.count, bytes[at] == UInt8(ascii: "\n") { step() }
                return fields
            }
        }

        /// Stops at a comma, at the end of a line, or at the end.
        private mutating func field() throws(LinkRefusal) -> Field {
            let start = place
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
                let first = at
                while at < bytes.count, !Self.isEnd(bytes[at]) { step() }
                return Field(text: String(decoding: bytes[first..<at], as: UTF8.self), place: start)
            }
            var text: [UInt8] = []
            step()
            while at < bytes.count {
                if bytes[at] != UInt8(ascii: "\"") {
                    text.append(bytes[at])
                } else if at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "\"") {
                    text.append(bytes[at])
                    step()
                } else {
                    step()
                    guard at == bytes.count || Self.isEnd(bytes[at]) else {
                        throw .invalid(
                            "Line \(place.line), column \(place.column): text follows the end of a quoted field. Write a quote inside a field twice.")
                    }
                    return Field(text: String(decoding: text, as: UTF8.self), place: start)
                }
                step()
            }
            throw .invalid("Line \(start.line), column \(start.column): a quoted field does not end. Add its second quote.")
        }

        private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D }

        private mutating func step() {
            let byte = bytes[at]
            at += 1
            if byte == 0x0A || byte == 0x0D && !(at < bytes.count && bytes[at] == 0x0A) {
                place = Place(line: place.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                // Bytes that continue a character are not counted.
                place.column += 1
            }
        }
    }
}
