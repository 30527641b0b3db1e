// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSimulator

@Suite("The life of a simulated purchase", .timeLimit(.minutes(1)))
struct PurchaseLifeTests {
    @Test("is the same for the same product, seed and start, and another one for another seed")
    func reproducible() throws {
        let id = "sim.trial=7d&fail=1&grace=16d&refund=3d"

        #expect(try life(id, seed: 1) == life(id, seed: 1))
        #expect(try life(id, seed: 1).ids.isDisjoint(with: life(id, seed: 2).ids))
        #expect(try life(id, seed: 1).ids.isDisjoint(with: life(id + "&id=2", seed: 1).ids))
    }

    @Test(
        "is what its product id orders",
        arguments: [
            ("sim.renewals=1", ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"]),
            ("sim.renewals=0", ["SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"]),
            (
                "sim.trial=7d&fail=1&grace=16d&renewals=1&refund=3d",
                ["SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_RENEW/BILLING_RECOVERY", "REFUND"]
            ),
            (
                "sim.fail=1&grace=3d&recover=never",
                ["SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY"]
            ),
            (
                "sim.fail=1&recover=10d&renewals=1",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                    "EXPIRED/VOLUNTARY",
                ]
            ),
            (
                "sim.cancel=5d&resume=7d&renewals=1",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
                    "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
                ]
            ),
            (
                "sim.renewals=0&resubscribe=20d",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY", "SUBSCRIBED/RESUBSCRIBE",
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
                ]
            ),
            (
                "sim.upgrade=10d&renewals=0",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/UPGRADE", "-", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                    "EXPIRED/VOLUNTARY",
                ]
            ),
            (
                "sim.downgrade=5d&renewals=1",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                    "EXPIRED/VOLUNTARY",
                ]
            ),
            ("sim.increase=5d", ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"]),
            ("sim.withdrawn=1", ["SUBSCRIBED/INITIAL_BUY", "EXPIRED/PRODUCT_NOT_FOR_SALE"]),
            ("sim.family=1&revoke=4d", ["SUBSCRIBED/INITIAL_BUY", "REVOKE"]),
            ("sim.type=consumable&quantity=3&consumption=1d&refund=2d", ["ONE_TIME_CHARGE", "CONSUMPTION_REQUEST", "REFUND"]),
            ("sim.type=nonconsumable&declined=2d", ["ONE_TIME_CHARGE", "REFUND_DECLINED"]),
            ("sim.type=nonconsumable&refund=2d&reversed=2d", ["ONE_TIME_CHARGE", "REFUND", "REFUND_REVERSED"]),
            (
                "sim.seats=8&addSeats=2d&refundSeats=4d&unclaim=5d&renewals=0",
                [
                    "SUBSCRIBED/INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF", "REFUND/SEATS", "UNCLAIM_SEATS",
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
                ]
            ),
        ]
    )
    func told(id: String, expected: [String]) throws {
        #expect(try life(id).told == expected)
    }

    @Test("has the dates of genuine data: a renewal is signed before its period begins, the subscription's start before the purchase")
    func dates() throws {
        let life = try life("sim.period=30d&renewals=1")
        let first = try #require(life.events[0].transaction), renewed = try #require(life.events[1].transaction)
        let renewal = try #require(life.events[0].renewal)

        #expect(first.signedDate == start)
        #expect(first.purchaseDate < start)
        #expect(first.expiresDate == first.purchaseDate + 30 * SimulatedPeriod.day)
        #expect(renewed.purchaseDate == first.expiresDate)
        #expect(renewed.signedDate < renewed.purchaseDate)
        #expect(renewed.purchaseDate - renewed.signedDate <= SimulatedPeriod.day)
        #expect(renewed.originalPurchaseDate == first.purchaseDate)
        #expect(renewed.transactionReason == "RENEWAL")
        #expect((1_000...12_000).contains(first.purchaseDate - (renewal.recentSubscriptionStartDate ?? 0)))
    }

    @Test("charges what was ordered: nothing for a trial, a tier's price for each seat, the quantity for consumables")
    func prices() throws {
        let trial = try life("sim.trial=7d&renewals=1").transactions
        let seats = try #require(try life("sim.seats=8").transactions.first)
        let consumable = try #require(try life("sim.type=consumable&quantity=3").transactions.first)
        let unpriced = try #require(try life("sim.priced=0").transactions.first)

        #expect(trial.map(\.price) == [0, 9_990])
        #expect(trial[0].offerDiscountType == "FREE_TRIAL")
        #expect(trial[1].offerType == nil)
        #expect(seats.multiSeatInfo?.priceTiers == [.init(price: 9_990, quantity: 5), .init(price: 7_992, quantity: 3)])
        // (5 × 9,990 + 3 × 7,992) ÷ 8.
        #expect(seats.price == 9_240)
        #expect(seats.quantity == 8)
        #expect(consumable.price == 29_970)
        #expect(unpriced.price == nil && unpriced.currency == nil)
    }

    @Test("refunds all, a share, or as before 2026; the newest transaction's refund ends the life, an older one's does not")
    func refunds() throws {
        let full = try refund("sim.refund=3d")
        let prorated = try refund("sim.refund=15d&refundForm=prorated")
        let old = try refund("sim.refund=3d&refundForm=old")
        let late = try life("sim.refund=40d&renewals=3")

        #expect(full.revocationType == "REFUND_FULL" && full.revocationPercentage == nil)
        #expect((49_000...51_000).contains(try #require(prorated.revocationPercentage)))
        #expect(old.revocationDate != nil && old.revocationType == nil)
        #expect(try life("sim.refund=3d").events.last?.status == 5)
        #expect(late.told.contains("REFUND") && late.told.last == "EXPIRED/VOLUNTARY")
    }

    @Test("an upgrade's notification carries the new transaction only; the old one is marked in a version that nobody is told of")
    func upgrade() throws {
        let events = try life("sim.upgrade=10d&to=sim.id%3Dbetter").events
        let upgrade = try #require(events.first { $0.notice?.subtype == "UPGRADE" }?.transaction)
        let marked = try #require(events.first { $0.transaction?.isUpgraded == true })

        #expect(upgrade.productId == "sim.id=better")
        #expect(upgrade.price == 19_980)
        #expect(marked.notice == nil)
        #expect(marked.transaction?.transactionId == events[0].transaction?.transactionId)
    }

    @Test("in grace the date of billing stays; after a retry without grace a gap remains")
    func recovery() throws {
        let grace = try life("sim.fail=1&grace=16d&recover=5d").transactions
        let retry = try life("sim.fail=1&recover=5d").transactions

        #expect(grace[1].purchaseDate == grace[0].expiresDate)
        #expect(retry[1].purchaseDate > (try #require(retry[0].expiresDate)) + 4 * SimulatedPeriod.day)
    }

    @Test("has no date of grace, no environment and no renewal price where genuine data has none")
    func absent() throws {
        let failed = try life("sim.fail=1&grace=16d&graceDate=0").events.first { $0.notice?.subtype == "GRACE_PERIOD" }
        let unnamed = try life("sim.environment=none").events[0]
        let cancelled = try life("sim.cancel=2d").events[1].renewal

        #expect(failed?.status == 4 && failed?.renewal?.gracePeriodExpiresDate == nil)
        #expect(unnamed.transaction?.environment == nil && unnamed.renewal?.environment == nil)
        #expect(cancelled?.autoRenewStatus == 0 && cancelled?.renewalPrice == nil && cancelled?.currency == nil)
    }

    @Test("is shorter on shorter days")
    func scaled() throws {
        let life = try PurchaseLife(SimulatedPurchase(productId: "sim.renewals=2"), seed: 1, start: start, day: 1_000)
        let first = try #require(life.transactions.first)

        #expect(first.expiresDate == first.purchaseDate + 30_000)
        #expect(life.events.last.map { $0.at - start < 120_000 } == true)
    }

    @Test("is of any product where it is ordered beside the product's id")
    func named() throws {
        let order = SimulatedPurchase(productId: "com.example.app.monthly", life: "sim.trial=7d&renewals=1")

        let life = try PurchaseLife(order, seed: 1, start: start)

        #expect(Set(life.transactions.map(\.productId)) == ["com.example.app.monthly"])
        #expect(life.transactions.first?.offerDiscountType == "FREE_TRIAL")
        #expect(order.fault == nil && SimulatedPurchase(productId: "", life: "sim.").fault != nil)
        #expect(throws: SimulatedProductError.self) {
            try PurchaseLife(SimulatedPurchase(productId: "com.example.app.monthly", life: "monthly"), seed: 1, start: start)
        }
    }

    @Test("of ten thousand drawn ones: in order, ids that occur once, versions that are never signed twice at one instant")
    func many() throws {
        var ids: Set<String> = []
        var types: Set<String> = []
        for seed in 0..<10_000 as Range<UInt64> {
            let life = try life(SimulatedProduct.drawnID(seed), seed: seed)
            let versions = life.events.compactMap(\.transaction).map { "\($0.transactionId) \($0.signedDate)" }

            #expect(zip(life.events, life.events.dropFirst()).allSatisfy { $0.at <= $1.at })
            #expect(Set(versions).count == versions.count)
            #expect(life.events.count < 200)
            #expect(ids.isDisjoint(with: life.ids))
            ids.formUnion(life.ids)
            types.formUnion(life.told)
        }
        #expect(types.count >= 25)
    }

    @Test("is posted as Apple posts it, with transaction and renewal signed by themselves")
    func posted() throws {
        let life = try life("sim.renewals=0")
        let signer = try JWSSigner(SigningChain())

        let payload = try #require(try life.notification(life.events[0], signer: signer))
        let body = try #require(try life.post(life.events[0], signer: signer))

        #expect(payload.version == "2.0")
        #expect(payload.data?.status == 1)
        #expect(payload.data?.appAppleId == 1_234_567_890)
        #expect(payload.data?.signedTransactionInfo?.hasPrefix(signer.header + ".") == true)
        #expect(payload.data?.signedRenewalInfo?.hasPrefix(signer.header + ".") == true)
        #expect(try JSONDecoder().decode([String: String].self, from: body)["signedPayload"]?.hasPrefix(signer.header + ".") == true)
    }

    private let start: Int64 = 1_790_000_000_000

    private func life(_ id: String, seed: UInt64 = 1) throws -> PurchaseLife {
        try PurchaseLife(SimulatedPurchase(productId: id), seed: seed, start: start)
    }

    private func refund(_ id: String) throws -> TransactionPayload {
        try #require(try life(id).events.first { $0.notice?.type == "REFUND" }?.transaction)
    }
}

extension PurchaseLife {
    /// Type and subtype of each event, `-` for one that nobody is told of.
    fileprivate var told: [String] {
        events.map { event in event.notice.map { $0.type + ($0.subtype.map { "/" + $0 } ?? "") } ?? "-" }
    }

    /// The first version of each.
    fileprivate var transactions: [TransactionPayload] {
        var seen: Set<String> = []
        return events.compactMap(\.transaction).filter { seen.insert($0.transactionId).inserted }
    }

    fileprivate var ids: Set<String> { Set(events.compactMap(\.transaction).map(\.transactionId)) }
}
