// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Clicks on their first way to the server that may change the person's paywall.
///
/// A call for a paywall watches this state while such clicks are under way. It sends no request for that: each answer before
/// the click is known would be as final as the one before, and the next request would follow at once.
struct AwaitedClicks: Hashable, Sendable {
    /// How long after its tap a click is waited for. Resolving its link takes no longer.
    static let patience = LinkDesk.patience
    /// More taps than a person makes in that time.
    static let most = 100

    private struct Click: Hashable, Sendable {
        let key: String
        var until: Duration
    }

    private var clicks: [Click] = []

    mutating func add(_ key: IdempotencyKey, now: Duration) {
        clicks.removeAll { $0.until <= now }
        clicks.append(Click(key: key.rawValue, until: now + Self.patience))
        if clicks.count > Self.most { clicks.removeFirst() }
    }

    /// Taps from before the start can only be sent from now on.
    mutating func start(now: Duration) {
        for index in clicks.indices { clicks[index].until = now + Self.patience }
    }

    /// The server has answered, or their first try failed.
    /// - Parameter keys: as the outbox has them.
    mutating func ended(_ keys: Set<String>) { clicks.removeAll { keys.contains($0.key) } }

    /// Until when to wait; nil if there is nothing worth waiting for.
    func until(now: Duration, isOnItsWay: (IdempotencyKey) -> Bool) -> Duration? {
        clicks.filter { $0.until > now && isOnItsWay(IdempotencyKey($0.key)) }.map(\.until).max()
    }
}

extension LinkRules {
    /// True if this link's click may attribute the user: the link names a tracker or a campaign, or may be a short link whose
    /// labels only the server knows.
    func mayNameCampaign(_ link: LinkAddress) -> Bool {
        guard route(of: link) == .direct else { return true }
        guard let parameters = try? LinkParameters(link) else { return false }
        return parameters.hasTracker || parameters.campaign != nil
    }
}

extension LaunchState {
    /// Before the outbox has the click: once it is there, a request that is under way may take it along, and its end must find
    /// the click here.
    mutating func awaitClick(_ key: IdempotencyKey, of link: LinkAddress, now: Duration) {
        if links.rules.mayNameCampaign(link) { links.awaitedClicks.add(key, now: now) }
    }

    /// Until when a call for a paywall waits for a tap's click; nil if no click is under way. A click that waits for a retry
    /// does not count.
    func clickAwaitedUntil(_ now: Duration) -> Duration? {
        guard isStarted, collection != .off else { return nil }
        let isLeaving = firstOpen.willAsk || outbox.isRunning || outbox.retry.notBefore <= now
        return links.awaitedClicks.until(now: now) { isLeaving || links.bringsClick($0) }
    }
}
