// SPDX-License-Identifier: Apache-2.0

/// A transaction that Apple signed for this app.
package struct SignedTransaction: Hashable, Sendable {
    package let jws: VerifiedJWS
    package let environment: AppStoreEnvironment
    package let transaction: TransactionPayload

    package var chain: ChainID { ChainID(environment: environment, originalTransactionID: transaction.originalTransactionID) }
}

/// What the App Store says about the next renewal of a subscription. It names no app, so it counts only beside a transaction.
package struct SignedRenewal: Hashable, Sendable {
    package let jws: VerifiedJWS
    package let environment: AppStoreEnvironment
    package let renewal: RenewalPayload

    package var chain: ChainID { ChainID(environment: environment, originalTransactionID: renewal.originalTransactionID) }
}

/// A notification of the App Store, with what was signed inside it.
package struct SignedNotification: Hashable, Sendable {
    package let jws: VerifiedJWS
    /// Nil for an envelope that does not say it.
    package let environment: AppStoreEnvironment?
    package let notification: NotificationPayload
    package let transaction: SignedTransaction?
    /// Nil also where no transaction is beside it.
    package let renewal: SignedRenewal?
}
