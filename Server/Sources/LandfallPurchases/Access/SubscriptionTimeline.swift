// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// What a subscription opens, from its first transaction on, and what is to be said after the last one.
struct SubscriptionTimeline {
    /// The App Store tries so long to charge.
    static let retryMs: Int64 = 60 * Retention.dayMs

    let periods: [SubscriptionPeriod]
    let renewal: ChainFacts.Told<RenewalPayload>?
    let notices: [String: ChainFacts.Told<RenewalNotice>]
    let rules: PurchaseRules

    func access() -> [AccessPeriod] {
        guard let newest = newest else { return [] }
        var access: [AccessPeriod] = []
        for period in periods {
            let levels = levels(of: period.payload)
            access.add(.active, period, levels, from: period.startMs, to: period.endMs)
            if let next = period.next, !period.transaction.isSeatAddition {
                let state: AccessPeriod.State = period.isRevoked ? .revoked : .expired
                access.add(state, period, levels, from: period.endMs, to: next.startMs)
                // What the next product does not open has ended for good, as far as this period knows.
                let kept = self.levels(of: next.payload)
                access.add(state, period, levels.filter { !kept.contains($0) }, from: next.startMs, to: nil)
            }
        }
        let levels = levels(of: newest.payload)
        for (state, start, end, isAssumed) in after(newest) {
            access.add(state, newest, levels, from: start, to: end, isAssumed: isAssumed)
        }
        return access
    }

    /// The last one; seats that were added belong to another.
    var newest: SubscriptionPeriod? { periods.last { !$0.transaction.isSeatAddition } ?? periods.last }

    /// When what was paid for with the period ends: for the newest one, and for seats that were added to it, with grace.
    func serviceEndMs(of period: SubscriptionPeriod) -> Int64 {
        guard let newest, period.startMs >= newest.startMs, period.endMs == newest.endMs, !period.isRevoked,
            let grace = grace(after: newest)
        else { return period.endMs }
        return grace.endMs
    }

    func standing() -> SubscriptionStanding? {
        guard let newest, let first = periods.first else { return nil }
        let payload = newest.payload, renewal = renewal?.content
        return SubscriptionStanding(
            productID: payload.productID, groupID: payload.subscriptionGroupID, transactionID: payload.transactionID,
            ownership: payload.ownership, startedAtMs: first.startMs, periodStartsAtMs: newest.startMs,
            periodEndsAtMs: newest.endMs,
            isTrial: newest.transaction.isTrial, offerID: payload.offerID, willRenew: renewal?.willRenew ?? false,
            renewsAs: renewal?.autoRenewProductID, expirationIntent: renewal?.expirationIntent,
            agreedToPriceIncrease: renewal?.agreedToPriceIncrease)
    }

    private func levels(of payload: TransactionPayload) -> [AccessLevel] { rules.rule(of: payload.productID)?.access ?? [] }

    private typealias Stretch = (state: AccessPeriod.State, startMs: Int64, endMs: Int64?, isAssumed: Bool)

    private func after(_ newest: SubscriptionPeriod) -> [Stretch] {
        let end = newest.endMs
        if newest.isRevoked { return [(.revoked, end, nil, false)] }
        var stretches: [Stretch] = []
        var reached = end
        if let grace = grace(after: newest) {
            stretches.append((.grace, end, grace.endMs, grace.isAssumed))
            reached = grace.endMs
        }
        let last = end + Self.retryMs
        if isRetried(newest), last > reached {
            stretches.append((.billingRetry, reached, last, false))
            reached = last
        }
        return stretches + [(.expired, reached, nil, false)]
    }

    /// Renewal information from before the newest transaction is about an older period: a recovery has ended that failure.
    private func isRetried(_ newest: SubscriptionPeriod) -> Bool {
        // A period's own charge is tried a day before its end at the earliest; a recovery within grace begins before its failure was signed.
        let earliest = max(newest.startMs, newest.endMs - Retention.dayMs)
        return renewal.map { $0.content.isInBillingRetry && $0.signedAtMs > earliest } ?? false
    }

    /// Nil if none follows.
    private func grace(after newest: SubscriptionPeriod) -> (endMs: Int64, isAssumed: Bool)? {
        guard !newest.isRevoked, let grace = saidGrace(after: newest), grace.endMs > newest.endMs else { return nil }
        return grace
    }

    private func saidGrace(after newest: SubscriptionPeriod) -> (endMs: Int64, isAssumed: Bool)? {
        if isRetried(newest), let end = renewal?.content.gracePeriodExpiresDateMs { return (end, false) }
        // Apple leaves the date out at times. Then a notification about this very transaction has to say it, and nothing later may deny it.
        guard let notice = notices[newest.payload.transactionID], notice.content.saysGrace else { return nil }
        if let renewal, !renewal.content.isInBillingRetry, renewal.signedAtMs > notice.signedAtMs { return nil }
        return (newest.endMs + rules.graceDays * Retention.dayMs, true)
    }
}

extension SubscriptionPeriod {
    fileprivate var isRevoked: Bool { payload.revocationDateMs != nil }
}

extension [AccessPeriod] {
    /// Nothing is added for a product that opens nothing, nor for no time at all.
    fileprivate mutating func add(
        _ state: AccessPeriod.State, _ period: SubscriptionPeriod, _ levels: [AccessLevel], from start: Int64, to end: Int64?,
        isAssumed: Bool = false
    ) {
        guard !levels.isEmpty, start < end ?? .max else { return }
        append(
            AccessPeriod(
                levels: levels, state: state, startsAtMs: start, endsAtMs: end, productID: period.payload.productID,
                transactionID: period.payload.transactionID, isTrial: period.transaction.isTrial, isAssumed: isAssumed,
                ownership: period.payload.ownership))
    }
}
