// SPDX-License-Identifier: Apache-2.0

/// A point in time in the form of RFC 3339: `2026-11-22T09:30:00Z`, `2026-11-22T10:30:00.250+01:00`. The zone is part of it:
/// a date without a zone would mean different instants on different servers.
package struct Instant: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The last millisecond of the year 9999: a later time has no text.
    package static let latestMs: Int64 = 253_402_300_799_999

    /// Since 1970, UTC.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Nil for anything else, such as the thirtieth of February. A leap second counts as the second after it; digits finer than
    /// milliseconds are left out.
    package init?(_ text: String) {
        var text = text
        guard let instant = text.withUTF8({ Instant(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = instant
    }

    init?(utf8 text: UnsafeRawBufferPointer) {
        var reader = Reader(text: text)
        guard text.count <= 40, let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let zone = reader.zone(), reader.isAtEnd,
            (1...12).contains(month), (1...Self.days(of: month, year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = Self.day(year, month, day) * 86_400 + (hour * 60 + minute - zone) * 60 + second
        milliseconds = Int64(seconds) * 1000 + Int64(fraction)
    }

    /// In UTC; milliseconds only where there are any.
    package var description: String {
        let day = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = Int(milliseconds - Int64(day) * 86_400_000)
        let fraction = rest % 1000 == 0 ? "" : "." + String(rest % 1000 + 1000).dropFirst()
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map(Self.two).joined(separator: ":")
        return "\(Self.text(ofDay: day))T\(time)\(fraction)Z"
    }

    /// `2026-11-22`.
    /// - Parameter day: the number of days since 1970, UTC.
    package static func text(ofDay day: Int) -> String {
        let (year, month, date) = date(ofDay: day)
        return text(year, month, date)
    }

    /// The same, from its numbers. There need not be such a day.
    package static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
        let years = String(repeating: "0", count: max(0, 4 - String(year).utf8.count)) + String(year)
        return "\(years)-\(two(month))-\(two(day))"
    }

    /// Reads ``text(ofDay:)``, from 1970 on; nil for anything else.
    package static func day(_ text: String) -> Int? {
        guard text.utf8.count == 10, let start = Instant(text + "T00:00:00Z"), start.milliseconds >= 0 else { return nil }
        return Int(start.milliseconds / 86_400_000)
    }

    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// Of the Gregorian calendar, counted from 1970-01-01. Years begin in March here, so that a leap day is the last of its year.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    }

    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        var place = 0

        var isAtEnd: Bool { place == text.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
            place += 1
            return true
        }

        mutating func digit() -> Int? {
            guard place < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) else { return nil }
            place += 1
            return Int(text[place - 1] - UInt8(ascii: "0"))
        }

        mutating func number(_ digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Milliseconds; 0 if there is none.
        mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            guard var value = digit() else { return nil }
            var digits = 1
            while let digit = digit() {
                if digits < 3 { value = value * 10 + digit }
                digits += 1
            }
            return digits == 1 ? value * 100 : digits == 2 ? value * 10 : value
        }

        /// Minutes east of Greenwich.
        mutating func zone() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes)
        }
    }
}

/// A length of time in the form of the file: `30m`, `12h`, `7d`, `2w`. A day is 24 hours.
package struct TimeSpan: Hashable, Sendable, CustomStringConvertible {
    private static let units: [(letter: Character, milliseconds: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
    ]
    /// A hundred years.
    private static let longest: Int64 = 36_525 * 86_400_000

    let milliseconds: Int64

    /// Nil for any other text, for zero and for more than a hundred years.
    init?(_ text: String) {
        let digits = text.dropLast()
        guard let unit = Self.units.first(where: { $0.letter == text.last }), (1...9).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let count = Int64(digits), count > 0,
            count <= Self.longest / unit.milliseconds
        else { return nil }
        milliseconds = count * unit.milliseconds
    }

    /// In the largest unit below weeks that needs no fraction.
    package var description: String {
        let unit = Self.units.dropFirst().first { milliseconds % $0.milliseconds == 0 }
        return unit.map { "\(milliseconds / $0.milliseconds)\($0.letter)" } ?? "\(milliseconds)ms"
    }
}
