// SPDX-License-Identifier: Apache-2.0

/// How long ago something happened that a phone tells later. The phone's clock is not asked: the server's clock less this age
/// says when it was.
enum ReportedAge {
    /// Longer counts as this.
    static let longestMs: Int64 = 30 * 86_400_000

    /// 0…30 days.
    static func bounded(_ milliseconds: Int64) -> Int64 { min(max(0, milliseconds), longestMs) }
}
