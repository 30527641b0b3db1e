// SPDX-License-Identifier: Apache-2.0
/// Asks Apple for an install's attribution.
package protocol AppleAdsService: Sendable {
    /// Asks once and follows no redirect. Honours cancellation; the caller sets the time limit.
    /// - Throws: any error if there was no answer at all. Such a question is worth another try.
    func answer(to token: String) async throws -> AppleAdsReply
}

/// Apple's answer, not parsed.
package struct AppleAdsReply: Hashable, Sendable {
    /// A longer body does not come from Apple.
    static let largestBody = 65_536

    package let status: Int
    package let body: [UInt8]
    /// Apple's request not to be asked for so many seconds.
    var retryAfter: Int64?

    package init(status: Int, body: [UInt8], retryAfter: Int64? = nil) {
        (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    }
}
