// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases

@Suite("A subscription", .timeLimit(.minutes(1)))
struct SubscriptionTests {
    private let bought = PurchaseFact.transaction("1", from: noon)
    private var end: Int64 { noon + 30 * day }

    @Test(
        "opens its levels from the purchase to the end, and not at the end",
        arguments: [
            (-1, nil), (0, .active), (30 * day - 1, .active), (30 * day, .expired), (4000 * day, .expired),
        ] as [(Int64, AccessPeriod.State?)])
    func interval(_ ms: Int64, _ said: AccessPeriod.State?) {
        #expect(state(bought).said(at: noon + ms) == said)
        #expect(state(bought).said(at: noon + ms, basic) == nil)
    }

    @Test("opens nothing for a product that the configuration does not name")
    func unnamed() {
        #expect(state(.transaction("1", "other", from: noon)).periods.isEmpty)
        #expect(state(.transaction("1", "other", from: noon)).charges.count == 1)
    }

    @Test("ends with a revocation, and a refund after the end does not make it longer")
    func revoked() {
        let within = state(.transaction("1", from: noon) { $0.revocationDateMs = noon + day })
        let later = state(.transaction("1", from: noon) { $0.revocationDateMs = end + day })

        #expect(within.said(at: noon + day - 1) == .active)
        #expect(within.said(at: noon + day) == .revoked)
        #expect(later.said(at: end) == .revoked)
        #expect(later.said(at: end + day / 2) == .revoked)
    }

    @Test(
        "goes over into the next transaction: after an upgrade the year no longer grants, marked or not",
        arguments: [true, false])
    func upgrade(_ isMarked: Bool) {
        let year = PurchaseFact.transaction("1", "small", from: noon, to: noon + 365 * day) { $0.isUpgraded = isMarked }
        let month = PurchaseFact.transaction("2", "month", from: noon + 10 * day)

        let both = state(month, year)

        #expect(both.said(at: noon + 9 * day, basic) == .active)
        #expect(both.said(at: noon + 10 * day, basic) == .expired)
        #expect(both.said(at: noon + 10 * day) == .active)
        #expect(both.said(at: noon + 41 * day) == .expired)
    }

    @Test("still grants while the next transaction is unknown, even if Apple says that it was upgraded")
    func upgradedAlone() {
        #expect(state(.transaction("1", from: noon) { $0.isUpgraded = true }).said(at: noon + day) == .active)
    }

    @Test("keeps its period when seats are added to it, until the renewal")
    func seats() {
        let added = PurchaseFact.transaction("2", from: noon + day, to: end) { $0.additionalReason = .seatAddition }
        let renewed = PurchaseFact.transaction("3", from: end)

        let all = state(bought, added, renewed)

        #expect(all.periods.filter { $0.state == .active }.map(\.startsAtMs) == [noon, noon + day, end])
        #expect(all.periods.filter { $0.state == .active }.map(\.endsAtMs) == [end, end, end + 30 * day])
        #expect(all.subscription?.transactionID == "3")
        #expect(state(bought, added).subscription?.transactionID == "1")
    }

    @Test(
        "is in its grace period until Apple's date, then in retry for sixty days, then expired",
        arguments: [
            (0, .grace), (16 * day - 1, .grace), (16 * day, .billingRetry), (60 * day - 1, .billingRetry), (60 * day, .expired),
        ] as [(Int64, AccessPeriod.State)])
    func grace(_ ms: Int64, _ said: AccessPeriod.State) {
        let failed = PurchaseFact.renewal(signed: end) {
            $0.isInBillingRetry = true
            $0.gracePeriodExpiresDateMs = end + 16 * day
        }

        #expect(state(bought, failed).said(at: end + ms) == said)
        #expect(state(failed, bought).periods.allSatisfy { !$0.isAssumed })
    }

    @Test("without a grace period is in retry at once, which does not grant")
    func retry() {
        let failed = state(bought, .renewal(signed: end) { $0.isInBillingRetry = true })

        #expect(failed.said(at: end) == .billingRetry)
        #expect(failed.said(at: end)?.grants == false)
    }

    @Test("whose grace period has no date gets the configured days, marked as assumed")
    func assumedGrace() {
        let failed = PurchaseFact.renewal(signed: end) { $0.isInBillingRetry = true }
        let notice = PurchaseFact.notice("1", saysGrace: true, signed: end + 1)
        var sixteen = rules
        sixteen.graceDays = 16

        #expect(state(bought, failed, notice).said(at: end + 3 * day - 1) == .grace)
        #expect(state(bought, failed, notice).said(at: end + 3 * day) == .billingRetry)
        #expect(state(bought, failed, notice, rules: sixteen).said(at: end + 15 * day) == .grace)
        #expect(state(bought, failed, notice).periods.filter(\.isAssumed).map(\.state) == [.grace])
        #expect(state(bought, notice).said(at: end) == .grace)
    }

    @Test(
        "assumes no grace where something newer denies it, or for another transaction",
        arguments: [
            [PurchaseFact.notice("1", saysGrace: false, signed: noon + 31 * day)],
            [.renewal(signed: noon + 31 * day)],
            [.transaction("2", from: noon + 30 * day, to: noon + 30 * day + 1)],
            [.transaction("1", from: noon, signed: noon + 31 * day) { $0.revocationDateMs = noon + 30 * day }],
        ])
    func noAssumedGrace(_ newer: [PurchaseFact]) {
        let notice = PurchaseFact.notice("1", saysGrace: true, signed: end)

        let all = ChainState.fold([bought, notice] + newer, of: production, rules: rules)

        #expect(!all.periods.contains { $0.state == .grace })
    }

    @Test("says whether it renews, as what, and whether the customer agreed to a higher price")
    func standing() throws {
        let renewal = PurchaseFact.renewal(signed: noon) {
            $0.willRenew = false
            $0.autoRenewProductID = "year"
            $0.agreedToPriceIncrease = false
            $0.expirationIntent = .cancelled
        }
        let trial = PurchaseFact.transaction("1", from: noon) { $0.offerDiscount = .freeTrial }

        let standing = try #require(state(trial, renewal).subscription)

        #expect(standing.isTrial)
        #expect(!standing.willRenew)
        #expect(standing.renewsAs == "year")
        #expect(standing.agreedToPriceIncrease == false)
        #expect(standing.periodEndsAtMs == end)
    }

    @Test("may begin tomorrow: until then the old period grants")
    func future() {
        let next = PurchaseFact.transaction("2", from: end, signed: end - day)

        #expect(state(bought, next).said(at: end - 1) == .active)
        #expect(state(next, bought).said(at: end) == .active)
        #expect(state(next).said(at: end - 1) == nil)
    }

    @Test("does not overflow with impossible dates")
    func impossible() {
        let far = PurchaseFact.transaction("1", from: Instant.latestMs - 1, to: Instant.latestMs)
        let early = PurchaseFact.transaction("2", from: -Instant.latestMs, to: 1 - Instant.latestMs)
        let failed = PurchaseFact.renewal(signed: Instant.latestMs) { $0.isInBillingRetry = true }

        #expect(state(far, early, failed, .notice("1", saysGrace: true, signed: Instant.latestMs)).said(at: noon) != .active)
    }
}
