// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// A day or an instant as people and programs write it.
package enum WrittenTime {
    /// - Returns: Unix milliseconds. A day is its beginning in UTC, and a time without a zone is in UTC.
    /// - Throws: ``LinkRefusal`` for anything else, and for days that mean another day elsewhere, such as `03/04/2026`.
    package static func milliseconds(_ text: String, _ field: String) throws(LinkRefusal) -> Int64 {
        if let number = number(text) { return number }
        guard text.utf8.count <= 60, let written = Written(text) else { throw unknown(text, field) }
        if written.isAmbiguous {
            throw .invalid("'\(field)' cannot be '\(text)': it may be two different days. Write the year first, such as 2026-04-03.")
        }
        guard let instant = Instant("\(written.day)T\(written.time)") else { throw unknown(text, field) }
        return instant.milliseconds
    }

    private static func unknown(_ text: String, _ field: String) -> LinkRefusal {
        .invalid("'\(field)' cannot be '\(text.shortened)'. Write a day such as 2026-12-31, or an instant such as 2026-12-31T18:00:00Z.")
    }

    /// Nine and ten digits are Unix seconds, and more are milliseconds; eight are a day.
    private static func number(_ text: String) -> Int64? {
        guard text.utf8.count >= 9, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(text) else { return nil }
        return text.utf8.count <= 10 ? number * 1000 : number
    }
}

/// A text in its parts: numbers, words and what is between them.
private struct Written {
    /// `2026-12-31`
    let day: String
    /// `18:00:00Z`
    var time = "00:00:00Z"
    var isAmbiguous = false

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Nil for what has no day. Whether there is such a day is not checked here.
    init?(_ text: String) {
        // A day ends before the first colon's hour: everything from there is the time.
        let scalars = Array(text.lowercased().unicodeScalars)
        let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
        var hour = colon
        if colon < scalars.endIndex {
            while hour > 0, ("0"..."9").contains(scalars[hour - 1]) { hour -= 1 }
        }
        var dayPart = scalars[..<hour]
        while let last = dayPart.last, last == "t" && dayPart.count > 8 || last == "," || last.properties.isWhitespace { dayPart.removeLast() }
        guard let (day, isAmbiguous) = Self.day(dayPart) else { return nil }
        (self.day, self.isAmbiguous) = (day, isAmbiguous)
        guard hour < scalars.endIndex else { return }
        guard let time = Self.time(scalars[hour...]) else { return nil }
        self.time = time
    }

    private static func day(_ scalars: ArraySlice<Unicode.Scalar>) -> (String, isAmbiguous: Bool)? {
        if scalars.count == 8, scalars.allSatisfy({ ("0"..."9").contains($0) }), let all = Int(String(String.UnicodeScalarView(scalars))) {
            return (Instant.text(all / 10_000, all / 100 % 100, all % 100), false)
        }
        var numbers: [(value: Int, digits: Int)] = [], month: Int?, monthPlace = 0, marks: Set<Unicode.Scalar> = []
        var rest = scalars
        while let first = rest.first {
            if ("0"..."9").contains(first) {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                guard digits.count <= 4, let value = Int(String(String.UnicodeScalarView(digits))) else { return nil }
                numbers.append((value, digits.count))
                rest = rest.dropFirst(digits.count)
            } else if ("a"..."z").contains(first) {
                let word = String(String.UnicodeScalarView(rest.prefix { ("a"..."z").contains($0) }))
                rest = rest.dropFirst(word.utf8.count)
                // After the number of a day: 1st, 2nd, 3rd, 31st.
                if ["st", "nd", "rd", "th"].contains(word), !numbers.isEmpty { continue }
                guard month == nil, let found = months.firstIndex(where: { word.hasPrefix($0) }) else { return nil }
                (month, monthPlace) = (found + 1, numbers.count)
            } else {
                guard "-/., 年月日".unicodeScalars.contains(first) else { return nil }
                marks.insert(first)
                rest = rest.dropFirst()
            }
        }
        if let month {
            guard numbers.count == 2 else { return nil }
            // 31 December 2026, December 31, 2026, 2026 December 31
            let isYearFirst = numbers[0].digits == 4
            let (year, day) = isYearFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
            guard year.digits == 4, monthPlace < 2 else { return nil }
            return (Instant.text(year.value, month, day.value), false)
        }
        guard numbers.count == 3 else { return nil }
        if numbers[0].digits == 4 { return (Instant.text(numbers[0].value, numbers[1].value, numbers[2].value), false) }
        guard numbers[2].digits == 4 else { return nil }
        let (first, second, year) = (numbers[0].value, numbers[1].value, numbers[2].value)
        // Points stand between the numbers where the day is first. Elsewhere only a number above 12 tells which is the day.
        if marks.contains(".") || first > 12 { return (Instant.text(year, second, first), false) }
        return (Instant.text(year, first, second), second <= 12 && first != second)
    }

    /// `18:00`, `6:00 pm`, `18:00:00.250+01:00`
    private static func time(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
        var clock = scalars.prefix { ("0"..."9").contains($0) || $0 == ":" || $0 == "." }
        var rest = scalars.dropFirst(clock.count).drop { $0.properties.isWhitespace }
        var fraction = ArraySlice<Unicode.Scalar>()
        if let point = clock.firstIndex(of: ".") { (fraction, clock) = (clock[point...], clock[..<point]) }
        var numbers = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int(String(String.UnicodeScalarView($0))) ?? -1 }
        guard (2...3).contains(numbers.count), numbers.allSatisfy({ (0...60).contains($0) }) else { return nil }
        for (word, isAfternoon) in [("am", false), ("pm", true)] where String(String.UnicodeScalarView(rest.prefix(2))) == word {
            guard (1...12).contains(numbers[0]) else { return nil }
            numbers[0] = numbers[0] % 12 + (isAfternoon ? 12 : 0)
            rest = rest.dropFirst(2).drop { $0.properties.isWhitespace }
        }
        var zone = String(String.UnicodeScalarView(rest))
        if ["", "utc", "gmt", "z"].contains(zone) { zone = "Z" }
        if numbers.count == 2 { numbers.append(0) }
        return numbers.map(Instant.two).joined(separator: ":") + String(String.UnicodeScalarView(fraction)) + zone
    }
}
