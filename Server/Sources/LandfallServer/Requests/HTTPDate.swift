// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The instant as the `Date` field writes it, put together once a second.
final class HTTPDate: Sendable {
    private let latest = Mutex<(second: Int64, text: String)?>(nil)

    /// For example `Sun, 06 Nov 1994 08:49:37 GMT`.
    func text(nowMs: Int64) -> String {
        let second = nowMs / 1000
        return latest.withLock { latest in
            if let latest, latest.second == second { return latest.text }
            let text = Self.text(second: second)
            latest = (second, text)
            return text
        }
    }

    /// - Parameter second: Unix time, from 1970 on.
    static func text(second: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (days, time) = (second / 86_400, second % 86_400)
        // Years that begin in March end with the leap day, and 400 of them are always as long.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
        let clock = "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60))"
        return "\(weekdays[Int((days + 4) % 7)]), \(two(day)) \(months[Int(month)]) \(year) \(clock) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]
}
