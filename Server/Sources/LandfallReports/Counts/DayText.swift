// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The cells of one day in one table, as `report_day` and `click_day` keep them: one text, so that a day is one row to read and to replace.
///
/// A line is a cell. It has the counts with commas between, and then for each field a space and either `-`, or the number of the value's
/// bytes, a colon and the value: `12,3 4:link - 6:summer`. The lines are in the order of their bytes, so equal cells are equal texts.
package enum DayText {
    /// - Parameter cells: those at the end of whose counts zeros are left out may have fewer.
    static func text(_ cells: [ReportSheet.Key: [Int64]]) -> String {
        text(cells.map { line($1, CellTable.fields($0)) })
    }

    static func text(_ table: CellTable) -> String {
        text(table.indices.map { line(table.counts(of: $0), table.key(of: $0)) })
    }

    private static func line(_ counts: some Collection<Int64>, _ fields: some Collection<UInt8>) -> [UInt8] {
        Array(counts.map { String($0) }.joined(separator: ",").utf8) + fields + [end]
    }

    private static func text(_ lines: [[UInt8]]) -> String {
        String(decoding: lines.sorted { $0.lexicographicallyPrecedes($1) }.joined(), as: UTF8.self)
    }

    /// Adds a field as a line has it.
    package static func append(_ value: (some Collection<UInt8>)?, to line: inout [UInt8]) {
        line.append(UInt8(ascii: " "))
        guard let value else { return line.append(none) }
        line += "\(value.count):".utf8
        line += value
    }

    /// The values of fields that ``append(_:to:)`` wrote.
    static func values(_ fields: ArraySlice<UInt8>) -> ReportSheet.Key {
        fields.withUnsafeBufferPointer { bytes in
            var reading = Reading(bytes: bytes), key: ReportSheet.Key = []
            while let field = try? reading.field() { key.append(field.value.map { Array(bytes[$0]) }) }
            return key
        }
    }

    /// As ``ReportSheet/precedes(_:_:)`` of their values, which are not made.
    static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.withUnsafeBufferPointer { one in
            other.withUnsafeBufferPointer { other in
                var first = Reading(bytes: one), second = Reading(bytes: other)
                while let left = try? first.field(), let right = try? second.field() {
                    guard let left = left.value, let right = right.value else {
                        if left.value == nil, right.value == nil { continue }
                        return left.value == nil
                    }
                    if !one[left].elementsEqual(other[right]) { return one[left].lexicographicallyPrecedes(other[right]) }
                }
                return false
            }
        }
    }

    private static let none = UInt8(ascii: "-"), end = UInt8(ascii: "\n")

    fileprivate struct Field {
        let start: Int
        /// Nil for none.
        let value: Range<Int>?
        let end: Int
    }

    /// A value that a field has to have; an empty one stands for none.
    struct Filter: Hashable, Sendable {
        let index: Int
        let value: [UInt8]
    }

    /// One line. Valid only inside the closure that receives it.
    struct Cell {
        fileprivate let bytes: UnsafeBufferPointer<UInt8>
        let counts: UnsafeBufferPointer<Int64>
        fileprivate let fields: UnsafeMutableBufferPointer<Field>

        /// The bytes of a value; nil if the cell has none.
        func value(_ index: Int) -> [UInt8]? { fields[index].value.map { Array(bytes[$0]) } }

        func has(_ filter: Filter) -> Bool {
            guard let own = fields[filter.index].value else { return filter.value.isEmpty }
            return own.count == filter.value.count && UnsafeBufferPointer(rebasing: bytes[own]).elementsEqual(filter.value)
        }

        /// Adds the field as the line has it.
        func append(_ index: Int, to key: inout [UInt8]) {
            key += UnsafeBufferPointer(rebasing: bytes[fields[index].start..<fields[index].end])
        }
    }

    /// More than any report counts.
    private static let mostCounts = 1_000

    /// - Parameters:
    ///   - fields: how many each cell has.
    ///   - only: the counts of other cells are not read.
    ///   - body: is called for each cell.
    /// - Throws: `DatabaseError.unexpectedValue` for a text that ``text(_:)`` did not write.
    static func forEach(_ text: String, fields: Int, only: [Filter] = [], _ body: (Cell) throws -> Void) throws {
        var text = text
        try text.withUTF8 { bytes in
            // One report reads tens of thousands of lines: none of them asks for memory.
            try withUnsafeTemporaryAllocation(of: Int64.self, capacity: mostCounts) { counts in
                try withUnsafeTemporaryAllocation(of: Field.self, capacity: fields) { values in
                    var reading = Reading(bytes: bytes)
                    while reading.position < bytes.count {
                        if !only.isEmpty {
                            let start = reading.position
                            try reading.fields(values)
                            let cell = Cell(bytes: bytes, counts: UnsafeBufferPointer(rebasing: counts[..<0]), fields: values)
                            guard only.allSatisfy({ cell.has($0) }) else { continue }
                            reading.position = start
                        }
                        let count = try reading.line(counts, values)
                        try body(Cell(bytes: bytes, counts: UnsafeBufferPointer(rebasing: counts[..<count]), fields: values))
                    }
                }
            }
        }
    }

    private struct Reading {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        /// - Returns: how many counts the line has.
        mutating func line(_ counts: UnsafeMutableBufferPointer<Int64>, _ fields: UnsafeMutableBufferPointer<Field>) throws -> Int {
            var count = 0
            repeat {
                guard count < counts.count else { throw unexpected }
                counts[count] = try number()
                count += 1
            } while take(UInt8(ascii: ","))
            try values(fields)
            return count
        }

        /// The fields of a line whose counts are passed over.
        mutating func fields(_ fields: UnsafeMutableBufferPointer<Field>) throws {
            let space = UInt8(ascii: " ")
            while position < bytes.count, bytes[position] != space, bytes[position] != DayText.end { position += 1 }
            try values(fields)
        }

        private mutating func values(_ fields: UnsafeMutableBufferPointer<Field>) throws {
            for field in fields.indices { fields.initializeElement(at: field, to: try self.field()) }
            guard take(DayText.end) else { throw unexpected }
        }

        mutating func field() throws -> Field {
            let start = position
            guard take(UInt8(ascii: " ")) else { throw unexpected }
            if take(none) { return Field(start: start, value: nil, end: position) }
            let length = try number()
            guard take(UInt8(ascii: ":")), length <= Int64(bytes.count - position) else { throw unexpected }
            let value = position..<position + Int(length)
            position = value.upperBound
            return Field(start: start, value: value, end: position)
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        private mutating func number() throws -> Int64 {
            let first = position
            var value: Int64 = 0
            while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
                guard position - first < 18 else { throw unexpected }
                value = value * 10 + Int64(digit)
                position += 1
            }
            guard position > first else { throw unexpected }
            return value
        }

        private var unexpected: DatabaseError { .unexpectedValue(column: "cells") }
    }
}
