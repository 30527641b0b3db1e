// SPDX-License-Identifier: Apache-2.0
/// Asks Apple where an install came from.
protocol AppleAdsService: Sendable {
    /// Asks once and follows no redirect. Honours cancellation; the caller keeps the time.
    /// - Throws: anything, where there was no answer at all. That is worth another try.
    func answer(to token: String) async throws -> AppleAdsReply
}

/// What came back, unread.
struct AppleAdsReply: Hashable, Sendable {
    /// Longer bodies are no answer of Apple's.
    static let largestBody = 65_536

    let status: Int
    let body: [UInt8]
}
