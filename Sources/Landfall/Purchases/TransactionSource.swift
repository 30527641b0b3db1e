// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The store's transactions on this phone. LandfallApple's are StoreKit's; tests script some.
public protocol TransactionSource: Sendable {
    /// Every transaction that the store on the phone has at this moment, finished or not, in any order. The stream ends after the
    /// last one. It may begin as late as the store likes: no call of the SDK waits for it.
    func history() -> AsyncStream<StoreTransaction>

    /// What the customer of the store has at this moment by what the store itself has verified on the phone: subscriptions that run,
    /// and purchases that never end. No consumables, nothing that was refunded, and nothing whose end the store does not know. It may list
    /// nothing, as long as the store likes: that takes nothing away.
    func currentEntitlements() -> AsyncStream<StoreEntitlement>

    /// Transactions that the store reports by itself, until the reader stops: renewals, purchases that were approved later, on
    /// another device or outside the app, and refunds. Called once for each client.
    func updates() -> AsyncStream<StoreTransaction>

    /// Asks the store itself for everything that the person has bought; the history has it afterwards. The store may ask the person
    /// to sign in, so only ``LandfallClient/restorePurchases(within:)`` calls it.
    /// - Throws: `CancellationError` if the person does not want to; any other error if it did not work.
    func synchronize() async throws
}

/// One transaction of a store, as the store signed it. A later signature of the same transaction replaces an earlier one.
public struct StoreTransaction: Hashable, Sendable {
    /// The store's own id.
    public let id: String
    /// The signed text (JWS). Only it is sent: the server verifies it, and reads everything else from it.
    public let jws: String
    public let signedAt: Date
    /// Refunded, or no longer shared by the family, by what the store itself has verified on the phone.
    public let isRevoked: Bool

    public init(id: String, jws: String, signedAt: Date, isRevoked: Bool = false) {
        self.id = id
        self.jws = jws
        self.signedAt = signedAt
        self.isRevoked = isRevoked
    }
}

/// What the customer of a store has, for access on the phone until the server has spoken of it. It is not sent.
public struct StoreEntitlement: Hashable, Sendable {
    /// The newest transaction of this purchase.
    public let transactionID: String
    /// Its first one: the same for each period of a subscription.
    public let originalTransactionID: String
    public let productID: String
    /// When the store signed ``transactionID``.
    public let signedAt: Date
    public let startsAt: Date
    /// nil if it never ends.
    public let endsAt: Date?
    /// Bought in a sandbox of the store.
    public let isSandbox: Bool

    /// Without an original transaction it is its own first one.
    public init(
        transactionID: String, originalTransactionID: String? = nil, productID: String, signedAt: Date, startsAt: Date, endsAt: Date?,
        isSandbox: Bool = false
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.productID = productID
        self.signedAt = signedAt
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.isSandbox = isSandbox
    }
}
