// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallWire

extension WireProfile {
    /// The instants of the access stay as they are; what is true now is computed here, when the profile is about to be sent.
    mutating func tell(_ access: ProfileAccess?, nowMs: Int64) {
        purchasesKnown = access?.isComplete ?? false
        accessLevels = [:]
        for level in access?.levels ?? [] {
            accessLevels?[level.rawValue] = access?.level(level, at: nowMs).map { WireAccessLevel($0) }
        }
        subscriptions = access?.subscriptions.map { WireSubscription($0, state: access?.state(of: $0, at: nowMs) ?? .expired) } ?? []
        oneTimePurchases = access?.singles.map { WireOneTimePurchase($0) } ?? []
    }
}

extension ProfileAccess {
    /// By what the chain opens; where it opens nothing, by the period alone.
    fileprivate func state(of subscription: Subscription, at ms: Int64) -> AccessPeriod.State {
        let periods = entries.filter { $0.chain == subscription.chain && $0.period.contains(ms) }.map(\.period)
        let standing = subscription.standing
        return periods.first(where: \.state.grants)?.state ?? periods.last?.state
            ?? (ms < standing.periodEndsAtMs ? .active : .expired)
    }
}

extension WireAccessLevel {
    fileprivate init(_ level: ProfileAccess.Level) {
        let entry = level.entry, period = entry.period
        self.init(
            state: WireAccessState(period.state.rawValue), isActive: period.state.grants, store: entry.chain == nil ? .grant : .appStore,
            startsAtMilliseconds: level.startsAtMs, endsAtMilliseconds: level.endsAtMs)
        productId = entry.chain == nil ? nil : period.productID
        willRenew = entry.willRenew
        isTrial = period.isTrial
        isAssumed = level.isAssumed
        isSandbox = entry.isSandbox
    }
}

extension WireSubscription {
    fileprivate init(_ subscription: ProfileAccess.Subscription, state: AccessPeriod.State) {
        let standing = subscription.standing
        self.init(
            productId: standing.productID, transactionId: standing.transactionID,
            originalTransactionId: subscription.chain.originalTransactionID, state: WireAccessState(state.rawValue), isActive: state.grants,
            startedAtMilliseconds: standing.startedAtMs, startsAtMilliseconds: standing.periodStartsAtMs,
            endsAtMilliseconds: standing.periodEndsAtMs)
        willRenew = standing.willRenew
        renewsAs = standing.renewsAs
        isTrial = standing.isTrial
        offerId = standing.offerID
        expirationIntent = standing.expirationIntent?.rawValue
        isSandbox = subscription.chain.environment != .production
    }
}

extension WireOneTimePurchase {
    fileprivate init(_ single: ProfileAccess.Single) {
        let purchase = single.purchase
        self.init(
            transactionId: purchase.transactionID, productId: purchase.productID, quantity: purchase.quantity,
            purchasedAtMilliseconds: purchase.purchasedAtMs, isRefunded: purchase.isRefunded,
            isSandbox: single.chain.environment != .production)
        type = purchase.type.map { WireProductType($0.rawValue) }
    }
}
