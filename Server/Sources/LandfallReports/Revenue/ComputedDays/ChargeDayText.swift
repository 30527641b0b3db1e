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
                    let acquisition = try acquisitions.place(reading.number()), sale = try sales.place(reading.number())
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

    fileprivate static let percent = UInt8(ascii: "%")
    fileprivate static let wrong = DatabaseError.unexpectedValue(column: "cells")

    /// The places of the texts in the line of texts.
    fileprivate struct Texts {
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
    fileprivate struct Origins {
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

    /// A walk over the text.
    fileprivate struct Reading {
        let bytes: UnsafeBufferPointer<UInt8>
        private var at = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var isAtEnd: Bool { at >= bytes.count }

        private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

        mutating func isNext(_ byte: UInt8) -> Bool {
            guard next == byte else { return false }
            at += 1
            return true
        }

        /// Whether the line goes on behind a comma; otherwise the next line is next.
        mutating func goesOn() throws -> Bool {
            if isNext(UInt8(ascii: ",")) { return true }
            guard isNext(UInt8(ascii: "\n")) else { throw wrong }
            return false
        }

        mutating func number() throws -> Int64 {
            let isNegative = isNext(UInt8(ascii: "-")), begin = at
            var number: Int64 = 0
            while at < bytes.count, case let digit = bytes[at] &- UInt8(ascii: "0"), digit < 10 {
                let (more, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                guard !isTooLarge, case (let sum, false) = more.subtractingReportingOverflow(Int64(digit)) else { throw wrong }
                number = sum
                at += 1
            }
            // Counted down, because the smallest number has no positive one.
            guard at > begin, isNegative || number != .min else { throw wrong }
            return isNegative ? number : -number
        }

        mutating func isForm() throws -> Bool {
            for byte in form.utf8 { guard isNext(byte) else { return false } }
            return isNext(UInt8(ascii: "\n"))
        }

        mutating func texts() throws -> Texts {
            var texts = Texts(), begin = at
            while at < bytes.count {
                let byte = bytes[at]
                if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") {
                    texts.ranges.append(begin..<at)
                    begin = at + 1
                }
                at += 1
                if byte == UInt8(ascii: "\n") { return texts }
            }
            throw wrong
        }

        mutating func origins(_ all: [RevenueDimension], _ asked: [RevenueDimension]) throws -> Origins {
            var origins = Origins(dimensions: all.filter(asked.contains)), known: [[Int]: Int] = [:], isMore = true
            let isAsked = all.map(asked.contains)
            while isMore {
                var values: [Int] = []
                for (index, isAsked) in isAsked.enumerated() {
                    if index > 0, !isNext(UInt8(ascii: " ")) { throw wrong }
                    let number = try number()
                    if isAsked { values.append(Int(number)) }
                }
                // They are in order.
                if origins.values.last == values {
                    origins.places.append(origins.values.count - 1)
                } else {
                    let place = known[values] ?? origins.values.count
                    if place == origins.values.count {
                        known[values] = place
                        origins.values.append(values)
                    }
                    origins.places.append(place)
                }
                isMore = try goesOn()
            }
            return origins
        }

        mutating func kind(_ texts: Texts) throws -> ChargeDay.Kind {
            var numbers: [Int64] = []
            numbers.reserveCapacity(13)
            for index in 0..<13 {
                if index > 0, !isNext(UInt8(ascii: " ")) { throw wrong }
                numbers.append(try number())
            }
            func text(_ index: Int) throws -> String? {
                guard let number = Int(exactly: numbers[index]) else { throw wrong }
                return try texts.text(number, bytes)
            }
            guard let kind = try text(0).flatMap(Charge.Kind.init(rawValue:)), numbers[5] >= 0, numbers[6] > 0, numbers[7] >= 0, numbers[8] >= 0,
                let purchaseDay = Int(exactly: numbers[9])
            else { throw wrong }
            return ChargeDay.Kind(
                terms: Pricing.Terms(
                    kind: kind, currency: try text(1) ?? "", milliunits: numbers[4],
                    part: Charge.Fraction(numerator: numbers[5], denominator: numbers[6]),
                    upgradeCredit: numbers[8] == 0 ? nil : Charge.Fraction(numerator: numbers[7], denominator: numbers[8]),
                    storefront: try text(2), purchaseDay: purchaseDay, isAfterYear: numbers[10] != 0),
                product: try text(3) ?? "", followsTrial: numbers[11] != 0, isRefundedBefore: numbers[12] != 0)
        }
    }
}
