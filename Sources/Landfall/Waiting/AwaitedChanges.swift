// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// A change of the person that is under way.
struct AwaitedChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case click
        case attributes([String: AttributeValue?])
        case claim

        /// How long after it was made a change is waited for; a call never waits beyond its own deadline. Resolving a link takes
        /// no longer. Other changes are awaited until the server has answered: a request without a byte ends after this time.
        var patience: Duration { self == .click ? LinkState.patience : .seconds(15) }
    }

    let key: String
    let kind: Kind
    /// Until when calls wait for it.
    var until: Duration
    /// A call has asked for it to be sent before the outbox's pause is over.
    var isHurried = false
}

/// What is on its first way to the server and may change the person's paywall: clicks of tapped links, changes of attributes, and
/// other providers' attribution.
///
/// A call for a paywall watches this state while such a change is under way. It sends no request for that: each answer before
/// the change is known would be as final as the one before, and the next request would follow at once.
struct AwaitedChanges: Hashable, Sendable {
    /// More changes than an app makes in that time.
    static let most = 100

    private var changes: [AwaitedChange] = []

    mutating func add(_ key: IdempotencyKey, _ kind: AwaitedChange.Kind, now: Duration) {
        changes.removeAll { $0.until <= now }
        changes.append(AwaitedChange(key: key.rawValue, kind: kind, until: now + kind.patience))
        if changes.count > Self.most { changes.removeFirst() }
    }

    /// Changes from before the start can only be sent from now on.
    mutating func start(now: Duration) {
        for index in changes.indices { changes[index].until = now + changes[index].kind.patience }
    }

    /// The server has answered, or their first try failed.
    /// - Parameter keys: as the outbox has them.
    mutating func ended(_ keys: Set<String>) { changes.removeAll { keys.contains($0.key) } }

    /// The request that brought them failed. Its clicks have had their first try; the outbox sends the other changes next.
    mutating func carrierFailed(_ keys: Set<String>) { changes.removeAll { keys.contains($0.key) && $0.kind == .click } }

    /// The one to wait for the longest; nil if there is nothing worth waiting for.
    func last(now: Duration, where isOnItsWay: (AwaitedChange) -> Bool) -> AwaitedChange? {
        changes.filter { $0.until > now && isOnItsWay($0) }.max { $0.until < $1.until }
    }

    /// True once for each change: it has not been tried, and need not wait until the pause after older failures is over.
    mutating func hurry(now: Duration, where isWorthIt: (AwaitedChange) -> Bool) -> Bool {
        let indices = changes.indices.filter { changes[$0].until > now && !changes[$0].isHurried && isWorthIt(changes[$0]) }
        for index in indices { changes[index].isHurried = true }
        return !indices.isEmpty
    }
}

extension AwaitedChange.Kind {
    /// True if the change may change the person's paywall: the app repeats many attributes at each launch.
    /// - Parameter profile: as the phone knows it.
    func isNews(to profile: WireProfile?, _ mode: CollectionMode?) -> Bool {
        switch self {
        case .click: return mode != .off
        case .claim: return true
        case .attributes(let changes):
            guard let known = profile?.customAttributes else { return true }
            return changes.contains { known[$0.key] != $0.value }
        }
    }

    var inWords: String {
        switch self {
        case .click: "a tap's click"
        case .attributes: "a change of attributes"
        case .claim: "another provider's attribution"
        }
    }
}
