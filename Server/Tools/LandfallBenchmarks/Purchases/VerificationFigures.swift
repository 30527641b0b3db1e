// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Crypto
import Foundation
import LandfallPurchases
import LandfallSimulator
import SwiftASN1
import X509

/// How many transactions a second one core verifies, beside the bare check of the same signatures.
struct VerificationFigures {
    private struct Figures: Encodable {
        /// With the chain of certificates in memory, as nearly always.
        let cachedPerSecond: Double
        /// The first of a leaf: three certificates and the signature.
        let coldPerSecond: Double
        /// P-256 and SHA-256 only: no base64, no JSON, no certificate.
        let barePerSecond: Double
        let bytes: Int
    }

    private static let nowMs: Int64 = 1_793_534_400_000

    private let texts: [String]
    private let bare: [(content: [UInt8], signature: P256.Signing.ECDSASignature)]
    private let key: P256.Signing.PublicKey
    private let root: AppStoreRoot

    init() throws {
        let chain = try SigningChain(), signer = JWSSigner(chain)
        root = try AppStoreRoot(pem: chain.root.pem)
        key = P256.Signing.PublicKey(try Certificate(derEncoded: chain.leaf).publicKey)!
        texts = try (0..<64).map { try signer.sign(Self.payload($0)) }
        bare = try texts.map { text in
            let end = text.lastIndex(of: ".")!
            let signature = String(text[text.index(after: end)...]).replacing("-", with: "+").replacing("_", with: "/") + "=="
            return (
                Array(text[..<end].utf8), try P256.Signing.ECDSASignature(rawRepresentation: Data(base64Encoded: signature)!)
            )
        }
    }

    func run(rounds: Int) async throws {
        let warm = verifier()
        var bareSeconds = Double.infinity, cachedSeconds = Double.infinity, coldSeconds = Double.infinity
        _ = try await warm.transaction(texts[0], nowMs: Self.nowMs)
        for _ in 0..<rounds {
            // In turn, so that other work on the machine meets all three.
            var start = now()
            for (content, signature) in bare { precondition(key.isValidSignature(signature, for: content)) }
            bareSeconds = min(bareSeconds, now() - start)
            start = now()
            for text in texts { _ = try await warm.transaction(text, nowMs: Self.nowMs) }
            cachedSeconds = min(cachedSeconds, now() - start)
            start = now()
            for text in texts { _ = try await verifier().transaction(text, nowMs: Self.nowMs) }
            coldSeconds = min(coldSeconds, now() - start)
        }
        let count = Double(texts.count)
        let figures = Figures(
            cachedPerSecond: count / cachedSeconds, coldPerSecond: count / coldSeconds, barePerSecond: count / bareSeconds,
            bytes: texts[0].utf8.count)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    private func verifier() -> AppStoreVerifier {
        AppStoreVerifier(app: AppStoreApp(bundleID: "com.example.app", appleID: nil), roots: [root])
    }

    /// CPU time of the process: no two of these run at once.
    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func payload(_ number: Int) -> Data {
        Data(
            """
            {"transactionId":"2000000\(100_000_000 + number)","originalTransactionId":"2000000100000000",\
            "webOrderLineItemId":"2000000051234567","bundleId":"com.example.app","productId":"com.example.app.yearly",\
            "subscriptionGroupIdentifier":"21000000","purchaseDate":\(nowMs),"originalPurchaseDate":\(nowMs),\
            "expiresDate":\(nowMs + 31_536_000_000),"quantity":1,"type":"Auto-Renewable Subscription",\
            "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","inAppOwnershipType":"PURCHASED","signedDate":\(nowMs),\
            "environment":"Production","transactionReason":"RENEWAL","storefront":"DEU","storefrontId":"143443","price":39990,\
            "currency":"EUR","appTransactionId":"704289572311513293"}
            """.utf8)
    }
}

struct VerificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifications",
        abstract: "How many transactions does a core verify? JSON, for Benchmarks/run --only verifying.")

    @Option(help: "Times that each of the three is measured; the best counts.") var rounds = 20

    func run() async throws { try await VerificationFigures().run(rounds: rounds) }
}
