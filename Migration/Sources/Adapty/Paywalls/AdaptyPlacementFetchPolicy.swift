// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whether a paywall that is stored on the phone may be the answer.
public enum AdaptyPlacementFetchPolicy: Hashable, Sendable {
    /// Asks the server; the cache answers only when the server does not.
    case reloadRevalidatingCacheData
    /// The cache answers at once when it has a paywall of this profile and attribution, however old.
    case returnCacheDataElseLoad
    /// As above, but only with a paywall that is at most this number of seconds old.
    case returnCacheDataIfNotExpiredElseLoad(maxAge: TimeInterval)

    public static let `default` = AdaptyPlacementFetchPolicy.reloadRevalidatingCacheData
}
