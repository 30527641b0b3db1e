// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases

@Suite("The service that was paid for", .timeLimit(.minutes(1)))
struct ServiceEndTests {
    private static let end = noon + 30 * day

    private static func failed(graceTo grace: Int64?, signed: Int64 = end) -> PurchaseFact {
        .renewal(signed: signed) {
            $0.isInBillingRetry = true
            $0.gracePeriodExpiresDateMs = grace
        }
    }

    private func ends(_ facts: PurchaseFact..., graceDays: Int64 = PurchaseRules.usualGraceDays) -> [Int64?] {
        var rules = rules
        rules.graceDays = graceDays
        return ChainState.fold(facts, of: production, rules: rules).charges.map(\.serviceEndsAtMs)
    }

    @Test("ends with each period, and not with the chain")
    func periods() {
        let charges = state(.transaction("1", from: noon), .transaction("2", from: Self.end), .transaction("3", from: noon + 95 * day)).charges

        #expect(charges.map(\.serviceEndsAtMs) == [Self.end, noon + 60 * day, noon + 125 * day])
        #expect(charges.map(\.periodEndsAtMs) == [Self.end, noon + 60 * day, noon + 125 * day])
    }

    @Test("ends with a revocation, and not later than its period", arguments: [(3, 3), (45, 30)] as [(Int64, Int64)])
    func revoked(after days: Int64, end: Int64) {
        let ends = ends(.transaction("1", from: noon) { $0.revocationDateMs = noon + days * day })

        // The refund has none: the purchase says it.
        #expect(ends == [noon + end * day, nil])
    }

    @Test("of another product ends when an upgrade takes its place, and the period that was paid for is still known")
    func upgraded() {
        let charges = state(.transaction("1", from: noon), .transaction("2", "year", from: noon + 10 * day, to: noon + 375 * day)).charges

        #expect(charges.map(\.serviceEndsAtMs) == [noon + 10 * day, noon + 375 * day])
        #expect(charges.map(\.periodEndsAtMs) == [Self.end, noon + 375 * day])
    }

    @Test("goes on through the grace that Apple dates, for the newest period only")
    func grace() {
        let first = PurchaseFact.transaction("1", from: noon - 30 * day, to: noon), last = PurchaseFact.transaction("2", from: noon)

        #expect(ends(first, last, Self.failed(graceTo: Self.end + 16 * day)) == [noon, Self.end + 16 * day])
        // In billing retry without grace nothing is granted.
        #expect(ends(first, last, Self.failed(graceTo: nil)) == [noon, Self.end])
        // What Apple said before the period is about an older one.
        #expect(ends(first, last, Self.failed(graceTo: Self.end + 16 * day, signed: noon - day)) == [noon, Self.end])
    }

    @Test("goes on for the configured days where Apple says grace without a date", arguments: [3, 16] as [Int64])
    func assumed(days: Int64) {
        let ends = ends(.transaction("1", from: noon), .notice("1", saysGrace: true, signed: Self.end), graceDays: days)

        #expect(ends == [Self.end + days * day])
    }

    @Test("has the same end as access with grace, whatever was said")
    func shared() {
        var checked = 0, withGrace = 0
        for seed in UInt64(0)..<500 {
            let life = GeneratedLife(seed: seed)
            let state = ChainState.fold(life.facts, of: production, rules: rules)
            guard let standing = state.subscription, let charge = state.charges.first(where: { $0.transactionID == standing.transactionID }),
                charge.kind == .purchase || charge.kind == .trial
            else { continue }
            let granting = state.periods.filter { $0.state.grants && $0.transactionID == standing.transactionID }
            // A product that opens nothing has no access.
            guard let last = granting.compactMap(\.endsAtMs).max() else { continue }

            checked += 1
            if last > charge.periodEndsAtMs ?? .max { withGrace += 1 }
            #expect(charge.serviceEndsAtMs == last, "seed \(seed)")
        }
        #expect(checked > 100 && withGrace > 10)
    }

    @Test("is not filled by a recovery, and a revocation ends it without grace")
    func recovered() {
        let bought = PurchaseFact.transaction("1", from: noon), grace = Self.failed(graceTo: Self.end + 16 * day)

        #expect(ends(bought, grace, .transaction("2", from: Self.end + 5 * day)) == [Self.end, Self.end + 35 * day])
        #expect(ends(.transaction("1", from: noon) { $0.revocationDateMs = Self.end }, grace) == [Self.end, nil])
    }

    @Test("of added seats ends with the period to which they belong, with its grace")
    func seats() {
        let bought = PurchaseFact.transaction("1", from: noon)
        let added = PurchaseFact.transaction("2", from: noon + 2 * day, to: Self.end) { $0.additionalReason = .seatAddition }

        #expect(ends(bought, added) == [Self.end, Self.end])
        #expect(ends(bought, added, Self.failed(graceTo: Self.end + 16 * day)) == [Self.end + 16 * day, Self.end + 16 * day])
        #expect(ends(bought, added, .transaction("3", from: Self.end)) == [Self.end, Self.end, Self.end + 30 * day])
    }

    @Test("of a free trial goes on through grace as that of any period")
    func trial() {
        let trial = PurchaseFact.transaction("1", from: noon) { ($0.offerDiscount, $0.priceMilliunits) = (.freeTrial, 0) }

        #expect(ends(trial) == [Self.end])
        #expect(ends(trial, Self.failed(graceTo: Self.end + 6 * day)) == [Self.end + 6 * day])
    }

    @Test("has no end for what does not renew", arguments: [ProductType.nonConsumable, .consumable, .nonRenewing])
    func single(_ type: ProductType) {
        #expect(ends(.single("1", "pass", type, at: noon)) == [nil])
    }
}

@Suite("The beginning of a chain", .timeLimit(.minutes(1)))
struct ChainBeginningTests {
    @Test("is its first purchase as Apple dates it, or the earliest one that is known")
    func earliest() {
        let later = PurchaseFact.transaction("9", from: noon) { $0.originalPurchaseDateMs = noon - 400 * day }
        let undated = PurchaseFact.transaction("8", from: noon - day) { $0.originalPurchaseDateMs = nil }

        #expect(state(.transaction("1", from: noon)).beganAtMs == noon)
        #expect(state(.transaction("1", from: noon), .transaction("2", from: noon + 30 * day)).beganAtMs == noon)
        #expect(state(later).beganAtMs == noon - 400 * day)
        #expect(state(undated).beganAtMs == noon - day)
        #expect(state(undated, later).beganAtMs == noon - 400 * day)
    }

    @Test("is not the year 1, which Xcode names, and is unknown without transactions")
    func implausible() {
        let xcode = PurchaseFact.transaction("1", from: noon) { $0.originalPurchaseDateMs = -62_135_769_600_000 }

        #expect(state(xcode).beganAtMs == noon)
        #expect(state(.transaction("1", from: noon) { $0.originalPurchaseDateMs = 0 }).beganAtMs == noon)
        #expect(state(.renewal(signed: noon)).beganAtMs == nil)
    }
}
