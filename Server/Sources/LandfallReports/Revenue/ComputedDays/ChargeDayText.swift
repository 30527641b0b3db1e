// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallStore

/// Reads what ``ChargeDayCounter`` has written.
enum ChargeDayText {
    /// A text of another form is counted again.
    static let form = "1"

    /// - Parameters:
    ///   - dimensions: of the origin of charges only these are read.
    /// - Returns: nil for a text of another form.
    /// - Throws: ``DatabaseError/unexpectedValue(column:)`` for a text that was not written so.
    static func day(_ day: Int64, _ text: String, by dimensions: [RevenueDimension]) throws -> ChargeDay? {
        var text = text
        return try text.withUTF8 { bytes in
            var reading = Reading(bytes: bytes)
            guard try reading.isForm() else { return nil }
            let texts = try reading.texts()
            let acquisitions = try reading.origins(RevenueOrigin.acquisition, dimensions), sales = try reading.origins(RevenueOrigin.sale, dimensions)
            var found = ChargeDay(day: day), places: [Int: Int] = [:]
            found.cells.reserveCapacity(bytes.count / 8)
            var last = (key: -1, place: 0)
            while !reading.isAtEnd {
                let kind = try reading.kind(texts), begin = found.cells.count
                while try reading.goesOn() {
                    let acquisition = try acquisitions.place(reading.number())
                    guard reading.isNext(UInt8(ascii: " ")) else { throw wrong }
                    let sale = try sales.place(reading.number())
                    let count = try reading.isNext(UInt8(ascii: " ")) ? reading.number() : 1, key = acquisition << 31 | sale
                    if key != last.key {
                        last = (key, places[key] ?? found.origins.count)
                        if last.place == found.origins.count {
                            var origin = RevenueOrigin.unknown
                            for (list, place) in [(acquisitions, acquisition), (sales, sale)] {
                                for (dimension, number) in zip(list.dimensions, list.values[place]) {
                                    origin.set(dimension, number == 0 ? nil : try texts.bytes(number, bytes))
                                }
                            }
                            places[key] = last.place
                            found.origins.append(origin)
                        }
                    }
                    // They are in order, so what is equal by these dimensions mostly comes one after the other.
                    if found.cells.count > begin, found.cells[found.cells.count - 1].origin == last.place {
                        found.cells[found.cells.count - 1].count &+= count
                    } else {
                        found.cells.append(ChargeDay.Cell(origin: last.place, count: count))
                    }
                }
                found.lots.append(ChargeDay.Lot(kind: kind, cells: begin..<found.cells.count))
            }
            return found
        }
    }

    /// Without spaces and ends of lines; never empty.
    static func escaped(_ text: [UInt8]) -> String {
        guard !text.isEmpty else { return "%" }
        return text.reduce(into: "") { escaped, byte in
            if byte > 0x20, byte != percent, byte < 0x80 {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }

    private static let percent = UInt8(ascii: "%")
    static let wrong = DatabaseError.unexpectedValue(column: "cells")

    /// The places of the texts in the line of texts.
    struct Texts {
        var ranges: [Range<Int>] = []

        func bytes(_ number: Int, _ all: UnsafeBufferPointer<UInt8>) throws -> [UInt8] {
            guard number > 0, number <= ranges.count else { throw wrong }
            let range = ranges[number - 1]
            var text: [UInt8] = [], at = range.lowerBound
            text.reserveCapacity(range.count)
            while at < range.upperBound {
                defer { at += 1 }
                guard all[at] == percent else { text.append(all[at]); continue }
                guard at + 2 < range.upperBound else { break }
                guard let high = Character(Unicode.Scalar(all[at + 1])).hexDigitValue, let low = Character(Unicode.Scalar(all[at + 2])).hexDigitValue
                else { throw wrong }
                text.append(UInt8(high << 4 | low))
                at += 2
            }
            return text
        }

        func text(_ number: Int, _ all: UnsafeBufferPointer<UInt8>) throws -> String? {
            number == 0 ? nil : String(decoding: try bytes(number, all), as: UTF8.self)
        }
    }

    /// Acquisitions or sales, by those of their values that were asked for.
    struct Origins {
        var dimensions: [RevenueDimension] = []
        /// The numbers of the texts, in the order of the dimensions: each combination once.
        var values: [[Int]] = []
        /// Of each acquisition or sale, its place in ``values``.
        var places: [Int] = []

        func place(_ number: Int64) throws -> Int {
            guard number >= 0, number < places.count else { throw wrong }
            return places[Int(number)]
        }
    }
}
