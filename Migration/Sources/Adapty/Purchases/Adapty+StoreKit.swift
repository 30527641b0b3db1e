// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
import Landfall
public import StoreKit

// The calls and values that name types of StoreKit: for an app that buys by itself.
extension Adapty {
    /// Sends what the App Store signed to the server, as this person's purchase. Call it before the transaction is finished.
    /// - Parameter variationId: of the paywall that sold it; it counts if `logShowPaywall` was called for it in this launch.
    /// - Throws: ``AdaptyError`` 1030 if StoreKit does not have the transaction, 2003 if the server does not take it, 2004, 2005, 2002,
    ///   9000. With ``AdaptyConfiguration/Builder/with(observerMode:)`` or without, the server gets it later nevertheless.
    public static func reportTransaction(
        _ transaction: SKPaymentTransaction, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        try await Activation.current.reportTransaction(transaction.transactionIdentifier, of: variationId)
    }

    /// As for a transaction of StoreKit 1.
    public static func reportTransaction(
        _ transaction: Transaction, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        try await Activation.current.reportTransaction("\(transaction.id)", of: variationId)
    }

    /// As for a transaction of StoreKit 1. The server verifies it too.
    public static func reportTransaction(
        _ transaction: VerificationResult<Transaction>, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        try await reportTransaction(transaction.unsafePayloadValue, withVariationId: variationId)
    }

    /// A purchase that the person cancelled does not need a report.
    /// - Throws: ``AdaptyError`` 1050 for a pending purchase, else as for a transaction.
    public static func reportPurchaseResult(
        _ result: Product.PurchaseResult, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        switch result {
        case .userCancelled: return
        case .pending:
            throw AdaptyError(
                .paymentPendingError, "The purchase is pending. Nothing to do: it is reported when StoreKit has the transaction.")
        case .success(let transaction): try await reportTransaction(transaction, withVariationId: variationId)
        @unknown default: return
        }
    }

    public static func reportTransaction(
        _ transaction: SKPaymentTransaction, withVariationId variationId: String? = nil,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        let id = transaction.transactionIdentifier
        answer(completion) { try await Activation.current.reportTransaction(id, of: variationId) }
    }

    public static func reportTransaction(
        _ transaction: Transaction, withVariationId variationId: String? = nil, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await reportTransaction(transaction, withVariationId: variationId) }
    }

    public static func reportTransaction(
        _ transaction: VerificationResult<Transaction>, withVariationId variationId: String? = nil,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await reportTransaction(transaction, withVariationId: variationId) }
    }

    public static func reportPurchaseResult(
        _ result: Product.PurchaseResult, withVariationId variationId: String? = nil,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await reportPurchaseResult(result, withVariationId: variationId) }
    }

    @available(*, deprecated, renamed: "reportTransaction(_:withVariationId:)")
    public static func setVariationId(
        _ variationId: String, forPurchasedTransaction transaction: SKPaymentTransaction
    ) async throws(AdaptyError) {
        try await reportTransaction(transaction, withVariationId: variationId)
    }

    @available(*, deprecated, renamed: "reportTransaction(_:withVariationId:)")
    public static func setVariationId(
        _ variationId: String, forPurchasedTransaction transaction: Transaction
    ) async throws(AdaptyError) {
        try await reportTransaction(transaction, withVariationId: variationId)
    }

    @available(*, deprecated, renamed: "reportTransaction(_:withVariationId:_:)")
    public static func setVariationId(
        _ variationId: String, forPurchasedTransaction transaction: SKPaymentTransaction,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        reportTransaction(transaction, withVariationId: variationId, completion)
    }

    @available(*, deprecated, renamed: "reportTransaction(_:withVariationId:_:)")
    public static func setVariationId(
        _ variationId: String, forPurchasedTransaction transaction: Transaction, _ completion: AdaptyErrorCompletion? = nil
    ) {
        reportTransaction(transaction, withVariationId: variationId, completion)
    }
}

extension AdaptyProduct {
    /// Always nil.
    public var sk1Product: SKProduct? { nil }
    /// nil for a product of the app's own type, and where StoreKit no longer has it.
    public var sk2Product: Product? { (self as? PaywallProduct)?.ofStoreKit as? Product }
}

extension AdaptyPurchaseResult {
    private var transaction: (any Sendable)? { if case .success(_, let transaction) = self { transaction } else { nil } }

    /// nil: Landfall buys with StoreKit 2.
    public var sk1Transaction: SKPaymentTransaction? { transaction as? SKPaymentTransaction }
    public var sk2SignedTransaction: VerificationResult<Transaction>? { transaction as? VerificationResult<Transaction> }
    public var sk2Transaction: Transaction? { sk2SignedTransaction?.unsafePayloadValue }
    public var jwsTransaction: String? { sk2SignedTransaction?.jwsRepresentation }
}

extension AdaptyUnfinishedTransaction {
    public var sk2SignedTransaction: VerificationResult<Transaction>? { transaction as? VerificationResult<Transaction> }
    public var sk2Transaction: Transaction? { sk2SignedTransaction?.unsafePayloadValue }
}
#endif
