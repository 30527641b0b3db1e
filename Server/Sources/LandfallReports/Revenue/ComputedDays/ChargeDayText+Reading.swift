// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

extension ChargeDayText {
    /// A walk over the text.
    struct Reading {
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
            let begin = at
            var number: Int64 = 0, length = 0
            while length < 18, at < bytes.count, case let digit = bytes[at] &- UInt8(ascii: "0"), digit < 10 {
                number = number &* 10 &+ Int64(digit)
                (at, length) = (at &+ 1, length &+ 1)
            }
            if length > 0, length < 18 { return number }
            at = begin
            return try anyNumber()
        }

        /// Also one that is negative or has more than 17 digits, which few have.
        private mutating func anyNumber() throws -> Int64 {
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
            var origins = Origins(dimensions: all.filter(asked.contains)), known: [[Int]: Int] = [:], values: [Int] = [], isMore = true
            let isAsked = all.map(asked.contains)
            while isMore {
                values.removeAll(keepingCapacity: true)
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
