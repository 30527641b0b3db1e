// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import Testing

@testable import LandfallPurchases

@Suite("What the App Store signed for this app", .timeLimit(.minutes(1)))
struct GenuineTests {
    @Test("is taken, with its time and all of its bytes")
    func transaction() async throws {
        let store = try Store()
        let text = try store.transaction()

        let signed = try await store.verifier.transaction(text, nowMs: noon)

        #expect(signed.environment == .production)
        #expect(signed.chain.description == "Production:2000000000000001")
        #expect(signed.jws.signedAtMs == noon)
        let parts = [signed.jws.header, Data(signed.jws.payloadBytes).base64URL, Data(signed.jws.signatureBytes).base64URL]
        #expect(parts.joined(separator: ".") == text)
        #expect(signed.jws.signatureBytes.count == 64)
        #expect(try Data(signed.jws.payloadBytes) == Payload.transaction())
        #expect(signed.transaction.priceMilliunits == 39990)
    }

    @Test("is taken although its leaf has expired since")
    func expiredSince() async throws {
        var leaf = CertificateOrder.leaf
        leaf.notAfter = Date(timeIntervalSince1970: Double(noon / 1000 + 60))
        let store = try Store(leaf: leaf)

        let signed = try await store.verifier.transaction(store.transaction(), nowMs: noon + 900 * day)

        #expect(signed.jws.signedAtMs == noon)
    }

    @Test("needs the check of its certificates only once for each leaf")
    func remembered() async throws {
        let store = try Store()

        for id in 1...5 { _ = try await store.verifier.transaction(store.transaction(["transactionId": "\(id)"]), nowMs: noon) }

        #expect(store.verifier.knownChains == 1)
    }

    @Test("is still compared with the validity of a certificate that is known already")
    func rememberedValidity() async throws {
        var leaf = CertificateOrder.leaf
        leaf.notAfter = Date(timeIntervalSince1970: Double(noon / 1000 + 60))
        let store = try Store(leaf: leaf)
        _ = try await store.verifier.transaction(store.transaction(), nowMs: noon)

        await #expect(throws: AppStoreRefusal.forged(.notValidWhenSigned)) {
            try await store.verifier.transaction(store.transaction(["signedDate": noon + 120_000]), nowMs: noon + day)
        }
    }

    @Test("leaves no more chains in memory than the bound says, and the newest stay")
    func bound() async throws {
        let store = try Store(mostChains: 2)
        for _ in 0..<4 {
            let leaf = try SigningChain(root: store.chain.root, intermediate: store.chain.intermediate)
            _ = try await store.verifier.transaction(JWSSigner(leaf).sign(Payload.transaction()), nowMs: noon)
        }

        #expect(store.verifier.knownChains == 2)
    }

    @Test("may be signed up to five minutes after this server's time", arguments: [-day, 0, 300_000])
    func ahead(_ ms: Int64) async throws {
        let store = try Store()

        let signed = try await store.verifier.transaction(store.transaction(["signedDate": noon + ms]), nowMs: noon)

        #expect(signed.jws.signedAtMs == noon + ms)
    }

    @Test("may say that the purchase is tomorrow: renewals are signed before they begin")
    func tomorrow() async throws {
        let store = try Store()

        let signed = try await store.verifier.transaction(store.transaction(["purchaseDate": noon + day]), nowMs: noon)

        #expect(signed.transaction.purchaseDateMs == noon + day)
    }

    @Test("may hold anything in the place of the root: only the configured root counts")
    func sentRoot() async throws {
        let store = try Store()
        let other = try SigningAuthority()
        let signer = JWSSigner(store.chain, certificates: [store.chain.leaf, store.chain.intermediate.der, other.der])

        let signed = try await store.verifier.transaction(signer.sign(Payload.transaction()), nowMs: noon)

        #expect(signed.environment == .production)
    }

    @Test("of Xcode is taken only where the server was started for it")
    func xcode() async throws {
        let store = try Store(takesStoreKitTesting: true), strict = try Store()
        let signer = JWSSigner(store.chain, certificates: [store.chain.leaf])
        let text = try signer.sign(
            Payload.transaction(["environment": "Xcode", "transactionId": "0", "signedDate": 1_793_534_399_999.7297]))

        #expect(try await store.verifier.transaction(text, nowMs: noon).jws.signedAtMs == noon - 1)
        #expect(store.verifier.knownChains == 0)
        await #expect(throws: AppStoreRefusal.environment(.storekitTesting)) {
            try await strict.verifier.transaction(text, nowMs: noon)
        }
    }
}
