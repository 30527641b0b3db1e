// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension LandfallClient {
    /// The paywall for this user's audience, as soon as it is certain, and never after the time limit.
    ///
    /// At the limit the best available paywall is returned, in this order: the current match, the stored paywall of the same
    /// profile, attribution and locale, the default audience's, its stored copy, the bundled one. ``PaywallResult/paywall`` is
    /// nil if nothing is to be shown to this user.
    ///
    /// If a link that may name a campaign was tapped less than 2.5 s ago and its click is on its way, the call waits for it.
    /// - Parameters:
    ///   - placement: the place in the app, as in the configuration.
    ///   - limit: 0…1 day; anything else is clamped.
    ///   - locale: BCP 47, `_` and `-` are the same; nil takes the device's.
    ///   - cache: when a stored paywall may answer at once.
    /// - Throws: ``LandfallError`` if there is no paywall at all; `CancellationError` at once when the caller is cancelled.
    public func paywall(
        for placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await launch.paywall(.init(placement: placement, kind: .matching, locale: locale, cache: cache), within: limit)
    }

    /// As ``paywall(for:within:locale:cache:)``, with a deadline: at most a day ahead; a deadline in the past returns what is
    /// available.
    public func paywall(
        for placement: PlacementID, deadline: ContinuousClock.Instant, locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await paywall(for: placement, within: ContinuousClock.now.duration(to: deadline), locale: locale, cache: cache)
    }

    /// Loads the paywalls of these placements, so that they are ready when their screens appear: like
    /// ``LandfallConfiguration/preparing``, but at any time. Returns at once; before `start()` they are loaded by it. A placement whose
    /// answer is at most five minutes old is not loaded again. At most 32 placements count in a launch, those of the configuration
    /// among them.
    public func prepare(_ placements: [PlacementID]) { launch.prepare(placements) }

    /// What ``paywall(for:within:locale:cache:)`` would return at once, so that a view can begin with it; nil if that call would wait.
    /// Sends no request and does not wait: it reads only the memory. Also nil in the first milliseconds after `start()`, until the files
    /// are read.
    ///
    /// The result counts like one of that call: ``recordExposure(of:)`` takes it.
    /// - Parameters:
    ///   - placement: the place in the app, as in the configuration.
    ///   - locale: as for that call.
    ///   - cache: as for that call. By default any stored paywall of this person is good enough; with ``CachePolicy/reload`` only one that
    ///     that call would not replace.
    public func cachedPaywall(
        for placement: PlacementID, locale: String? = nil, cache: CachePolicy = .returnCacheElseLoad
    ) -> PaywallResult? {
        launch.cachedPaywall(.init(placement: placement, kind: .matching, locale: locale, cache: cache))
    }

    /// The paywall that everyone sees at this placement. It waits for no attribution and never replaces a targeted paywall
    /// anywhere.
    /// - Parameters and errors: as ``paywall(for:within:locale:cache:)``.
    public func defaultPaywall(
        for placement: PlacementID, within limit: Duration = .seconds(5), locale: String? = nil, cache: CachePolicy = .reload
    ) async throws -> PaywallResult {
        try await launch.paywall(.init(placement: placement, kind: .default, locale: locale, cache: cache), within: limit)
    }

    /// Call it when the user sees this paywall: counts one exposure for each result. Stored like an event of
    /// ``record(_:value:currency:properties:)``: on return, once a file is open, and before that by a background task at once.
    ///
    /// From then on this placement keeps this paywall until the app is launched again. A result without a paywall counts no
    /// exposure, because nothing is shown; its placement stays empty until then.
    public func recordExposure(of result: PaywallResult) { launch.recordExposure(of: result) }
}
