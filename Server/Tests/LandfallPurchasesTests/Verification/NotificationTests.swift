// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import Testing

@testable import LandfallPurchases

@Suite("A notification of the App Store", .timeLimit(.minutes(1)))
struct NotificationTests {
    @Test("brings its transaction, its renewal and its status as facts of one chain")
    func whole() async throws {
        let store = try Store()
        let text = try store.notification([
            "signedTransactionInfo": store.transaction(), "signedRenewalInfo": store.renewal(), "status": 4,
        ])

        let signed = try await store.verifier.notification(text, nowMs: noon)
        let facts = PurchaseFact.facts(of: signed)

        #expect(signed.environment == .production)
        #expect(signed.notification.id == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(facts.count == 3)
        #expect(Set(facts.map(\.chain.description)) == ["Production:2000000000000001"])
        #expect(facts.last?.content == .notice(RenewalNotice(transactionID: "2000000000000001", saysGrace: true)))
    }

    @Test("is refused if what is inside was signed by somebody else, or for something else")
    func inside() async throws {
        let store = try Store(), other = try Store()
        let cases: [([String: Any?], AppStoreRefusal)] = [
            (["signedTransactionInfo": try other.transaction()], .forged(.untrustedChain)),
            (
                ["signedTransactionInfo": try store.transaction(["bundleId": "com.example.other"])],
                .foreign(.bundleID("com.example.other"))
            ),
            (
                ["signedTransactionInfo": try store.transaction(["environment": "Sandbox"])],
                .environment(.differs(outer: "Production", inner: "Sandbox"))
            ),
            (
                ["signedTransactionInfo": try store.transaction(), "signedRenewalInfo": try other.renewal()],
                .forged(.untrustedChain)
            ),
            (["signedRenewalInfo": try other.renewal()], .forged(.untrustedChain)),
            (
                [
                    "signedTransactionInfo": try store.transaction(),
                    "signedRenewalInfo": try store.renewal(["originalTransactionId": "9"]),
                ], .forged(.strayRenewal)
            ),
            (["signedTransactionInfo": "a.b.c"], .forged(.notBase64URL(.payload))),
        ]

        for (data, refusal) in cases {
            let text = try store.notification(data)
            await #expect(throws: refusal) { try await store.verifier.notification(text, nowMs: noon) }
        }
    }

    @Test("is refused if it is about another app or names no environment")
    func foreign() async throws {
        let store = try Store()
        let cases: [([String: Any?], AppStoreRefusal)] = [
            (["bundleId": "com.example.other"], .foreign(.bundleID("com.example.other"))),
            (["bundleId": nil], .foreign(.bundleID(nil))),
            (["appAppleId": 7], .foreign(.appleID(7))),
            (["environment": nil], .environment(.missing)),
            (["environment": "Xcode"], .environment(.storekitTesting)),
        ]

        for (data, refusal) in cases {
            let text = try store.notification(data)
            await #expect(throws: refusal) { try await store.verifier.notification(text, nowMs: noon) }
        }
    }

    @Test("of the sandbox names no number of Apple's")
    func sandbox() async throws {
        let store = try Store()

        let signed = try await store.verifier.notification(
            store.notification(["appAppleId": nil, "environment": "Sandbox"]), nowMs: noon)

        #expect(signed.environment == .sandbox)
        #expect(PurchaseFact.facts(of: signed).isEmpty)
    }

    @Test("with renewal information alone brings no fact")
    func renewalAlone() async throws {
        let store = try Store()

        let signed = try await store.verifier.notification(
            store.notification(["signedRenewalInfo": store.renewal()]), nowMs: noon)

        #expect(signed.renewal == nil)
        #expect(PurchaseFact.facts(of: signed).isEmpty)
    }

    @Test("of an unknown type, subtype or envelope is genuine all the same")
    func open() async throws {
        let store = try Store()
        let outers: [[String: Any?]] = [
            ["notificationType": "SOMETHING_NEW", "subtype": "NEWER"],
            ["data": nil, "later": ["what": [1, 2]]],
            ["data": nil],
            ["data": nil, "summary": ["requestIdentifier": "1", "environment": "Production", "bundleId": "com.example.app"]],
            ["data": nil, "externalPurchaseToken": ["externalPurchaseId": "SANDBOX_1", "bundleId": "com.example.app"]],
        ]

        var environments: [AppStoreEnvironment?] = []
        for outer in outers {
            environments.append(
                try await store.verifier.notification(store.notification(outer: outer), nowMs: noon).environment)
        }

        #expect(environments == [.production, nil, nil, .production, .sandbox])
    }
}
