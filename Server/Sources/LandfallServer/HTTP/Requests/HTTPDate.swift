// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The current time in the form of the `Date` field, formatted once a second.
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
        let now = calendar.dateComponents(fields, from: Date(timeIntervalSince1970: Double(second)))
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let day = "\(weekdays[(now.weekday ?? 1) - 1]), \(two(now.day)) \(months[(now.month ?? 1) - 1]) \(now.year ?? 1970)"
        return "\(day) \(two(now.hour)):\(two(now.minute)):\(two(now.second)) GMT"
    }

    private static let fields: Set<Calendar.Component> = [.year, .month, .day, .weekday, .hour, .minute, .second]
    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
