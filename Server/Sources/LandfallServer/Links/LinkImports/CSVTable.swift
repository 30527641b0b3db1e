// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// A table in CSV: fields between separators, rows between ends of lines, quotes around fields that contain one of these (RFC 4180).
/// The separator is the comma, semicolon, tab or bar that the first row has most of, or the one of a first line `sep=;`.
/// Every field keeps its place.
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

    /// The number counts rows from 1, the header, empty lines and `sep=` too.
    struct Row: Hashable, Sendable {
        let number: Int
        let fields: [Field]
    }

    private(set) var rows: [Row] = []

    /// - Throws: ``LinkRefusal`` for a quoted field that does not end, or that is followed by text.
    init(_ text: String) throws(LinkRefusal) {
        var reader = Reader(text)
        var number = reader.skipAnnouncement() ? 1 : 0
        while let fields = try reader.row() {
            number += 1
            guard fields.count > 1 || fields[0].text.isEmpty == false else { continue }
            rows.append(Row(number: number, fields: fields))
        }
    }

    private struct Reader {
        private static let separators = ",;\t|".utf8

        private let bytes: [UInt8]
        private let separator: UInt8
        /// The first line is `sep=` and the separator, as Excel writes it.
        private let isAnnounced: Bool
        private var at = 0
        private var place = Place(line: 1, column: 1)

        init(_ text: String) {
            bytes = Array(text.utf8)
            // A byte order mark does not belong to the first field.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
            let line = bytes[at...].prefix(6).prefix { $0 != 0x0A && $0 != 0x0D }
            isAnnounced = line.count == 5 && line.starts(with: "sep=".utf8) && Self.separators.contains(line[at + 4])
            separator = isAnnounced ? line[at + 4] : Self.mostFrequent(in: bytes[at...])
        }

        /// The separator that the first row has most of; the comma where none has more.
        private static func mostFrequent(in bytes: ArraySlice<UInt8>) -> UInt8 {
            var counts: [UInt8: Int] = [:], isQuoted = false
            for byte in bytes.drop(while: { $0 == 0x0A || $0 == 0x0D }) {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if isQuoted { continue }
                if byte == 0x0A || byte == 0x0D { break }
                if separators.contains(byte) { counts[byte, default: 0] += 1 }
            }
            return separators.reduce(UInt8(ascii: ",")) { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
        }

        /// - Returns: true if there was a line that announces the separator.
        mutating func skipAnnouncement() -> Bool {
            guard isAnnounced else { return false }
            while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { step() }
            endLine()
            return true
        }

        private mutating func endLine() {
            guard at < bytes.count else { return }
            let end = bytes[at]
            step()
            if end == 0x0D, at < bytes.count, bytes[at] == 0x0A { step() }
        }

        /// Nil at the end.
        mutating func row() throws(LinkRefusal) -> [Field]? {
            guard at < bytes.count else { return nil }
            var fields: [Field] = []
            while true {
                fields.append(try field())
                guard at < bytes.count else { return fields }
                guard bytes[at] == separator else {
                    endLine()
                    return fields
                }
                step()
            }
        }

        /// Stops at a separator, at the end of a line, or at the end.
        private mutating func field() throws(LinkRefusal) -> Field {
            let start = place
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
                let first = at
                while at < bytes.count, !isEnd(bytes[at]) { step() }
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
                    guard at == bytes.count || isEnd(bytes[at]) else {
                        throw .invalid(
                            "Line \(place.line), column \(place.column): text follows the end of a quoted field. Write a quote inside a field twice.")
                    }
                    return Field(text: String(decoding: text, as: UTF8.self), place: start)
                }
                step()
            }
            throw .invalid("Line \(start.line), column \(start.column): a quoted field does not end. Add its second quote.")
        }

        private func isEnd(_ byte: UInt8) -> Bool { byte == separator || byte == 0x0A || byte == 0x0D }

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
