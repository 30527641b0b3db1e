// SPDX-License-Identifier: Apache-2.0
import Landfall

/// How a purchase ended.
public enum AdaptyPurchaseResult: Sendable {
    case userCancelled
    /// It waits for another person, for example a parent. The delegate gets the profile when it is approved.
    case pending
    /// The person has paid. The transaction is StoreKit's, signed; see ``sk2SignedTransaction``. If the server did not answer in time,
    /// the profile is the last known one, and the delegate gets the next.
    case success(profile: AdaptyProfile, transaction: any Sendable)

    public var isPurchaseCancelled: Bool { if case .userCancelled = self { true } else { false } }
    public var isPurchasePending: Bool { if case .pending = self { true } else { false } }
    public var isPurchaseSuccess: Bool { if case .success = self { true } else { false } }
    /// nil unless the purchase succeeded.
    public var profile: AdaptyProfile? { if case .success(let profile, _) = self { profile } else { nil } }
}

/// A transaction that the store has verified on this phone, and nobody has finished.
public struct AdaptyUnfinishedTransaction: Sendable {
    /// What the store signed.
    public var jwsTransaction: String { sold.transaction.jws }
    /// StoreKit's; nil where there is no StoreKit.
    let transaction: (any Sendable)?
    private let sold: SoldTransaction
    private let client: LandfallClient
    private let store: any ProductSource

    init(_ sold: SoldTransaction, of client: LandfallClient, in store: any ProductSource, transaction: (any Sendable)? = nil) {
        self.sold = sold
        self.client = client
        self.store = store
        self.transaction = transaction
    }

    /// Ends it once the server has it on disk: unlock or credit what it sells first.
    /// - Throws: ``AdaptyError`` 2003 if the server does not take it, 2004 or 2005 if it could not be asked; then it stays unfinished.
    public func finish() async throws(AdaptyError) {
        let id = sold.transaction.id
        let verdict = try await AdaptyError.translating { try await client.verifyPurchase(id) }
        // Another person's is stored for good too.
        guard verdict == .genuine || verdict == .owned else { throw AdaptyError(verdict) }
        await store.finish(id)
    }
}

/// What to tell the store when a person asks for their money back.
public enum AdaptyRefundPreference: String, Sendable, Codable {
    case noPreference = "no_preference", grant, decline
}

/// Where a web page is opened.
public enum AdaptyWebPresentation: String, Sendable {
    case externalBrowser, inAppBrowser
}
