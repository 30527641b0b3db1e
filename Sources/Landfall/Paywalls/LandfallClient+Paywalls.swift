// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension LandfallClient {
    /// The paywall for the audience that this user belongs to, as soon as it is certain, and never after the time limit.
    ///
    /// At the limit the best that is there is returned: what matches now, the stored paywall of the same profile,
    /// attribution and locale, the default audience's, its stored copy, the bundled one. ``PaywallResult/paywall`` is nil where
    /// nothing is to be shown to this user.
    ///
    /// Where a link that may name a campaign was tapped less than 2.5 s ago and its click is on its way, it is waited for.
    /// - Parameters:
    ///   - placement: where the app shows it, as in the configuration.
    ///   - limit: 0…1 day; anything else is clamped.
    ///   - locale: BCP 47, `_` and `-` are the same; nil takes the device's.
    ///   - cache: when a stored paywall may answer at once.
    /// - Throws: ``LandfallError`` where there is nothing at all; `CancellationError` at once when the caller is cancelled.
    public func paywall(
        for placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await launch.paywall(.init(placement: placement, kind: .matching, locale: locale, cache: cache), within: limit)
    }

    /// As ``paywall(for:within:locale:cache:)``, with the instant by which it returns: at most a day ahead; one that has passed
    /// returns what is there.
    public func paywall(
        for placement: PlacementID, deadline: ContinuousClock.Instant, locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await paywall(for: placement, within: ContinuousClock.now.duration(to: deadline), locale: locale, cache: cache)
    }

    /// What everyone sees at this placement; waits for no attribution and never replaces a targeted paywall anywhere.
    /// - Parameters and errors: as ``paywall(for:within:locale:cache:)``.
    public func defaultPaywall(
        for placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await launch.paywall(.init(placement: placement, kind: .default, locale: locale, cache: cache), within: limit)
    }

    /// The user sees this paywall: counts one exposure per result. On return it is stored and survives a kill of the app:
    /// one write to a file that is open, as by ``LandfallClient/receive(_:scene:)``.
    ///
    /// From then on this placement keeps this paywall until the app is launched again. A result without a paywall counts no
    /// exposure, because nobody sees anything; its placement stays empty until then.
    public func recordExposure(of result: PaywallResult) { launch.recordExposure(of: result) }
}
