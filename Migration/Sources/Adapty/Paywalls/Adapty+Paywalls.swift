// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adapty {
    /// The paywall for this person's audience, or the best available one when the time-out ends.
    ///
    /// While Apple Ads has not answered, the call waits for it, but never beyond `loadTimeout`; then it returns the best
    /// available one: a cached paywall of this profile, the default audience's, or the fallback file's.
    /// - Parameters:
    ///   - locale: BCP 47 in any case, `_` and `-` alike; nil takes the phone's own. Tried in order: exact, language, default.
    ///   - loadTimeout: seconds, 0 to a day; NaN and negative values are 0; nil is 5.
    /// - Throws: ``AdaptyError`` 3101 or 2005 when there is nothing to show, 2003 for an unknown placement, 2002,
    ///   9000.
    public static func getPaywall(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        loadTimeout: TimeInterval? = nil
    ) async throws(AdaptyError) -> AdaptyPaywall {
        try await Activation.current.paywall(
            .matching, of: placementId, locale: locale, fetchPolicy: fetchPolicy, loadTimeout: loadTimeout
        )
    }

    /// The paywall of the default audience, independent of this person's attribution; within 5 seconds.
    ///
    /// It never replaces a targeted paywall, in memory or in the cache.
    /// - Throws: as ``getPaywall(placementId:locale:fetchPolicy:loadTimeout:)``.
    public static func getPaywallForDefaultAudience(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default
    ) async throws(AdaptyError) -> AdaptyPaywall {
        try await Activation.current.paywall(
            .everyone, of: placementId, locale: locale, fetchPolicy: fetchPolicy, loadTimeout: nil
        )
    }

    /// Counts the paywall as seen: once per paywall that a call returned. It is on disk when this returns, except in the first
    /// milliseconds after `activate`: then a background task writes it at once.
    public static func logShowPaywall(_ paywall: AdaptyPaywall) async throws(AdaptyError) {
        try await Activation.current.logShow(paywall)
    }

    /// Sets the bundled file that answers if neither server nor cache does; also before `activate`.
    /// - Parameter fileURL: one JSON per app; docs/features/paywalls.md shows its form.
    /// - Throws: ``AdaptyError`` 3001 if there is no such file, 2006 if it is not a fallback file.
    public static func setFallback(fileURL: URL) async throws(AdaptyError) {
        let data: Data
        do {
            data = try Data(contentsOf: fileURL)
        } catch {
            throw AdaptyError(
                .wrongParam, "The fallback file cannot be read: \(fileURL.lastPathComponent).", originalError: error)
        }
        try Activation.current.setFallback(data)
    }
}
