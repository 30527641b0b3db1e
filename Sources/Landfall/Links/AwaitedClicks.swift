// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Clicks on their first way to the server that may change which paywall is meant for this person.
///
/// A call for a paywall watches this state while they are under way. It asks the server nothing for that: each answer given
/// before the click is known would be as final as the one before it, and the next question would follow at once.
struct AwaitedClicks: Hashable, Sendable {
    /// So long after its tap a click is waited for; to know where its link leads takes no longer either.
    static let patience = LinkDesk.patience
    /// More than a person taps in that time.
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

    /// What was tapped before can only leave now.
    mutating func start(now: Duration) {
        for index in clicks.indices { clicks[index].until = now + Self.patience }
    }

    /// The server has answered, or their first try came to nothing.
    /// - Parameter keys: as the outbox has them.
    mutating func ended(_ keys: Set<String>) { clicks.removeAll { keys.contains($0.key) } }

    /// Until when something is worth waiting for; nil where nothing is.
    func until(now: Duration, isOnItsWay: (IdempotencyKey) -> Bool) -> Duration? {
        clicks.filter { $0.until > now && isOnItsWay(IdempotencyKey($0.key)) }.map(\.until).max()
    }
}

extension LinkRules {
    /// The click of this link may say where the user came from: the link names a tracker or a campaign, or may be one whose
    /// labels only the server knows.
    func mayNameCampaign(_ link: LinkAddress) -> Bool {
        guard route(of: link) == .direct else { return true }
        guard let parameters = try? LinkParameters(link) else { return false }
        return parameters.hasTracker || parameters.campaign != nil
    }
}

extension LaunchState {
    mutating func clickAccepted(_ key: IdempotencyKey, of link: LinkAddress, now: Duration) {
        hasOutboxItems = true
        if links.rules.mayNameCampaign(link) { links.awaitedClicks.add(key, now: now) }
    }

    /// Until when a call for a paywall waits for a tap's click; nil where none is on its way. A click that waits for a retry is
    /// not.
    func clickAwaitedUntil(_ now: Duration) -> Duration? {
        guard isStarted, collection != .off else { return nil }
        let isLeaving = firstOpen.willAsk || outbox.isRunning || outbox.retry.notBefore <= now
        return links.awaitedClicks.until(now: now) { isLeaving || links.questions[$0]?.bringsClick == true }
    }
}
