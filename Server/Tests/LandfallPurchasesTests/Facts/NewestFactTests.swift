// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("Of what was said several times about a transaction", .timeLimit(.minutes(1)))
struct NewestFactTests {
    @Test("what was signed last is true, whatever came last")
    func newest() {
        let bought = PurchaseFact.transaction("1", from: noon)
        let extended = PurchaseFact.transaction("1", from: noon, to: noon + 40 * day, signed: noon + day)

        #expect(state(extended, bought).said(at: noon + 35 * day) == .active)
        #expect(state(bought, extended) == state(extended, bought, extended, bought))
    }

    @Test("in one millisecond a revocation counts before none, then the later end")
    func ties() {
        let bought = PurchaseFact.transaction("1", from: noon)
        let revoked = PurchaseFact.transaction("1", from: noon, to: noon + day) { $0.revocationDateMs = noon + day / 2 }
        let longer = PurchaseFact.transaction("1", from: noon, to: noon + 50 * day)

        #expect(state(bought, revoked).said(at: noon + 2 * day) == .revoked)
        #expect(state(revoked, longer).said(at: noon + 2 * day) == .revoked)
        #expect(state(longer, bought).said(at: noon + 45 * day) == .active)
        #expect(state(bought, longer) == state(longer, bought))
    }

    @Test("in one millisecond and with the same end the hash decides, so that the order never does")
    func hashes() {
        let one = PurchaseFact.transaction("1", from: noon) { $0.storefront = "DEU" }
        let other = PurchaseFact.transaction("1", from: noon) { $0.storefront = "FRA" }

        #expect(state(one, other) == state(other, one))
    }

    @Test("a refund that was taken back is none: both are newer texts")
    func reversed() {
        let bought = PurchaseFact.transaction("1", from: noon)
        let refunded = PurchaseFact.transaction("1", from: noon, signed: noon + day) { $0.revocationDateMs = noon + day }
        let reversed = PurchaseFact.transaction("1", from: noon, signed: noon + 2 * day)

        #expect(state(reversed, refunded, bought).said(at: noon + 3 * day) == .active)
        #expect(state(reversed, refunded, bought).charges.map(\.kind) == [.purchase])
    }

    @Test("a late failure does not undo a recovery")
    func recovery() {
        let first = PurchaseFact.transaction("1", from: noon)
        let failed = PurchaseFact.renewal(signed: noon + 30 * day) { $0.isInBillingRetry = true }
        let recovered = PurchaseFact.transaction("2", from: noon + 33 * day)

        let whole = state(recovered, first, failed)

        #expect(whole.said(at: noon + 32 * day) == .expired)
        #expect(whole.said(at: noon + 34 * day) == .active)
        #expect(whole.said(at: noon + 64 * day) == .expired)
    }

    @Test("facts of another chain, and of the same id in another environment, are not counted")
    func otherChains() {
        let sandbox = ChainID(environment: .sandbox, originalTransactionID: "1")
        let elsewhere = PurchaseFact.transaction("1", from: noon, of: sandbox)

        #expect(state(elsewhere).periods.isEmpty)
        #expect(ChainState.fold([elsewhere], of: sandbox, rules: rules).charges.isEmpty)
        #expect(ChainState.fold([elsewhere], of: sandbox, rules: rules).said(at: noon) == .active)
    }
}
