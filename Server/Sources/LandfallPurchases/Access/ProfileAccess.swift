// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// What a profile may use: the union of its chains and of what the backend granted.
package struct ProfileAccess: Hashable, Sendable {
    /// Given by the app's own backend.
    package struct Grant: Hashable, Sendable {
        package let id: String
        package let level: AccessLevel
        package let startsAtMs: Int64
        /// Nil: never.
        package let endsAtMs: Int64?

        package init(id: String, level: AccessLevel, startsAtMs: Int64, endsAtMs: Int64?) {
            self.id = id
            self.level = level
            self.startsAtMs = startsAtMs
            self.endsAtMs = endsAtMs
        }
    }

    /// A period and what else is to be said about it.
    package struct Entry: Hashable, Sendable {
        package let period: AccessPeriod
        /// Nil for a grant.
        package let chain: ChainID?
        package let willRenew: Bool

        package var isSandbox: Bool { chain.map { $0.environment != .production } ?? false }
    }

    /// What is to be said of a level at one time.
    package struct Level: Hashable, Sendable {
        /// It decides: its state, its product, whether it renews.
        package let entry: Entry
        /// When that began to open the level; of a closed level: when it was opened last.
        package let startsAtMs: Int64
        /// When the level closes, as far as is known: the end of the last period of those that follow each other without a gap, from
        /// whatever they come. Of a closed level: when it closed. Nil: never.
        package let endsAtMs: Int64?
        /// That end is Landfall's own guess.
        package let isAssumed: Bool
    }

    /// A subscription, whatever it opens.
    package struct Subscription: Hashable, Sendable {
        package let chain: ChainID
        package let standing: SubscriptionStanding
    }

    /// A purchase that does not renew, whatever it opens.
    package struct Single: Hashable, Sendable {
        package let chain: ChainID
        package let purchase: OneTimePurchase
    }

    /// The newest of them that a profile tells.
    package static let mostSingles = 100

    /// In a fixed order. Periods of one product that follow each other without a gap are one.
    package let entries: [Entry]
    /// Ascending by chain.
    package let subscriptions: [Subscription]
    /// Ascending by time; the newest ``mostSingles``.
    package let singles: [Single]
    /// A phone of the profile has told its whole history.
    package let isComplete: Bool

    package init(entries: [Entry], subscriptions: [Subscription], singles: [Single], isComplete: Bool) {
        self.entries = entries
        self.subscriptions = subscriptions
        self.singles = singles
        self.isComplete = isComplete
    }

    /// - Parameter usesSandbox: whether purchases of Apple's sandbox open something for this profile.
    package init(chains: [ChainState], grants: [Grant], usesSandbox: Bool) {
        let chains = chains.filter { usesSandbox || $0.chain.environment == .production }.sorted { $0.chain < $1.chain }
        let bought = chains.flatMap { chain in
            chain.periods.joined().map {
                Entry(period: $0, chain: chain.chain, willRenew: chain.subscription?.willRenew ?? false)
            }
        }
        let granted = grants.sorted { ($0.id, $0.startsAtMs) < ($1.id, $1.startsAtMs) }.flatMap { grant in
            grant.periods.map { Entry(period: $0, chain: nil, willRenew: false) }
        }
        self.init(
            entries: bought + granted,
            subscriptions: chains.compactMap { chain in chain.subscription.map { Subscription(chain: chain.chain, standing: $0) } },
            singles: Self.newest(chains.flatMap { chain in chain.oneTimePurchases.map { Single(chain: chain.chain, purchase: $0) } }),
            isComplete: false)
    }

    /// All of them together.
    /// - Parameters:
    ///   - chains: what each chain of a profile gives by itself, in the order of the chains.
    ///   - isComplete: see ``isComplete``.
    package init(joining chains: [ProfileAccess], grants: [Grant], isComplete: Bool) {
        let granted = ProfileAccess(chains: [], grants: grants, usesSandbox: true)
        self.init(
            entries: chains.flatMap(\.entries) + granted.entries, subscriptions: chains.flatMap(\.subscriptions),
            singles: Self.newest(chains.flatMap(\.singles)), isComplete: isComplete)
    }

    private static func newest(_ singles: [Single]) -> [Single] {
        let sorted = singles.sorted {
            ($0.purchase.purchasedAtMs, $0.chain.description, $0.purchase.transactionID)
                < ($1.purchase.purchasedAtMs, $1.chain.description, $1.purchase.transactionID)
        }
        return Array(sorted.suffix(mostSingles))
    }

    /// Every level that something ever opened, in order.
    package var levels: [AccessLevel] { Set(entries.flatMap(\.period.levels)).sorted() }

    /// The entry that decides at that time: one that grants before one that does not, never-ending before the latest end.
    /// Nil if nothing had opened the level by then.
    package func entry(of level: AccessLevel, at ms: Int64) -> Entry? {
        let there = entries.filter { $0.period.contains(ms) && $0.period.levels.contains(level) }
        let granting = there.filter(\.period.state.grants)
        if granting.isEmpty { return there.max(by: Entry.saysLess) }
        return granting.max(by: Entry.opensLess)
    }

    /// What is to be said of a level at that time. Nil if nothing had opened it by then.
    package func level(_ level: AccessLevel, at ms: Int64) -> Level? {
        guard let entry = entry(of: level, at: ms) else { return nil }
        let granting = entries.filter { $0.period.state.grants && $0.period.levels.contains(level) }
        guard entry.period.state.grants else {
            let closed = granting.filter { $0.period.endsAtMs ?? .max <= ms }.max(by: Entry.opensLess)?.period
            return Level(
                entry: entry, startsAtMs: closed?.startsAtMs ?? entry.period.startsAtMs,
                endsAtMs: closed?.endsAtMs ?? entry.period.startsAtMs, isAssumed: closed?.isAssumed ?? false)
        }
        var last = entry.period
        while let end = last.endsAtMs, let next = granting.filter({ $0.period.contains(end) }).max(by: Entry.opensLess) {
            last = next.period
        }
        return Level(entry: entry, startsAtMs: entry.period.startsAtMs, endsAtMs: last.endsAtMs, isAssumed: last.isAssumed)
    }

    /// The next instant at which an answer may differ without any new fact; nil if there is none.
    package func nextChangeMs(after ms: Int64) -> Int64? {
        entries.flatMap { [$0.period.startsAtMs, $0.period.endsAtMs].compactMap { $0 } }.filter { $0 > ms }.min()
    }
}

extension ProfileAccess.Entry {
    /// A purchase of the sandbox is worth less than any other, as the one that grants and as the one that once granted.
    private var isReal: Int { isSandbox ? 0 : 1 }

    fileprivate static func opensLess(_ left: Self, _ right: Self) -> Bool {
        let leftEnd = left.period.endsAtMs ?? .max, rightEnd = right.period.endsAtMs ?? .max
        if leftEnd != rightEnd { return leftEnd < rightEnd }
        if left.isReal != right.isReal { return left.isReal < right.isReal }
        return left.isEarlier(than: right)
    }

    /// Of two that do not grant, the one that may grant again says more, then the one that ended last.
    fileprivate static func saysLess(_ left: Self, _ right: Self) -> Bool {
        if left.isReal != right.isReal { return left.isReal < right.isReal }
        let leftRetries = left.period.state == .billingRetry, rightRetries = right.period.state == .billingRetry
        if leftRetries != rightRetries { return rightRetries }
        if left.period.startsAtMs != right.period.startsAtMs { return left.period.startsAtMs < right.period.startsAtMs }
        return left.isEarlier(than: right)
    }

    /// An order without meaning that is the same everywhere.
    private func isEarlier(than other: Self) -> Bool {
        let own = chain?.description ?? "", others = other.chain?.description ?? ""
        return own != others ? own < others : period < other.period
    }
}

extension ProfileAccess.Grant {
    fileprivate var periods: [AccessPeriod] {
        let stretches = [(AccessPeriod.State.granted, startsAtMs, endsAtMs)] + (endsAtMs.map { [(.expired, $0, nil)] } ?? [])
        return stretches.filter { $0.1 < $0.2 ?? .max }.map { state, start, end in
            AccessPeriod(
                levels: [level], state: state, startsAtMs: start, endsAtMs: end, productID: "", transactionID: id,
                isTrial: false,
                isAssumed: false, ownership: nil)
        }
    }
}

extension [AccessPeriod] {
    /// A subscription of five years is one period, not sixty.
    fileprivate func joined() -> [AccessPeriod] {
        var joined: [AccessPeriod] = []
        for period in self {
            if let index = joined.lastIndex(where: { $0.endsAtMs == period.startsAtMs && $0.isContinued(by: period) }) {
                joined[index] = AccessPeriod(
                    levels: period.levels, state: period.state, startsAtMs: joined[index].startsAtMs, endsAtMs: period.endsAtMs,
                    productID: period.productID, transactionID: period.transactionID, isTrial: period.isTrial,
                    isAssumed: period.isAssumed, ownership: period.ownership)
            } else {
                joined.append(period)
            }
        }
        return joined
    }
}

extension AccessPeriod {
    fileprivate func isContinued(by next: AccessPeriod) -> Bool {
        levels == next.levels && state == next.state && productID == next.productID && isTrial == next.isTrial
            && isAssumed == next.isAssumed && ownership == next.ownership
    }
}
