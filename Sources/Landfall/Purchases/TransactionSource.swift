// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The store's transactions on this phone. LandfallApple's are StoreKit's; tests script some.
public protocol TransactionSource: Sendable {
    /// Every transaction that the store on the phone has at this moment, finished or not, in any order. The stream ends after the
    /// last one. It may begin as late as the store likes: no call of the SDK waits for it.
    func history() -> AsyncStream<StoreTransaction>

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

    public init(id: String, jws: String, signedAt: Date) {
        self.id = id
        self.jws = jws
        self.signedAt = signedAt
    }
}
