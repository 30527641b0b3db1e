// SPDX-License-Identifier: Apache-2.0

/// The newest period of a subscription, and what comes after it.
package struct SubscriptionStanding: Hashable, Sendable {
    package let productID: String
    package let groupID: String?
    package let transactionID: String
    package let ownership: Ownership?
    /// Since when the chain is known, in Unix milliseconds.
    package let startedAtMs: Int64
    /// The newest period.
    package let periodStartsAtMs: Int64
    package let periodEndsAtMs: Int64
    package let isTrial: Bool
    package let offerID: String?
    /// False also where Apple has not said it.
    package let willRenew: Bool
    package let renewsAs: String?
    package let expirationIntent: ExpirationIntent?
    package let agreedToPriceIncrease: Bool?
}
