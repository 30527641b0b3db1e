// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallSimulator
import LandfallStore

/// Chains of six months with what a simulated App Store signed about them, and the charges that follow.
struct ProvenPurchases {
    static let ofChain = 6
    private static let dayMs: Int64 = 86_400_000
    private static let lot = 200

    let chains: Int
    let nowMs: Int64

    /// - Returns: the trust in that App Store.
    func store(in database: any Database, of app: App) async throws -> AppStoreTrust {
        let chain = try SigningChain(), signer = JWSSigner(chain)
        let trust = AppStoreTrust(otherRoot: try AppStoreRoot(pem: chain.root.pem)), verifier = trust.verifier(of: app)
        for begin in stride(from: 0, to: chains, by: Self.lot) {
            var statements: [Statement] = []
            for number in begin..<min(begin + Self.lot, chains) {
                let id = ChainID(environment: .production, originalTransactionID: "\(3_000_000_000_000_000 + number * Self.ofChain)")
                var facts: [PurchaseFact] = []
                for place in 0..<Self.ofChain {
                    let signed = try await verifier.transaction(signer.sign(payload(number, place, bundleID: app.bundleID)), nowMs: nowMs)
                    facts.append(PurchaseFact(signed))
                    statements += [signed.jws.headerInsertion(into: app.id), StoredFact(signed).insertion(into: app.id, receivedAtMs: nowMs)]
                }
                let charges = ChainState.fold(facts, of: id, rules: PurchaseRules()).charges
                statements += charges.map { ChargeRow($0, of: id).insertion(into: app.id) }
                statements.append(
                    Statement(Self.chainText, [.text(app.id.rawValue), .text(id.description), .integer(Int64(facts.count)), .integer(nowMs)]))
            }
            _ = try await database.write { [statements] connection in try connection.batch(statements) }
        }
        return trust
    }

    private func payload(_ number: Int, _ place: Int, bundleID: String) -> Data {
        let first = 3_000_000_000_000_000 + number * Self.ofChain
        let boughtAtMs = nowMs - Int64(360 - number % 150 - place * 30) * Self.dayMs
        return Data(
            """
            {"transactionId":"\(first + place)","originalTransactionId":"\(first)","webOrderLineItemId":"2000000051234567",\
            "bundleId":"\(bundleID)","productId":"com.example.app.monthly","subscriptionGroupIdentifier":"21000000",\
            "purchaseDate":\(boughtAtMs),"originalPurchaseDate":\(nowMs - Int64(360 - number % 150) * Self.dayMs),\
            "expiresDate":\(boughtAtMs + 30 * Self.dayMs),"quantity":1,"type":"Auto-Renewable Subscription",\
            "appAccountToken":"7e3fb20b-4cdb-47cc-936d-99d65f608138","inAppOwnershipType":"PURCHASED","signedDate":\(boughtAtMs),\
            "environment":"Production","transactionReason":"\(place == 0 ? "PURCHASE" : "RENEWAL")","storefront":"DEU",\
            "storefrontId":"143443","price":9990,"currency":"EUR","appTransactionId":"704289572311513293"}
            """.utf8)
    }

    private static let chainText = """
        INSERT INTO purchase_chain (app_id, chain_id, version, facts, first_seen_at_ms, changed_at_ms, users, moves)
        VALUES ($1, $2, 1, $3, $4, $4, '[]', '[]')
        """
}
