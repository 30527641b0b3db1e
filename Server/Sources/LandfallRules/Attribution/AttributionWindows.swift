// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// For how long a link's click counts. A click keeps the windows of its day: a later configuration applies to later clicks.
package struct AttributionWindows: Hashable, Sendable, Codable {
    static let clickDays: ClosedRange<Int64> = 1...30
    static let inactivityDays: ClosedRange<Int64> = 0...365

    /// A click counts for an open that comes at most this number of days after it.
    package var clickWindowDays: Int64
    /// A link can bring back an install that was absent for this number of days. 0: every later link counts.
    package var reattributionAfterDays: Int64

    package init(clickWindowDays: Int64 = 7, reattributionAfterDays: Int64 = 7) {
        (self.clickWindowDays, self.reattributionAfterDays) = (clickWindowDays, reattributionAfterDays)
    }

    package var clickWindowMs: Int64 { clickWindowDays * 86_400_000 }
    package var inactivityMs: Int64 { reattributionAfterDays * 86_400_000 }
}

extension ConfigurationReader {
    mutating func attributionWindows(_ node: ConfigurationNode) -> AttributionWindows {
        var windows = AttributionWindows()
        let fields = fields(node, of: "'attribution'", optional: ["clickWindowDays", "reattributionAfterDays"])
        if let days = dayCount(fields?["clickWindowDays"], "'clickWindowDays'", in: AttributionWindows.clickDays) {
            windows.clickWindowDays = days
        }
        if let days = dayCount(
            fields?["reattributionAfterDays"], "'reattributionAfterDays'", in: AttributionWindows.inactivityDays)
        {
            windows.reattributionAfterDays = days
        }
        return windows
    }

    mutating func dayCount(_ node: ConfigurationNode?, _ what: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node else { return nil }
        guard let value = json(node) else { return nil }
        if case .integer(let count) = value, range.contains(count) { return count }
        note(node.place, "\(what) is not a number of days. Write a whole number from \(range.lowerBound) to \(range.upperBound).")
        return nil
    }
}
