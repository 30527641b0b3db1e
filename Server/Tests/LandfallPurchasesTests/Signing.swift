// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator

@testable import LandfallPurchases

/// Noon of 1 November 2026, UTC, in Unix milliseconds. No test reads a clock.
let noon: Int64 = 1_793_534_400_000
let day: Int64 = 86_400_000

let app = AppStoreApp(bundleID: "com.example.app", appleID: 1_234_567_890)

/// An App Store of its own, and a server that trusts it.
struct Store {
    let chain: SigningChain
    let signer: JWSSigner
    let verifier: AppStoreVerifier

    init(leaf: CertificateOrder = .leaf, takesStoreKitTesting: Bool = false, mostChains: Int = 64) throws {
        chain = try SigningChain(leaf: leaf)
        signer = JWSSigner(chain)
        verifier = AppStoreVerifier(
            app: app, roots: [try AppStoreRoot(pem: chain.root.pem)], takesStoreKitTesting: takesStoreKitTesting,
            mostChains: mostChains)
    }

    func transaction(_ changes: [String: Any?] = [:]) throws -> String { try signer.sign(Payload.transaction(changes)) }
    func renewal(_ changes: [String: Any?] = [:]) throws -> String { try signer.sign(Payload.renewal(changes)) }
    func notification(_ data: [String: Any?] = [:], outer: [String: Any?] = [:]) throws -> String {
        try signer.sign(Payload.notification(data, outer: outer))
    }
}

/// Payloads as Apple writes them. A change to nil takes the field away.
enum Payload {
    static func transaction(_ changes: [String: Any?] = [:]) throws -> Data {
        try json(
            [
                "transactionId": "2000000000000001", "originalTransactionId": "2000000000000001", "bundleId": "com.example.app",
                "productId": "com.example.app.yearly", "subscriptionGroupIdentifier": "21000000", "purchaseDate": noon,
                "originalPurchaseDate": noon, "expiresDate": noon + 365 * day, "quantity": 1,
                "type": "Auto-Renewable Subscription",
                "inAppOwnershipType": "PURCHASED", "signedDate": noon, "environment": "Production", "storefront": "DEU",
                "storefrontId": "143443", "transactionReason": "PURCHASE", "price": 39990, "currency": "EUR",
            ], changes)
    }

    static func renewal(_ changes: [String: Any?] = [:]) throws -> Data {
        try json(
            [
                "originalTransactionId": "2000000000000001", "productId": "com.example.app.yearly",
                "autoRenewProductId": "com.example.app.yearly", "autoRenewStatus": 1, "isInBillingRetryPeriod": false,
                "signedDate": noon,
                "environment": "Production", "recentSubscriptionStartDate": noon - 5000, "renewalDate": noon + 365 * day,
            ], changes)
    }

    static func notification(_ data: [String: Any?], outer: [String: Any?]) throws -> Data {
        let content: [String: Any?] = [
            "appAppleId": 1_234_567_890, "bundleId": "com.example.app", "bundleVersion": "1", "environment": "Production",
            "status": 1,
        ].merging(data) { $1 }
        return try json(
            [
                "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY",
                "notificationUUID": "002E14D5-51F5-4503-B5A8-C3A1AF68EB20",
                "version": "2.0", "signedDate": noon, "data": content.compactMapValues { $0 },
            ], outer)
    }

    private static func json(_ fields: [String: Any?], _ changes: [String: Any?]) throws -> Data {
        let all = fields.merging(changes) { $1 }.compactMapValues { $0 }
        return try JSONSerialization.data(withJSONObject: all, options: [.sortedKeys])
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
