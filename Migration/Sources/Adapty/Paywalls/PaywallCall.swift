// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension Activation {
    /// Whose paywall is asked for.
    enum Audience: Sendable { case matching, everyone }

    func logShow(_ paywall: AdaptyPaywall) async throws(AdaptyError) {
        shownPaywalls.add(paywall.result)
        try await client().recordExposure(of: paywall.result)
    }

    /// One limit over everything: the wait for `activate` shortens the time for the network.
    func paywall(
        _ audience: Audience, of placementId: String, locale: String?, fetchPolicy: AdaptyPlacementFetchPolicy,
        loadTimeout: TimeInterval?
    ) async throws(AdaptyError) -> AdaptyPaywall {
        let limit = loadTimeout.map { Duration(checked: $0) } ?? Self.loadTimeout
        let deadline = time.now() + limit
        let client = try await client(within: limit)
        let placement = PlacementID(placementId)
        let remaining = max(.zero, deadline - time.now())
        let cache = CachePolicy(fetchPolicy)
        return try await AdaptyError.translating {
            switch audience {
            case .matching:
                try AdaptyPaywall(await client.paywall(for: placement, within: remaining, locale: locale, cache: cache))
            case .everyone:
                try AdaptyPaywall(await client.defaultPaywall(for: placement, within: remaining, locale: locale, cache: cache))
            }
        }
    }
}

extension CachePolicy {
    init(_ policy: AdaptyPlacementFetchPolicy) {
        switch policy {
        case .reloadRevalidatingCacheData: self = .reload
        case .returnCacheDataElseLoad: self = .returnCacheElseLoad
        case .returnCacheDataIfNotExpiredElseLoad(let maxAge):
            self = .returnCacheIfNotExpired(maxAge: Duration(checked: maxAge, upTo: .seconds(365 * 86_400)))
        }
    }
}
