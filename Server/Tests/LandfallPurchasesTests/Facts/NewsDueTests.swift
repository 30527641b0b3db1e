// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases

@Suite("When the App Store has to have said more", .timeLimit(.minutes(1)))
struct NewsDueTests {
    private static let bought = PurchaseFact.transaction("1", from: noon)
    private static let end = noon + 30 * day

    private func due(_ facts: PurchaseFact...) -> Int64? { ChainState.fold(facts, of: production, rules: PurchaseRules()).newsDueAtMs }

    @Test("is at the end of the newest period")
    func end() {
        #expect(due(Self.bought) == Self.end)
        #expect(due(Self.bought, .renewal(signed: noon)) == Self.end)
        #expect(due(.transaction("2", from: Self.end, signed: Self.end - day), Self.bought) == Self.end + 30 * day)
    }

    @Test("is never again after a word that is younger than the end")
    func over() {
        #expect(due(Self.bought, .renewal(signed: Self.end + 1)) == nil)
        #expect(due(Self.bought, .notice("1", saysGrace: false, signed: Self.end + 1)) == nil)
        #expect(due(Self.bought, .renewal(signed: Self.end)) == Self.end)
    }

    @Test("is not answered by the old transaction that was signed again")
    func again() {
        #expect(due(.transaction("1", from: noon, signed: Self.end + day)) == Self.end)
    }

    @Test("is at the end of Apple's tries while a payment fails")
    func retry() {
        let failed = PurchaseFact.renewal(signed: Self.end + 1) { $0.isInBillingRetry = true }

        #expect(due(Self.bought, failed) == Self.end + 60 * day)
        #expect(due(Self.bought, failed, .renewal(signed: Self.end + 61 * day)) == nil)
    }

    @Test("is never for what is refunded, bought once, or signed by nobody")
    func never() {
        let refunded = PurchaseFact.transaction("1", from: noon, signed: noon + day) { $0.revocationDateMs = noon + day }
        let xcode = ChainID(environment: .xcode, originalTransactionID: "0")

        #expect(due(Self.bought, refunded) == nil)
        #expect(due(.single("1", "for ever", .nonConsumable, at: noon)) == nil)
        #expect(ChainState.fold([.transaction("0", from: noon, of: xcode)], of: xcode, rules: PurchaseRules()).newsDueAtMs == nil)
        #expect(due() == nil)
    }
}
