// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension Activation {
    /// Whose paywall is asked for.
    enum Audience: Sendable { case matching, everyone }

    /// One limit over everything: what the wait for `activate` takes, the network no longer has.
    func paywall(
        _ audience: Audience, of placementId: String, locale: String?, fetchPolicy: AdaptyPlacementFetchPolicy,
        loadTimeout: TimeInterval?
    ) async throws -> AdaptyPaywall {
        let limit = loadTimeout.map(Duration.init(checked:)) ?? Self.loadTimeout
        let deadline = time.now() + limit
        let client = try await client(within: limit)
        let placement = PlacementID(placementId)
        let remaining = max(.zero, deadline - time.now())
        let cache = CachePolicy(fetchPolicy)
        return try await AdaptyError.translating {
            switch audience {
            case .matching:
                AdaptyPaywall(try await client.paywall(for: placement, within: remaining, locale: locale, cache: cache))
            case .everyone:
                AdaptyPaywall(try await client.defaultPaywall(for: placement, within: remaining, locale: locale, cache: cache))
            }
        }
    }
}

extension CachePolicy {
    fileprivate init(_ policy: AdaptyPlacementFetchPolicy) {
        switch policy {
        case .reloadRevalidatingCacheData: self = .reload
        case .returnCacheDataElseLoad: self = .returnCacheElseLoad
        case .returnCacheDataIfNotExpiredElseLoad(let maxAge):
            // The conversion ends at a day; a cache may be a year old.
            self = .returnCacheIfNotExpired(maxAge: Duration(checked: maxAge / 365) * 365)
        }
    }
}
