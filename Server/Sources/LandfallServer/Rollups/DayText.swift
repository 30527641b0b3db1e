// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// The cells of one day and cut, as `report_day` and `click_day` keep them: one text, so that a day is one row to read and to replace.
///
/// A line is a cell. It has the counts with commas between, and then for each field a space and either `-`, or the number of the value's
/// bytes, a colon and the value: `12,3 4:link - 6:summer`. The lines are in the order of their bytes, so equal cells are equal texts.
enum DayText {
    static func text(_ cells: [ReportSheet.Key: [Int64]]) -> String {
        let lines = cells.map { key, counts in
            var line = Array(counts.map(String.init).joined(separator: ",").utf8)
            for value in key {
                line.append(UInt8(ascii: " "))
                guard let value else { line.append(none); continue }
                line += Array("\(value.count):".utf8) + value
            }
            return line + [end]
        }
        return String(decoding: lines.sorted { $0.lexicographicallyPrecedes($1) }.joined(), as: UTF8.self)
    }

    private static let none = UInt8(ascii: "-"), end = UInt8(ascii: "\n")

    /// One line. Valid only inside the closure that receives it.
    struct Cell {
        fileprivate let bytes: UnsafeBufferPointer<UInt8>
        fileprivate(set) var counts: [Int64] = []
        fileprivate var fields: [Range<Int>?] = []

        /// The bytes of a value; nil if the cell has none.
        func value(_ place: Int) -> [UInt8]? { fields[place].map { Array(bytes[$0]) } }
    }

    /// - Parameters:
    ///   - fields: how many each cell has.
    ///   - body: is called for each cell.
    /// - Throws: `DatabaseError.unexpectedValue` for a text that ``text(_:)`` did not write.
    static func forEach(_ text: String, fields: Int, _ body: (Cell) throws -> Void) throws {
        var text = text
        try text.withUTF8 { bytes in
            var reading = Reading(bytes: bytes), cell = Cell(bytes: bytes)
            while reading.place < bytes.count {
                try reading.line(into: &cell, fields: fields)
                try body(cell)
            }
        }
    }

    private struct Reading {
        let bytes: UnsafeBufferPointer<UInt8>
        var place = 0

        mutating func line(into cell: inout Cell, fields: Int) throws {
            cell.counts.removeAll(keepingCapacity: true)
            cell.fields.removeAll(keepingCapacity: true)
            repeat { cell.counts.append(try number()) } while take(UInt8(ascii: ","))
            while take(UInt8(ascii: " ")) {
                if take(none) { cell.fields.append(nil); continue }
                let length = try number()
                guard take(UInt8(ascii: ":")), length <= Int64(bytes.count - place) else { throw unexpected }
                cell.fields.append(place..<(place + Int(length)))
                place += Int(length)
            }
            guard take(end), cell.fields.count == fields else { throw unexpected }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            return true
        }

        private mutating func number() throws -> Int64 {
            let first = place
            var value: Int64 = 0
            while place < bytes.count, case let digit = bytes[place] &- UInt8(ascii: "0"), digit < 10 {
                guard place - first < 18 else { throw unexpected }
                value = value * 10 + Int64(digit)
                place += 1
            }
            guard place > first else { throw unexpected }
            return value
        }

        private var unexpected: DatabaseError { .unexpectedValue(column: "cells") }
    }
}

/// The sum of the cells of some days, told apart by some of their fields.
struct DaySums {
    private(set) var rows: [ReportSheet.Key: [Int64]] = [:]
    private let zeros: [Int64]
    /// Of each part of the key its place among the fields of the days; nil is the day itself.
    private let places: [Int?]
    private let fields: Int

    /// - Parameters:
    ///   - fields: those of the days.
    ///   - by: the parts of the key. What is no field of the days is the day.
    ///   - size: the number of counts. Days of an earlier generation may have fewer.
    init<Field: ReportField>(fields: [Field], by: [Field], size: Int) {
        self.fields = fields.count
        places = by.map { fields.firstIndex(of: $0) }
        zeros = Array(repeating: 0, count: size)
    }

    mutating func add(_ day: Int64, _ text: String) throws {
        let date = Array(ReportDays.text(day).utf8)
        try DayText.forEach(text, fields: fields) { cell in
            let key = places.map { place in place.map { cell.value($0) } ?? date }
            let count = min(zeros.count, cell.counts.count)
            Self.add(cell.counts, count, to: &rows[key, default: zeros])
        }
    }

    /// Adds a row that no day has yet.
    mutating func add(_ key: ReportSheet.Key, _ counts: [Int64]) {
        Self.add(counts, min(zeros.count, counts.count), to: &rows[key, default: zeros])
    }

    private static func add(_ counts: [Int64], _ count: Int, to sum: inout [Int64]) {
        for place in 0..<count { sum[place] += counts[place] }
    }
}

/// The cells of a day before they are a text.
enum DayCells {
    /// A day has at most this many cells of a cut; the smallest become one cell that is called ``other`` in every field.
    static let most = 1_000
    static let other = "other"

    /// The cells with the highest first counts, and one for the rest.
    static func capped(_ cells: [ReportSheet.Key: [Int64]]) -> [ReportSheet.Key: [Int64]] {
        guard cells.count > most, let fields = cells.keys.first?.count else { return cells }
        let ranked = cells.sorted { one, two in
            one.value[0] != two.value[0] ? one.value[0] > two.value[0] : ReportSheet.precedes(one.key, two.key)
        }
        var kept = Dictionary(ranked.prefix(most - 1).map { ($0.key, $0.value) }) { first, _ in first }
        let rest = ReportSheet.Key(repeating: Array(other.utf8), count: fields)
        for (_, counts) in ranked.dropFirst(most - 1) {
            kept[rest] = kept[rest].map { zip($0, counts).map { $0 + $1 } } ?? counts
        }
        return kept
    }
}
