// SPDX-License-Identifier: Apache-2.0

/// A length of time in a product id: `30s`, `90min`, `12h`, `7d`, `2w`, `1mo` (30 days), `1y` (365 days).
package struct SimulatedPeriod: Hashable, Sendable {
    /// Before it is scaled.
    package let milliseconds: Int64
    /// As Apple writes lengths; nothing shorter than a day can be written so.
    let iso8601: String

    /// nil for another form, for nothing, and for more than ten years.
    package init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /([0-9]{1,9})(s|min|h|d|w|mo|y)/)?.output, let count = Int64(parts.1), count > 0,
            let unit = Self.units[String(parts.2)], count <= Self.longest / unit
        else { return nil }
        milliseconds = count * unit
        switch parts.2 {
        case "w": iso8601 = "P\(count)W"
        case "mo": iso8601 = "P\(count)M"
        case "y": iso8601 = "P\(count)Y"
        default:
            let days = max(1, milliseconds / Self.day)
            iso8601 = days % 7 == 0 ? "P\(days / 7)W" : "P\(days)D"
        }
    }

    package static let day: Int64 = 86_400_000
    private static let longest = 3_650 * day
    private static let units: [String: Int64] = [
        "s": 1_000, "min": 60_000, "h": 3_600_000, "d": day, "w": 7 * day, "mo": 30 * day, "y": 365 * day,
    ]
}
