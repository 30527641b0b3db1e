// SPDX-License-Identifier: Apache-2.0

/// How long ago something happened that a phone reports later. The phone's clock is not used: the time is the server's clock
/// minus this age.
package enum ReportedAge {
    /// A longer age counts as this, in milliseconds.
    package static let longestMs: Int64 = 30 * 86_400_000

    /// Clamps to 0…30 days.
    static func bounded(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), longestMs) }
}
