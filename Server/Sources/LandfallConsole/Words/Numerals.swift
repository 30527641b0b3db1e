// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules

/// Numbers and times as people of a language write them. All languages here write digits alike.
extension Language {
    /// With a comma between thousands: 12,345.
    func count(_ value: Int64) -> String { value.inGroups }

    /// One decimal below ten percent, none above: 4.8 %, 52 %.
    func share(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1_000_000 else { return "–" }
        let percent = value * 100
        if percent.magnitude >= 9.95 - 1e-9 || percent == 0 { return self.percent(count(Int64(percent.rounded()))) }
        let tenths = Int64((percent * 10).rounded())
        return self.percent("\(tenths < 0 ? "−" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)")
    }

    func percent(_ digits: String) -> String { translate("\(digits) %") }

    /// Milliseconds as seconds, with two decimals below ten, one below a hundred: 0.56 s, 12.3 s, 120 s.
    func seconds(_ milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds.magnitude < 1e12 else { return "–" }
        let decimals = milliseconds < 9_995 ? 2 : milliseconds < 99_950 ? 1 : 0
        let scale: Int64 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        let whole = Int64((max(0, milliseconds) / 1_000 * Double(scale)).rounded())
        let rest = String(whole % scale)
        let text = count(whole / scale) + (decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - rest.count) + rest)
        return translate("\(text) s")
    }

    /// With a sign: +12 %, −3.1 %.
    func change(_ value: Double) -> String { (value > 0 ? "+" : "") + share(value) }

    /// A day of the calendar, from 2026-11-22.
    /// - Parameter year: this one goes without saying; nil says none.
    func day(_ text: String, in year: String? = nil) -> String {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]) else { return text }
        let (day, month) = (parts[2], name(ofMonth: parts[1]))
        guard let year, Int(year) != parts[0] else { return translate("\(day) \(month)", context: "day, month") }
        return translate("\(day) \(month) \(parts[0])", context: "day, month, year")
    }

    private func name(ofMonth number: Int) -> String {
        switch number {
        case 1: translate("Jan", context: "month")
        case 2: translate("Feb", context: "month")
        case 3: translate("Mar", context: "month")
        case 4: translate("Apr", context: "month")
        case 5: translate("May", context: "month")
        case 6: translate("Jun", context: "month")
        case 7: translate("Jul", context: "month")
        case 8: translate("Aug", context: "month")
        case 9: translate("Sep", context: "month")
        case 10: translate("Oct", context: "month")
        case 11: translate("Nov", context: "month")
        default: translate("Dec", context: "month")
        }
    }

    /// Names in a sentence.
    func list(_ names: [String]) -> String { names.joined(separator: translate(", ", context: "between the names of a list")) }

    /// Between a label and its value.
    var colon: String { translate(": ", context: "between a label and its value") }

    /// Day and time in UTC.
    func instant(_ milliseconds: Int64) -> String {
        let (date, time) = Self.calendar(milliseconds)
        return "\(date) \(time)"
    }

    /// The instants that pages show: the years 1 to 9999.
    private static let shown: ClosedRange<Int64> = -62_135_596_800_000...Instant.latestMs

    /// The nearest instant that pages show. A stored link may end at any number of milliseconds.
    static func nearest(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, shown.lowerBound), shown.upperBound) }

    /// `2026-11-22` and `14:05`, in UTC.
    static func calendar(_ milliseconds: Int64) -> (date: String, time: String) {
        let milliseconds = nearest(milliseconds)
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        // Days since 1 March of year 0, in eras of 400 years: leap days are at the end of a year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let civil = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civil <= 2 ? 1 : 0)
        return ("\(year)-\(two(civil))-\(two(day))", "\(two(rest / 3600)):\(two(rest / 60 % 60))")
    }
}
