// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Date {
    /// `2026-11-22`, in UTC.
    var day: String { formatted(.iso8601.year().month().day()) }

    /// Negative for an earlier date.
    func wholeDays(after now: Date) -> Int { Int((timeIntervalSince(now) / 86_400).rounded(.down)) }
}
