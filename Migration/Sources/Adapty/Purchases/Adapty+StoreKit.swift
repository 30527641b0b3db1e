// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
import Landfall
public import StoreKit

// The calls and values that name types of StoreKit. An app that buys by itself reports its purchase here; Landfall takes none yet.
extension Adapty {
    /// - Throws: ``AdaptyError`` 1006, always. Count the purchase as an own event: `Adapty.client?.record(…)`.
    public static func reportTransaction(
        _ transaction: SKPaymentTransaction, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        throw AdaptyError(.reporting)
    }

    /// - Throws: ``AdaptyError`` 1006, always.
    public static func reportTransaction(
        _ transaction: Transaction, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        throw AdaptyError(.reporting)
    }

    /// - Throws: ``AdaptyError`` 1006, always.
    public static func reportTransaction(
        _ transaction: VerificationResult<Transaction>, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        throw AdaptyError(.reporting)
    }

    /// A purchase that the person cancelled does not need a report.
    /// - Throws: ``AdaptyError`` 1050 for a pending purchase, else 1006.
    public static func reportPurchaseResult(
        _ result: Product.PurchaseResult, withVariationId variationId: String? = nil
    ) async throws(AdaptyError) {
        switch result {
        case .userCancelled: return
        case .pending:
            throw AdaptyError(.paymentPendingError, "The purchase is pending. Wait for it in StoreKit's Transaction.updates.")
        default: throw AdaptyError(.reporting)
        }
    }

    public static func reportTransaction(
        _ transaction: SKPaymentTransaction, withVariationId variationId: String? = nil,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { throw AdaptyError(.reporting) }
    }

    public static func reportTransaction(
        _ transaction: Transaction, withVariationId variationId: String? = nil, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { throw AdaptyError(.reporting) }
    }

    public static func reportTransaction(
        _ transaction: VerificationResult<Transaction>, withVariationId variationId: String? = nil,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { throw AdaptyError(.reporting) }
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
        throw AdaptyError(.reporting)
    }

    @available(*, deprecated, renamed: "reportTransaction(_:withVariationId:)")
    public static func setVariationId(
        _ variationId: String, forPurchasedTransaction transaction: Transaction
    ) async throws(AdaptyError) {
        throw AdaptyError(.reporting)
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
    /// Always nil.
    public var sk2Product: Product? { nil }
}

extension AdaptyPurchaseResult {
    private var transaction: (any Sendable)? { if case .success(_, let transaction) = self { transaction } else { nil } }

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
