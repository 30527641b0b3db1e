// SPDX-License-Identifier: Apache-2.0

/// A purchase that does not renew. A consumable is credited once for its transaction, with the quantity.
package struct OneTimePurchase: Hashable, Sendable {
    package let transactionID: String
    package let productID: String
    package let type: ProductType?
    package let quantity: Int64
    package let purchasedAtMs: Int64
    package let isRefunded: Bool
}
