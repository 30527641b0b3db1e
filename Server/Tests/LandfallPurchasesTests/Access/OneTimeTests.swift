// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("A purchase that does not renew", .timeLimit(.minutes(1)))
struct OneTimeTests {
    @Test("for ever opens for ever, and no longer once it is revoked")
    func nonConsumable() {
        let bought = PurchaseFact.single("1", "for ever", .nonConsumable, at: noon)
        let revoked = PurchaseFact.single("1", "for ever", .nonConsumable, at: noon, signed: noon + day) {
            $0.revocationDateMs = noon + day
        }

        #expect(state(bought).said(at: noon + 99_999 * day) == .active)
        #expect(state(bought, revoked).said(at: noon + day) == .revoked)
        #expect(state(bought, revoked).oneTimePurchases.map(\.isRefunded) == [true])
    }

    @Test("for a time opens for as long as the configuration says, and a revocation ends it")
    func pass() {
        let revoked = PurchaseFact.single("1", "pass", .nonRenewing, at: noon) { $0.revocationDateMs = noon + day }

        #expect(state(.single("1", "pass", .nonRenewing, at: noon)).said(at: noon + 30 * day - 1) == .active)
        #expect(state(.single("1", "pass", .nonRenewing, at: noon)).said(at: noon + 30 * day) == .expired)
        #expect(state(revoked).said(at: noon + 2 * day) == .revoked)
    }

    @Test("for a time that the configuration does not say opens nothing, and the state says why")
    func loosePass() {
        let bought = state(.single("1", "loose pass", .nonRenewing, at: noon))

        #expect(bought.said(at: noon) != .active)
        #expect(bought.withoutDuration == ["loose pass"])
        #expect(bought.charges.count == 1)
    }

    @Test("and is used up opens nothing, and is credited once with its quantity")
    func consumable() {
        let bought = PurchaseFact.single("1", "coins", .consumable, at: noon) { $0.quantity = 3 }

        #expect(state(bought, bought).periods.isEmpty)
        #expect(state(bought, bought).oneTimePurchases.map(\.quantity) == [3])
    }

    @Test("of a type that this version does not know opens what the configuration says")
    func unknownType() {
        #expect(state(.single("1", "for ever", ProductType(rawValue: "Lease"), at: noon)).said(at: noon + day) == .active)
    }
}
