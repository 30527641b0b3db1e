// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall
internal import LandfallWire

/// A Landfall server in memory that follows a script: which paywall it shows, where the user came from, and when.
///
/// ```swift
/// let clock = ManualClock()
/// let server = ScriptedServer(clock: clock)
/// server.shows("default", at: "onboarding")
/// server.userCame(from: .appleAds, after: .seconds(1))
/// server.shows("summer", at: "onboarding", to: "ad-users", after: .seconds(1))
///
/// let client = server.client(preparing: ["onboarding"])
/// client.start()
/// let shown = try await clock.run { try await client.paywall(for: "onboarding", within: .seconds(5)) }
/// ```
/// Times count from the first open that arrives, on the test's clock. A client uses it like the real server: it opens the
/// stream, makes plain calls and sends events. A placement that is not in the script is `placement_unknown`. Callable from any
/// thread.
public final class ScriptedServer: Transport, Sendable {
    let clock: ManualClock
    let script = Watched(ServerScript())
    private let transport = ScriptedTransport()

    /// A server that knows no placement; the user is organic.
    public init(clock: ManualClock) {
        self.clock = clock
        transport.onAnythingElse { [weak self] request in
            guard let self else { throw TransportError(.connectionFailed, detail: "The scripted server is gone.") }
            return try await self.answer(request)
        }
    }

    // MARK: What it answers

    /// From that time on this audience's paywall is shown at the placement: the latest one counts. With an `assignment`, such as
    /// `.to("B", of: "spring-price")`, the variation of an experiment shows it.
    public func shows(
        _ paywall: PaywallID, at placement: PlacementID, to audience: AudienceID = .everyone, remoteConfig: RemoteConfig? = nil,
        productIDs: [String] = [], assignment: Assignment? = nil, after delay: Duration = .zero
    ) {
        let paywall = WirePaywall(
            name: paywall, variationId: assignment?.variationId ?? VariationID(paywall.rawValue),
            remoteConfig: remoteConfig.map { .init(locale: $0.locale, value: $0.value) }, productIds: productIDs
        )
        add(.shows(.init(placement: placement, audience: audience, paywall: paywall, assignment: assignment)), after: delay)
    }

    /// From that time on nothing is shown at the placement: `shown.paywall` is nil. With an `assignment`, that is the variation of
    /// an experiment.
    public func showsNothing(
        at placement: PlacementID, to audience: AudienceID = .everyone, assignment: Assignment? = nil, after delay: Duration = .zero
    ) {
        add(.shows(.init(placement: placement, audience: audience, paywall: nil, assignment: assignment)), after: delay)
    }

    /// Attribution arrives at that time; until then it is pending.
    public func userCame(from source: AttributionSource, campaign: String? = nil, after delay: Duration = .zero) {
        var details = LandfallWire.AttributionDetails(
            source: source, verified: true, attributedAtMilliseconds: Int64(clock.date.timeIntervalSince1970 * 1_000)
        )
        details.campaign = campaign
        add(.attribution(.attributed(details)), after: delay)
    }

    /// At that time the user becomes known as organic; until then attribution is pending.
    public func userIsOrganic(after delay: Duration = .zero) { add(.attribution(.notAttributed), after: delay) }

    /// At that time the server reports that there is no answer; until then attribution is pending.
    public func attributionIsUnavailable(_ reason: UnavailableReason, after delay: Duration = .zero) {
        add(.attribution(.unavailable(reason)), after: delay)
    }

    /// A short link and its destination. Other links lead to themselves.
    public func resolves(_ link: URL, to target: URL) {
        script.withLock { $0.links[link.absoluteString] = target.absoluteString }
    }

    /// The link that was tapped before the app was installed.
    public func hasDeferredLink(_ link: URL, leadingTo target: URL) {
        script.withLock { script in
            script.deferred = DeferredLink(
                original: link.absoluteString, resolved: target.absoluteString, matchedBy: .pasteboard, ageMilliseconds: 60_000
            )
        }
    }

    /// Every purchase that has arrived, or arrives, opens this access level for ever.
    public func purchasesOpen(_ level: String) { script.withLock { _ = $0.levels.insert(level) } }

    // MARK: What goes wrong

    /// True: there is no network.
    public var isOffline: Bool {
        get { transport.isOffline }
        set { transport.isOffline = newValue }
    }

    /// True: requests arrive and get no answer. False continues the waiting ones.
    public var isSilent: Bool {
        get { script.withLock { $0.isSilent } }
        set { script.withLock { $0.isSilent = newValue } }
    }

    /// Every request fails with this code as HTTP 503; nil, the default, answers normally.
    public var failure: ErrorCode? {
        get { script.withLock { $0.failure } }
        set { script.withLock { $0.failure = newValue } }
    }

    // MARK: What it has received

    /// The paywalls of the exposures that arrived, in their order.
    public var exposures: [PaywallID] { script.withLock { $0.exposures } }
    /// The assignments of the decisions that arrived, in their order: one for each experiment of an install.
    public var decisions: [Assignment] { script.withLock { $0.decisions } }
    /// The app's own events that arrived, in their order.
    public var events: [RecordedEvent] { script.withLock { $0.events } }
    /// The signed texts of the transactions that arrived, each once, in their order. The scripted server verifies none of them.
    public var purchases: [String] { script.withLock { $0.purchases } }
    /// Every request so far, in order of arrival.
    public var requests: [TransportRequest] { transport.requests }
    /// Returns once this number of exposures has arrived, or the calling task is cancelled.
    public func waitForExposures(_ count: Int = 1) async { await script.wait { $0.exposures.count >= count } }

    /// Returns once this number of decisions has arrived, or the calling task is cancelled.
    public func waitForDecisions(_ count: Int = 1) async { await script.wait { $0.decisions.count >= count } }

    /// Returns once this number of transactions has arrived, or the calling task is cancelled.
    public func waitForPurchases(_ count: Int = 1) async { await script.wait { $0.purchases.count >= count } }

    /// Returns once this number of the app's own events has arrived, or the calling task is cancelled.
    public func waitForEvents(_ count: Int = 1) async { await script.wait { $0.events.count >= count } }

    // MARK: The phone

    /// A configuration with this server, the clock, files in memory and an ad token. Set everything else that the app sets.
    public func configuration(
        preparing placements: [PlacementID] = [], storage: MemoryStorage = MemoryStorage()
    ) -> LandfallConfiguration {
        var configuration = LandfallConfiguration(sdkKey: "pk_test", server: Self.address, preparing: placements)
        configuration.transport = self
        configuration.time = clock.time
        configuration.storage = storage
        configuration.adTokens = ScriptedAdTokens(.token("token"))
        return configuration
    }

    /// A client of this server, not started. A second client with the same storage is the next launch.
    public func client(
        preparing placements: [PlacementID] = [], storage: MemoryStorage = MemoryStorage(),
        _ change: (inout LandfallConfiguration) -> Void = { _ in }
    ) -> LandfallClient {
        var configuration = configuration(preparing: placements, storage: storage)
        change(&configuration)
        return LandfallClient(configuration)
    }

    private static let address = URL(string: "https://landfall.test") ?? URL(fileURLWithPath: "/")

    /// - Throws: the scripted failure.
    public func send(_ request: TransportRequest) async throws -> TransportAnswer { try await transport.send(request) }

    private func add(_ news: ServerScript.News, after delay: Duration) {
        script.withLock { $0.add(news, at: max(.zero, delay)) }
    }
}
