// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What a customer buys, as `POST /sim/purchases` says it.
package struct SimulatedPurchase: Hashable, Sendable, Codable {
    package var productId: String
    /// How the purchase lives, in the form of a simulated product's id; nil: the product id is one.
    package var life: String?
    package var appAccountToken: String?
    /// Three letters, such as USA.
    package var storefront: String
    package var priceMilliunits: Int64
    /// Three letters, such as USD.
    package var currency: String
    /// The customer: purchases with the same one are in one history. nil makes a new customer.
    package var appTransactionId: String?

    package init(
        productId: String, life: String? = nil, appAccountToken: String? = nil, storefront: String = "USA", priceMilliunits: Int64 = 9_990, currency: String = "USD",
        appTransactionId: String? = nil
    ) {
        self.productId = productId
        self.life = life
        self.appAccountToken = appAccountToken
        self.storefront = storefront
        self.priceMilliunits = priceMilliunits
        self.currency = currency
        self.appTransactionId = appTransactionId
    }

    /// What is wrong with it, with advice; a product id that orders the life, and ``life``, are not looked at.
    var fault: String? {
        if life != nil, !(1...500).contains(productId.utf8.count) {
            return "'productId' has \(productId.utf8.count) bytes. Write 1 to 500."
        }
        if let appAccountToken, UUID(uuidString: appAccountToken) == nil {
            return "'appAccountToken' is '\(appAccountToken)'. Write a UUID, or leave it out."
        }
        if storefront.wholeMatch(of: /[A-Z]{3}/) == nil { return "'storefront' is '\(storefront)'. Write three capital letters, such as USA." }
        if currency.wholeMatch(of: /[A-Z]{3}/) == nil { return "'currency' is '\(currency)'. Write three capital letters, such as USD." }
        if !(0...1_000_000_000).contains(priceMilliunits) {
            return "'priceMilliunits' is \(priceMilliunits). Write thousandths of the currency's unit, from 0 to 1000000000."
        }
        if let appTransactionId, appTransactionId.wholeMatch(of: /[0-9]{1,20}/) == nil {
            return "'appTransactionId' is '\(appTransactionId)'. Write digits, or leave it out."
        }
        return nil
    }
}

/// The app whose purchases are simulated.
package struct SimulatedApp: Hashable, Sendable {
    package var bundleID: String
    /// Only in the notifications of production, as at Apple.
    package var appleID: Int64
    package var version: String

    package init(bundleID: String = "com.example.app", appleID: Int64 = 1_234_567_890, version: String = "1") {
        self.bundleID = bundleID
        self.appleID = appleID
        self.version = version
    }
}
