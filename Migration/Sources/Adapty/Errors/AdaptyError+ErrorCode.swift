// SPDX-License-Identifier: Apache-2.0

extension AdaptyError {
    /// The numbers that apps already use in a `switch`. Landfall throws those whose comment says when; the others exist only for the
    /// `switch`.
    public enum ErrorCode: Int, Sendable, CaseIterable {
        /// Every error without a number of its own; the message says what happened.
        case unknown = 0

        // StoreKit's own.
        case clientInvalid = 1
        /// `restorePurchases`: the person did not sign in.
        case paymentCancelled = 2
        case paymentInvalid = 3
        case paymentNotAllowed = 4
        case storeProductNotAvailable = 5
        case cloudServicePermissionDenied = 6
        case cloudServiceNetworkConnectionFailed = 7
        case cloudServiceRevoked = 8
        case privacyAcknowledgementRequired = 9
        case unauthorizedRequestData = 10
        case invalidOfferIdentifier = 11
        case invalidSignature = 12
        case missingOfferParams = 13
        case invalidOfferPrice = 14

        /// The store sells none of the products here.
        case noProductIDsFound = 1000
        /// `getPaywallProducts`: the store failed.
        case productRequestFailed = 1002
        /// The phone's settings forbid purchases, or there is no store.
        case cantMakePayments = 1003
        /// `getReceipt`: Landfall reads no receipts.
        case cantReadReceipt = 1005
        /// The store failed, or could not verify the transaction on this phone.
        case productPurchaseFailed = 1006
        case refreshReceiptFailed = 1010
        case fetchSubscriptionStatusFailed = 1020
        /// `reportTransaction`: StoreKit does not have it on this phone.
        case unknownTransactionId = 1030
        /// `reportPurchaseResult` of a purchase that waits for approval.
        case paymentPendingError = 1050

        /// `activate` was not called, or not in time for this call.
        case notActivated = 2002
        /// The server refused the call; the same call fails again.
        case badRequest = 2003
        /// The server failed; the same call may succeed later.
        case serverError = 2004
        /// The network failed.
        case networkFailed = 2005
        /// An answer or a file has the wrong form.
        case decodingFailed = 2006
        case encodingFailed = 2009

        case analyticsDisabled = 3000
        /// An argument is outside its limits.
        case wrongParam = 3001
        /// A second `activate` with another configuration.
        case activateOnceError = 3005
        /// Never thrown: a call follows the profile when it becomes another one.
        case profileWasChanged = 3006
        /// Landfall does not have the feature; the message says what replaces it.
        case unsupportedData = 3007
        /// Never thrown: `logout` of an anonymous profile gives a fresh one.
        case unidentifiedUserLogout = 3020
        /// There was nothing to show when the load time-out ended.
        case fetchTimeoutError = 3101
        /// The calling task was cancelled.
        case operationInterrupted = 9000
    }
}
