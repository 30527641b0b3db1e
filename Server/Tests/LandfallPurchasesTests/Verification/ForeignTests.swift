// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallWire
import Testing

@testable import LandfallPurchases

@Suite("What the App Store signed, but not for this", .timeLimit(.minutes(1)))
struct ForeignTests {
    @Test(
        "is refused by what it says",
        arguments: [
            (["bundleId": "com.example.other"], AppStoreRefusal.foreign(.bundleID("com.example.other"))),
            (["bundleId": "com.example.APP"], .foreign(.bundleID("com.example.APP"))),
            (["bundleId": nil], .foreign(.bundleID(nil))),
            (["environment": nil], .environment(.missing)),
            (["environment": "Xcode"], .environment(.storekitTesting)),
            (["environment": "LocalTesting"], .environment(.storekitTesting)),
            (["environment": "Moon"], .environment(.unknown("Moon"))),
            (["transactionId": nil], .foreign(.noTransaction)),
            (["productId": nil], .foreign(.noTransaction)),
        ] as [([String: String?], AppStoreRefusal)])
    func transaction(_ changes: [String: String?], _ refusal: AppStoreRefusal) async throws {
        let store = try Store()

        await #expect(throws: refusal) {
            try await store.verifier.transaction(store.transaction(changes.mapValues { $0 as Any? }), nowMs: noon)
        }
    }

    @Test("is told apart by its code")
    func codes() {
        #expect(AppStoreRefusal.foreign(.noTransaction).code.rawValue == "purchase_foreign")
        #expect(AppStoreRefusal.environment(.missing).code.rawValue == "purchase_environment")
    }

    @Test("is no transaction if it is renewal information, and the other way round")
    func kinds() async throws {
        let store = try Store()
        let transaction = try await store.verifier.transaction(store.transaction(), nowMs: noon)

        await #expect(throws: AppStoreRefusal.foreign(.noTransaction)) {
            try await store.verifier.transaction(store.renewal(), nowMs: noon)
        }
        await #expect(throws: AppStoreRefusal.foreign(.noRenewal)) {
            try await store.verifier.renewal(store.transaction(), beside: transaction, nowMs: noon)
        }
        await #expect(throws: AppStoreRefusal.foreign(.noNotification)) {
            try await store.verifier.notification(store.transaction(), nowMs: noon)
        }
    }

    @Test(
        "counts as renewal information only beside a transaction of the same chain and environment",
        arguments: [
            (["originalTransactionId": "9"], AppStoreRefusal.forged(.strayRenewal)),
            (["environment": "Sandbox"], .environment(.differs(outer: "Production", inner: "Sandbox"))),
            (["environment": nil], .environment(.missing)),
        ] as [([String: String?], AppStoreRefusal)])
    func renewal(_ changes: [String: String?], _ refusal: AppStoreRefusal) async throws {
        let store = try Store()
        let transaction = try await store.verifier.transaction(store.transaction(), nowMs: noon)

        await #expect(throws: refusal) {
            try await store.verifier.renewal(store.renewal(changes.mapValues { $0 as Any? }), beside: transaction, nowMs: noon)
        }
    }
}
