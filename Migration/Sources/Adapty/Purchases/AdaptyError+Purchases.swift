// SPDX-License-Identifier: Apache-2.0
import Landfall

extension AdaptyError {
    /// Why a transaction is not this person's.
    init(_ verdict: PurchaseVerdict) {
        switch verdict {
        case .notFound:
            self.init(.unknownTransactionId, "StoreKit has no such transaction on this phone. Report it before you call finish().")
        case .owned:
            self.init(.badRequest, "The purchase belongs to another profile, which keeps it. Tell the person to sign in as they did then.")
        default:
            self.init(
                .badRequest, "The server does not take this transaction (\(verdict.rawValue)). docs/features/purchases.md has the codes.")
        }
    }

    /// An error of loading products, where the code is another one than that of buying.
    init(loading error: any Error) {
        let translated = AdaptyError(translated: error)
        let code = translated.adaptyErrorCode == .productPurchaseFailed ? .productRequestFailed : translated.adaptyErrorCode
        self.init(code, translated.message, originalError: translated.originalError)
    }
}

extension AdaptyError.ErrorCode {
    init(_ error: PurchaseError) {
        switch error {
        case .productUnknown: self = .wrongParam
        case .notForSale: self = .noProductIDsFound
        case .notAllowed: self = .cantMakePayments
        case .network: self = .networkFailed
        case .rejected, .ownedByAnother: self = .badRequest
        case .store, .unverified, .underWay: self = .productPurchaseFailed
        }
    }
}
