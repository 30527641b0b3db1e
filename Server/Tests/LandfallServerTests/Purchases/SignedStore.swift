// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallSimulator

@testable import LandfallServer

/// A simulated App Store: a root of its own, and what it signs about one app.
struct SignedStore {
    let chain: SigningChain
    let signer: JWSSigner
    let nowMs: Int64
    var bundleID = "com.example.app"
    var environment = "Production"

    /// - Parameter nowMs: the time of the server that the texts are for.
    init(nowMs: Int64, chain: SigningChain? = nil) throws {
        let chain = try chain ?? SigningChain()
        self.chain = chain
        self.nowMs = nowMs
        signer = JWSSigner(chain)
    }

    /// The server's trust in this store.
    func trust() throws -> AppStoreTrust { AppStoreTrust(otherRoot: try AppStoreRoot(pem: chain.root.pem)) }

    /// A month of a subscription, bought some days ago.
    func transaction(
        _ id: String = "2", of original: String = "1", daysAgo: Int64 = 1, adding more: [String: Any] = [:]
    ) throws -> String {
        let purchasedAtMs = nowMs - daysAgo * 86_400_000
        return try sign(
            [
                "transactionId": id, "originalTransactionId": original, "productId": "yearly", "bundleId": bundleID,
                "environment": environment, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
                "purchaseDate": purchasedAtMs, "originalPurchaseDate": purchasedAtMs, "expiresDate": purchasedAtMs + 30 * 86_400_000,
                "quantity": 1, "price": 9_990, "currency": "EUR", "storefront": "DEU", "transactionReason": "PURCHASE",
                "signedDate": nowMs - 1_000,
            ].merging(more) { $1 })
    }

    func renewal(of original: String = "1", adding more: [String: Any] = [:]) throws -> String {
        try sign(
            [
                "originalTransactionId": original, "productId": "yearly", "autoRenewProductId": "yearly", "autoRenewStatus": 1,
                "environment": environment, "signedDate": nowMs - 1_000,
            ].merging(more) { $1 })
    }

    /// The value of `signedPayload`.
    /// - Parameter content: members of `data` besides app and environment.
    func notification(
        _ uuid: String, _ type: String = "SUBSCRIBED", _ subtype: String? = "INITIAL_BUY", data content: [String: Any],
        adding more: [String: Any] = [:]
    ) throws -> String {
        var payload: [String: Any] = [
            "notificationType": type, "notificationUUID": uuid, "version": "2.0", "signedDate": nowMs - 500,
            "data": ["bundleId": bundleID, "environment": environment].merging(content) { $1 },
        ]
        payload["subtype"] = subtype
        return try sign(payload.merging(more) { $1 })
    }

    /// The usual one: a purchase with its renewal information.
    func subscribed(_ uuid: String = "00000000-0000-4000-8000-000000000001") throws -> String {
        try notification(uuid, data: ["status": 1, "signedTransactionInfo": transaction(), "signedRenewalInfo": renewal()])
    }

    func sign(_ payload: [String: Any]) throws -> String {
        try signer.sign(JSONSerialization.data(withJSONObject: payload, options: [.sortedKeys]))
    }
}

extension String {
    /// The body of Apple's request.
    var asNotification: String { #"{"signedPayload":"\#(self)"}"# }
}
