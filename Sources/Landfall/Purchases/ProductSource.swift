// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// What the store sells on this phone, and the transactions of what was sold. LandfallApple's is StoreKit's; tests script one.
///
/// It decides nothing: what is reported, and when a transaction is finished, the client decides.
public protocol ProductSource: Sendable {
    /// The products with these ids that the store sells to this person, in any order.
    /// - Throws: ``PurchaseError``; any other error counts as ``PurchaseError/store(_:)``.
    func products(_ ids: [String]) async throws -> [StoreProduct]

    /// Lets the person buy the product in the store's own sheet. Returns when the store has an answer, which may take as long as the
    /// person likes.
    /// - Parameter token: what the store signs with the purchase, so that it is this person's on whichever phone; nil if the server has
    ///   not said it.
    /// - Throws: as ``products(_:)``. Then nobody knows whether the person has bought it: if they have, ``unfinished()`` says so.
    func purchase(_ productID: String, token: UUID?) async throws -> StorePurchase

    /// The transactions at this moment that the store has verified on this phone, and nobody has finished. The stream ends after the
    /// last one.
    func unfinished() -> AsyncStream<SoldTransaction>

    /// Verified transactions that the store reports by itself, until the reader stops: purchases that were approved later, renewals.
    func updates() -> AsyncStream<SoldTransaction>

    /// Tells the store that the transaction is done, so that it does not come again. Does nothing for one that is not unfinished, or that
    /// the store cannot verify.
    func finish(_ transactionID: String) async

    /// Products that people choose on the store's own pages, to buy them in the app; until the reader stops.
    func promotedPurchases() -> AsyncStream<PromotedPurchase>
}

/// What the store says of one attempt to buy.
public enum StorePurchase: Hashable, Sendable {
    case bought(SoldTransaction)
    /// The store cannot verify on this phone what it says was bought; with its reason.
    case unverified(String)
    /// Somebody has to approve it: the transaction comes later, or never.
    case pending
    case cancelled
}

/// A transaction that the store has verified on this phone.
public struct SoldTransaction: Hashable, Sendable {
    public let transaction: StoreTransaction
    public let productID: String
    public let purchasedAt: Date

    public init(_ transaction: StoreTransaction, of productID: String, purchasedAt: Date) {
        self.transaction = transaction
        self.productID = productID
        self.purchasedAt = purchasedAt
    }
}

/// A product that a person chose outside the app: a promoted one on the store's page of the app.
public struct PromotedPurchase: Hashable, Sendable {
    /// For ``LandfallClient/purchase(_:from:within:)``.
    public let productID: String

    public init(productID: String) { self.productID = productID }
}
