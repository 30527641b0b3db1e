// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallPurchases
import LandfallServer
import LandfallSimulator

/// What signs purchases in the worlds of a run, and the server's trust in it.
struct VirtualAppStore: Sendable {
    static let product = "com.example.app.monthly"
    static let level = "premium"

    let trust: AppStoreTrust
    private let signer: JWSSigner

    private let isEndless: Bool

    init(planted: PlantedError? = nil) throws {
        isEndless = planted == .endlessAccess
        let chain = try SigningChain()
        trust = AppStoreTrust(otherRoot: try AppStoreRoot(pem: chain.root.pem))
        signer = JWSSigner(chain)
    }

    /// What Apple signs about one period.
    private struct Payload: Encodable {
        let transactionId, originalTransactionId: String
        let productId = VirtualAppStore.product
        let bundleId = "com.example.app"
        let environment = "Production"
        let type = "Auto-Renewable Subscription"
        let inAppOwnershipType = "PURCHASED"
        let purchaseDate, originalPurchaseDate, expiresDate: Int64
        let quantity = 1
        let price = 9_990
        let currency = "EUR"
        let storefront = "DEU"
        let transactionReason: String
        let signedDate: Int64
    }

    /// - Parameter nowMs: when the store signs, in Unix milliseconds.
    func sign(_ period: SoldPeriod, nowMs: Int64) throws -> StoreTransaction {
        let payload = Payload(
            transactionId: period.id, originalTransactionId: period.original, purchaseDate: period.fromMs, originalPurchaseDate: period.beganMs,
            expiresDate: period.untilMs + (isEndless ? 365 * 86_400_000 : 0), transactionReason: period.id == period.original ? "PURCHASE" : "RENEWAL", signedDate: nowMs)
        return StoreTransaction(
            id: period.id, jws: try signer.sign(payload), signedAt: Date(timeIntervalSince1970: Double(nowMs) / 1_000))
    }
}

/// One period of a subscription that was paid.
struct SoldPeriod: Hashable, Sendable {
    let id: String
    let original: String
    /// In Unix milliseconds; `beganMs` is the start of the first period.
    let beganMs, fromMs, untilMs: Int64
}
