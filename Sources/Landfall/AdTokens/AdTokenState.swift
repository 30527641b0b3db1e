// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The state of the ad token in this launch: needed, requested, available, delivered.
struct AdTokenState: Sendable {
    enum Plan: Hashable, Sendable {
        case none(UnavailableReason)
        /// The first open announces it, and calls wait for the attribution that it brings.
        case first
        /// Nothing waits for it: it is sent once the first open was answered.
        case background
    }

    enum Effect: Sendable {
        /// Asks the source.
        case ask
        case post(AdToken)
    }

    /// How long a first open waits for the token, to send it in the same request. AdServices usually answers within that time.
    /// The wait saves a second request, not time: without the token the server cannot ask Apple. It is shorter for an urgent
    /// call.
    static let patience: Duration = .milliseconds(350)
    /// Then the server is told that there is no token, and the source is asked again only when the app comes back or the network
    /// does. A late token is still delivered.
    static let limit: Duration = .seconds(10)
    /// A token that could not be delivered is replaced after this long, when the app comes back or the network does. Apple accepts
    /// one for 24 hours: the old one is sent if there is no other.
    static let freshness: (replaced: Duration, longest: Duration) = (.seconds(3_600), .seconds(82_800))

    let hasSource: Bool
    /// A fresh token of this launch counts, see ``StoredProfileState/freshTokenLaunches``.
    private var hasSpentFresh = false
    private(set) var plan: Plan = .none(.noToken)
    var asking = RetryableOperation()
    var posting = RetryableOperation()
    private(set) var askedAt: Duration = .zero
    private(set) var found: AdToken?
    private var foundAt: Duration = .zero
    /// A token that could not be delivered for a while: it is sent if the source has no other.
    private var spare: AdToken?
    /// `found` says that there is none, because the source has not answered in time.
    private var hasGivenUp = false
    private(set) var delivered: AdToken?

    init(hasSource: Bool) { self.hasSource = hasSource }

    /// - Returns: the operation of the previous plan, to be cancelled.
    mutating func begin(_ plan: Plan, now: Duration) -> Operations.ID? {
        let before = self
        self = AdTokenState(hasSource: hasSource)
        hasSpentFresh = before.hasSpentFresh
        self.plan = plan
        askedAt = now
        return before.asking.operation
    }

    /// Decides whether this launch sends the server an ad token.
    /// - Returns: the operation of the previous plan, to be cancelled.
    mutating func begin(_ collection: CollectionMode, _ stored: StoredProfileState, now: Duration) -> Operations.ID? {
        let plan = Plan(
            collection: collection, hasSource: hasSource, stored: stored.attribution,
            isDelivered: stored.isTokenDelivered == true, launchesLeft: stored.freshTokenLaunchesLeft ?? StoredProfileState.freshTokenLaunches
        )
        guard plan == .first, isUnderWay else { return begin(plan, now: now) }
        // Asked ahead, while the new installation was being stored: from now on a first open may wait for the token.
        askedAt = now
        return nil
    }

    /// The server waits for the token, or it is on its way there.
    var isUnderWay: Bool { plan == .first && delivered == nil }

    /// Earlier tokens brought no attribution: a fresh one is tried, and nothing waits for it.
    var isInBackground: Bool { plan == .background }

    /// The first open is ready to be sent and waits for the token.
    var isAwaited: Bool { plan == .first && found == nil }

    /// What a first open reports about the token now, and from when: until then waiting for the token is worthwhile.
    /// - Parameter urgentFrom: from then on a call cannot wait any longer.
    func forFirstOpen(urgentFrom: Duration?) -> (from: Duration, AdToken) {
        switch plan {
        case .none(let reason): return (.zero, .none(reason))
        case .background: return (.zero, .none(.noToken))
        case .first:
            if let found { return (.zero, found) }
            let patienceEnds = askedAt + Self.patience
            return (min(patienceEnds, urgentFrom ?? patienceEnds), .coming)
        }
    }

    /// Asking the source and delivering its token, each with the time from which it is due.
    func plannedEffects(_ now: Duration, _ firstOpen: FirstOpenState) -> [(from: Duration, effect: Effect)] {
        var planned: [(from: Duration, effect: Effect)] = []
        if let from = asksFrom(now) { planned.append((from, .ask)) }
        if let token = toPost(firstOpen), !posting.isRunning { planned.append((posting.retry.notBefore, .post(token))) }
        return planned
    }

    /// From when the source should be asked (again); nil if it should not, or is being asked.
    private func asksFrom(_ now: Duration) -> Duration? {
        if case .none = plan { return nil }
        guard found == nil || hasGivenUp, !asking.isRunning, asking.retry.failures == 0 || now < askedAt + Self.limit else { return nil }
        return asking.retry.notBefore
    }

    /// What has to be posted beside the stream.
    func toPost(_ firstOpen: FirstOpenState) -> AdToken? {
        guard let found, found != delivered, !firstOpen.willAsk else { return nil }
        let rides = firstOpen.carriedToken == found && firstOpen.retryable.isRunning && !firstOpen.isUnstored
        switch plan {
        case .none: return nil
        // A first open that failed is sent again, and takes the token along.
        case .first: return rides || !firstOpen.isOver && !firstOpen.retryable.isRunning ? nil : found
        case .background: return firstOpen.hasEverHadFirstLine || firstOpen.isOver ? found : nil
        }
    }

    /// When the server is told that there is no token; nil if there is one, or nothing waits for one.
    var givesUpAt: Duration? { isAwaited ? askedAt + Self.limit : nil }

    mutating func found(_ token: String, now: Duration) {
        asking.operation = nil
        hasGivenUp = false
        (found, foundAt) = (.value(token), now)
    }

    mutating func failed(_ error: AdTokenError?, now: Duration, chance: Double) {
        asking.operation = nil
        if error == .unsupported {
            hasGivenUp = false
            found = .none(.unsupported)
        } else {
            asking.retry.failed(now: now, chance: chance)
        }
    }

    /// The app came back, or the network did.
    mutating func resetRetries(now: Duration) {
        asking.retry.reset()
        posting.retry.reset()
        guard let found, found != delivered, !posting.isRunning else { return }
        // The server has not heard of it yet: so it is told what the source says now.
        let isOld = if case .value = found { now - foundAt >= Self.freshness.replaced } else { hasGivenUp }
        guard isOld else { return }
        if case .value = found { spare = now - foundAt < Self.freshness.longest ? found : nil }
        self.found = nil
        hasGivenUp = false
        askedAt = now
    }

    /// No token came in time: the server need not wait any longer.
    mutating func giveUpIfLate(now: Duration) {
        guard let givesUpAt, now >= givesUpAt else { return }
        found = spare ?? .none(.noToken)
        hasGivenUp = spare == nil
        spare = nil
    }

    /// Apple has already answered about this installation: nothing waits for another token.
    mutating func notNeeded() { if plan == .first { plan = .none(.noToken) } }

    /// The server knows of the coming token and reports that nothing will change: it has a fresh one already. This token is
    /// sent when it comes.
    mutating func notAwaited() { if isUnderWay { plan = .background } }

    mutating func delivered(_ token: AdToken) { if token != .coming { delivered = token } }

    /// The server has this token, or knows that there is none.
    /// - Returns: true if that has changed what is stored.
    mutating func delivered(_ token: AdToken, _ stored: inout StoredProfileState) -> Bool {
        let isNews = delivered != token, before = stored
        delivered(token)
        guard isNews, case .value = token else { return false }
        stored.isTokenDelivered = true
        // Only launches that reach the server count.
        if isInBackground, !hasSpentFresh {
            hasSpentFresh = true
            stored.freshTokenLaunchesLeft = max(0, (stored.freshTokenLaunchesLeft ?? StoredProfileState.freshTokenLaunches) - 1)
        }
        return stored != before
    }

    /// The server has lost its state, for example because it was restored. Then it gets another token, and nothing waits for it.
    mutating func bringAgain(isAllowed: Bool, now: Duration) {
        if plan == .none(.noToken), hasSource, isAllowed { _ = begin(.background, now: now) }
    }
}

extension AdTokenState.Plan {
    /// - Parameters:
    ///   - stored: the attribution that the last launch knew.
    ///   - isDelivered: the server has had a token of this installation.
    ///   - launchesLeft: in how many launches a fresh token is sent after one that brought no attribution.
    init(collection: CollectionMode, hasSource: Bool, stored: LandfallWire.Attribution?, isDelivered: Bool, launchesLeft: Int) {
        if collection != .full {
            self = .none(.collectionOff)
        } else if !hasSource {
            self = .none(.unsupported)
        } else {
            switch stored {
            case nil, .pending?, .unavailable(.noToken)?, .unavailable(.unsupported)?, .unavailable(.collectionOff)?:
                self = .first
            case .attributed(let details)? where details.source == .appleAds: self = .none(.noToken)
            // A link or another provider may have attributed the user before Apple was asked, and Apple Ads would win over it.
            case .attributed?, .notAttributed?: self = isDelivered ? .none(.noToken) : .first
            case .unavailable?: self = launchesLeft > 0 ? .background : .none(.noToken)
            }
        }
    }
}

extension AdTokenState {
    var inWords: String {
        if case .none(let reason) = plan { return "not needed (\(reason))" }
        switch delivered ?? found {
        case .value?: return delivered == nil ? "there" : "delivered"
        case .some(.none): return delivered == nil ? "none" : "none, and the server knows"
        case .coming?, nil: return asking.inWords(idle: "not asked for")
        }
    }
}
