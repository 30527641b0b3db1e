// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("Money of a chain", .timeLimit(.minutes(1)))
struct ChargeTests {
    @Test("is what Apple signed, once: the price already covers the quantity")
    func once() {
        let bought = PurchaseFact.transaction("1", from: noon) { $0.quantity = 4 }

        let charges = state(bought, bought, .transaction("1", from: noon, signed: noon + day) { $0.quantity = 4 }).charges

        #expect(charges.map(\.milliunits) == [9990])
        #expect(charges.map(\.quantity) == [4])
        #expect(charges.map(\.part) == [Charge.Fraction(numerator: 1, denominator: 1)])
    }

    @Test(
        "is none for what nobody paid",
        arguments: [
            PurchaseFact.transaction("1", from: noon) { $0.priceMilliunits = 0 },
            .transaction("1", from: noon) { $0.priceMilliunits = -5 },
            .transaction("1", from: noon) { $0.priceMilliunits = nil },
            .transaction("1", from: noon) { $0.currency = nil },
            .transaction("1", from: noon) { $0.ownership = .familyShared },
            .transaction("1", from: noon) { $0.ownership = .assigned },
        ])
    func none(_ fact: PurchaseFact) {
        #expect(state(fact).charges.isEmpty)
    }

    @Test(
        "comes back as its own booking, on the day of the refund",
        arguments: [
            (nil, nil, Charge.Fraction(numerator: 1, denominator: 1)),
            (.full, nil, Charge.Fraction(numerator: 1, denominator: 1)),
            (.full, 50_000, Charge.Fraction(numerator: 1, denominator: 1)),
            (.prorated, 67_932, Charge.Fraction(numerator: 67_932, denominator: 100_000)),
            (.prorated, nil, Charge.Fraction(numerator: 100_000, denominator: 100_000)),
            (.prorated, 900_000, Charge.Fraction(numerator: 100_000, denominator: 100_000)),
            (.prorated, 0, nil),
            (.family, nil, nil),
        ] as [(RevocationType?, Int64?, Charge.Fraction?)])
    func refund(_ type: RevocationType?, _ percentage: Int64?, _ part: Charge.Fraction?) {
        let charges = state(
            .transaction("1", from: noon) {
                $0.revocationDateMs = noon + 3 * day
                $0.revocationType = type
                $0.revocationPercentage = percentage
            }
        ).charges

        #expect(charges.first?.kind == .purchase)
        #expect(charges.dropFirst().map(\.part) == (part.map { [$0] } ?? []))
        #expect(
            charges.dropFirst().allSatisfy {
                $0.bookedAtMs == noon + 3 * day && $0.purchasedAtMs == noon && $0.milliunits == 9990
            })
    }

    @Test("of seats is the sum over the tiers, not the average price")
    func seats() {
        let tiers = [SeatsPayload.Tier(priceMilliunits: 1000, quantity: 5), .init(priceMilliunits: 800, quantity: 10)]

        #expect(
            state(.transaction("1", from: noon) { $0.seats = SeatsPayload(tiers: tiers) }).charges.map(\.milliunits) == [13_000]
        )
    }

    @Test("of seats whose tiers cannot be read is the average price of each")
    func seatsWithoutTiers() {
        let fact = PurchaseFact.transaction("1", from: noon) {
            $0.quantity = 8
            $0.seats = SeatsPayload(tiers: [])
        }

        #expect(state(fact).charges.map(\.milliunits) == [8 * 9990])
    }

    @Test("of seats that are added on the second day comes after two days of paid service")
    func seatsLater() {
        let charges = state(
            .transaction("1", from: noon, to: noon + 365 * day),
            .transaction("2", from: noon + 2 * day, to: noon + 365 * day) { $0.additionalReason = .seatAddition }
        ).charges

        #expect(charges.map(\.paidBeforeMs) == [0, 2 * day])
    }

    @Test("comes after the paid service without what Apple gave for nothing at its end")
    func extended() {
        let charges = state(
            .transaction("1", from: noon, to: noon + 30 * day),
            .transaction("1", from: noon, to: noon + 44 * day, signed: noon + day),
            .transaction("2", from: noon + 44 * day, to: noon + 74 * day)
        ).charges

        #expect(charges.map(\.paidBeforeMs) == [0, 30 * day])
    }

    @Test("of seats comes back without a revocation, once for each time that more are taken back, and access stays")
    func seatRefunds() {
        let tiers = [SeatsPayload.Tier(priceMilliunits: 1000, quantity: 5), .init(priceMilliunits: 800, quantity: 2)]
        func signed(_ at: Int64, revoked: Int64?) -> PurchaseFact {
            .transaction("1", from: noon, signed: at) { $0.seats = SeatsPayload(tiers: tiers, revoked: revoked) }
        }

        let all = state(
            signed(noon + 3 * day, revoked: 3), signed(noon, revoked: nil), signed(noon + day, revoked: 1),
            signed(noon + 2 * day, revoked: 1))

        #expect(all.charges.map(\.kind) == [.purchase, .seatRefund, .seatRefund])
        #expect(all.charges.map(\.milliunits) == [6600, 800, 1800])
        #expect(all.charges.map(\.bookedAtMs) == [noon, noon + day, noon + 3 * day])
        #expect(all.said(at: noon + 4 * day) == .active)
    }

    @Test("of seats never comes back twice: a later refund of everything is the rest")
    func seatsThenAll() {
        let tiers = [SeatsPayload.Tier(priceMilliunits: 1000, quantity: 2)]
        let some = PurchaseFact.transaction("1", from: noon, signed: noon + day) {
            $0.seats = SeatsPayload(tiers: tiers, revoked: 1)
        }
        let all = PurchaseFact.transaction("1", from: noon, signed: noon + 2 * day) {
            $0.seats = SeatsPayload(tiers: tiers, revoked: 1)
            $0.revocationDateMs = noon + 2 * day
        }

        #expect(state(some, all).charges.map(\.milliunits) == [2000, 1000, 1000])
    }

    @Test("that does not fit is none, and nothing overflows")
    func tooLarge() {
        let tiers = [SeatsPayload.Tier(priceMilliunits: .max, quantity: 2)]

        #expect(state(.transaction("1", from: noon) { $0.seats = SeatsPayload(tiers: tiers, revoked: 1) }).charges.isEmpty)
    }

    @Test("for unused time is estimated where another product began before the end, marked or not", arguments: [true, false])
    func credit(_ isMarked: Bool) {
        let year = PurchaseFact.transaction("1", "year", from: noon, to: noon + 360 * day) { $0.isUpgraded = isMarked }

        let upgraded = state(year, .transaction("2", "month", from: noon + 90 * day)).charges
        let renewed = state(year, .transaction("2", "year", from: noon + 360 * day)).charges
        let changed = state(year, .transaction("2", "month", from: noon + 360 * day)).charges

        #expect(upgraded.map(\.upgradeCredit) == [Charge.Fraction(numerator: 270 * day, denominator: 360 * day), nil])
        #expect(renewed.map(\.upgradeCredit) == [nil, nil])
        #expect(changed.map(\.upgradeCredit) == [nil, nil])
    }

    @Test("knows how long was paid before: trials, refunds and pauses do not count, and after a long lapse it begins anew")
    func paidBefore() {
        let facts = [
            PurchaseFact.transaction("1", from: noon, to: noon + 7 * day) {
                $0.offerDiscount = .freeTrial
                $0.priceMilliunits = 0
            },
            .transaction("2", from: noon + 7 * day, to: noon + 37 * day),
            .transaction("3", from: noon + 60 * day, to: noon + 90 * day) { $0.revocationDateMs = noon + 70 * day },
            .transaction("4", from: noon + 100 * day, to: noon + 130 * day),
            .transaction("5", from: noon + 130 * day, to: noon + 160 * day),
            .transaction("6", from: noon + 221 * day, to: noon + 251 * day),
        ]

        let charges = ChainState.fold(facts, of: production, rules: rules).charges.filter { $0.kind == .purchase }

        #expect(charges.map(\.transactionID) == ["2", "3", "4", "5", "6"])
        #expect(charges.map(\.paidBeforeMs) == [0, 30 * day, 30 * day, 60 * day, 0])
        #expect(charges.allSatisfy { !$0.isPaidBeforeEstimated })
    }

    @Test("fills only the unknown time before the first transaction from Apple's date, and says that this is an estimate")
    func estimated() {
        let later = PurchaseFact.transaction("9", from: noon)
        let renewal = PurchaseFact.renewal(signed: noon) { $0.recentSubscriptionStartDateMs = noon - 200 * day }

        #expect(state(later, renewal).charges.map(\.paidBeforeMs) == [200 * day])
        #expect(state(later, renewal).charges.map(\.isPaidBeforeEstimated) == [true])
        #expect(state(.transaction("1", from: noon), renewal).charges.map(\.paidBeforeMs) == [0])
    }
}
