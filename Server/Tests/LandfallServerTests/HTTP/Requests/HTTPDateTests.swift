// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallServer

@Suite("The date of an answer", .timeLimit(.minutes(1)))
struct HTTPDateTests {
    private static let known: [(Int64, String)] = [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ]

    @Test("has the form of HTTP", arguments: known)
    func text(second: Int64, expected: String) { #expect(HTTPDate.text(second: second) == expected) }

    @Test("is right on every day of two centuries")
    func calendar() {
        let style = Date.VerbatimFormatStyle(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: TimeZone(secondsFromGMT: 0)!,
            calendar: Calendar(identifier: .gregorian))
        for day in stride(from: Int64(0), to: 73_000, by: 1) {
            let second = day * 86_400 + day % 86_400
            let expected = Date(timeIntervalSince1970: Double(second)).formatted(style)
            guard HTTPDate.text(second: second) == expected else {
                Issue.record("\(HTTPDate.text(second: second)) is not \(expected)")
                return
            }
        }
    }

    @Test("changes with the second")
    func moves() {
        let date = HTTPDate()
        #expect(date.text(nowMs: 784_111_777_999) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(nowMs: 784_111_778_000) == "Sun, 06 Nov 1994 08:49:38 GMT")
        #expect(date.text(nowMs: 784_111_777_000) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
