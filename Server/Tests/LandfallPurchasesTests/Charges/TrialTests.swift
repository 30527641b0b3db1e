// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("A free trial", .timeLimit(.minutes(1)))
struct TrialTests {
    private static func trial(
        _ id: String = "1", from start: Int64 = noon, to end: Int64 = noon + 7 * day, _ change: (inout TransactionPayload) -> Void = { _ in }
    ) -> PurchaseFact {
        .transaction(id, from: start, to: end) {
            $0.offerType = .introductory
            $0.offerDiscount = .freeTrial
            $0.priceMilliunits = 0
            change(&$0)
        }
    }

    @Test(
        "is one charge without money at its start, also where Apple says less of it",
        arguments: [
            (Self.trial(), "EUR"),
            (Self.trial { $0.currency = nil }, ""),
            (Self.trial { $0.priceMilliunits = nil }, "EUR"),
            (Self.trial { $0.offerDiscount = nil }, "EUR"),
            (Self.trial { $0.offerType = .promotional }, "EUR"),
        ])
    func charge(_ fact: PurchaseFact, _ currency: String) throws {
        let charges = state(fact, fact).charges

        let charge = try #require(charges.first)
        #expect(charges.count == 1)
        #expect((charge.kind, charge.transactionID, charge.number) == (.trial, "1", 0))
        #expect((charge.milliunits, charge.currency) == (0, currency))
        #expect(charge.part == Charge.Fraction(numerator: 1, denominator: 1))
        #expect((charge.bookedAtMs, charge.purchasedAtMs) == (noon, noon))
        #expect((charge.periodEndsAtMs, charge.serviceEndsAtMs) == (noon + 7 * day, noon + 7 * day))
        #expect(charge.upgradeCredit == nil && !charge.followsTrial)
    }

    @Test(
        "is none where nobody began one",
        arguments: [
            // The price is free for another reason, or not known.
            Self.trial { ($0.offerDiscount, $0.offerType) = (nil, nil) },
            Self.trial { ($0.offerDiscount, $0.priceMilliunits) = (nil, nil) },
            Self.trial { $0.offerDiscount = .payAsYouGo },
            Self.trial { ($0.offerDiscount, $0.offerType) = (nil, .promotional) },
            // Somebody else did.
            Self.trial { $0.ownership = .familyShared }, Self.trial { $0.ownership = .assigned },
            Self.trial { ($0.type, $0.expiresDateMs) = (.nonConsumable, nil) },
        ])
    func none(_ fact: PurchaseFact) {
        #expect(state(fact).charges.isEmpty)
    }

    @Test("with a price is the purchase that Apple says it is")
    func priced() {
        #expect(state(Self.trial { $0.priceMilliunits = 9990 }).charges.map(\.kind) == [.purchase])
    }

    @Test("outside production is none")
    func sandbox() {
        let chain = ChainID(environment: .sandbox, originalTransactionID: "1")
        let fact = PurchaseFact.transaction("1", from: noon, of: chain) { ($0.offerDiscount, $0.priceMilliunits) = (.freeTrial, 0) }

        #expect(ChainState.fold([fact], of: chain, rules: rules).charges.isEmpty)
    }

    @Test("is followed by the first period that is paid for, and by no other one")
    func followed() {
        let charges = state(
            Self.trial(), .transaction("2", from: noon + 7 * day), .transaction("3", from: noon + 37 * day)
        ).charges

        #expect(charges.map(\.kind) == [.trial, .purchase, .purchase])
        #expect(charges.map(\.followsTrial) == [false, true, false])
    }

    @Test("is followed by a purchase also long after it, before its end, and after a second trial")
    func followedLater() {
        let late = state(Self.trial(), .transaction("2", from: noon + 90 * day)).charges
        let early = state(Self.trial(), .transaction("2", "year", from: noon + 3 * day, to: noon + 368 * day)).charges
        let twice = state(
            Self.trial(), Self.trial("2", from: noon + 7 * day, to: noon + 14 * day), .transaction("3", from: noon + 14 * day)
        ).charges

        for charges in [late, early] {
            #expect(charges.map(\.kind) == [.trial, .purchase])
            #expect(charges.map(\.followsTrial) == [false, true])
        }
        #expect(twice.map(\.kind) == [.trial, .trial, .purchase])
        #expect(twice.map(\.followsTrial) == [false, false, true])
    }

    @Test("is not followed by seats that are added during it, nor by a refund")
    func notFollowed() {
        let charges = state(
            Self.trial(),
            .transaction("2", from: noon + day, to: noon + 7 * day) { $0.additionalReason = .seatAddition },
            .transaction("3", from: noon + 7 * day) { $0.revocationDateMs = noon + 9 * day }
        ).charges

        #expect(charges.map(\.transactionID) == ["1", "2", "3", "3"])
        #expect(charges.map(\.kind) == [.trial, .purchase, .purchase, .refund])
        #expect(charges.map(\.followsTrial) == [false, false, true, false])
    }

    @Test("that nobody began before does not make a purchase its successor")
    func withoutTrial() {
        let charges = state(.transaction("1", from: noon), .transaction("2", from: noon + 30 * day)).charges

        #expect(charges.map(\.followsTrial) == [false, false])
    }
}
