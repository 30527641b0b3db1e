// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
public import Landfall
internal import StoreKit

/// The transactions of StoreKit, those that it cannot verify on the phone included: the server decides. It finishes none.
public final class StoreKitTransactions: TransactionSource {
    public init() {}

    public func history() -> AsyncStream<StoreTransaction> { AsyncStream(of: { StoreKit.Transaction.all }, StoreTransaction.init) }

    /// Those that StoreKit has verified. Subscriptions that do not renew are missing: only the server's configuration knows their end.
    public func currentEntitlements() -> AsyncStream<StoreEntitlement> {
        AsyncStream(of: { StoreKit.Transaction.currentEntitlements }, StoreEntitlement.init)
    }

    public func updates() -> AsyncStream<StoreTransaction> { AsyncStream(of: { StoreKit.Transaction.updates }, StoreTransaction.init) }

    public func synchronize() async throws {
        do { try await AppStore.sync() } catch StoreKitError.userCancelled { throw CancellationError() }
    }
}

extension AsyncStream where Element: Sendable {
    /// What one of StoreKit's sequences gives, until it or the reader ends.
    /// - Parameter element: nil for what is left out.
    init(
        of transactions: @escaping @Sendable () -> StoreKit.Transaction.Transactions,
        _ element: @escaping @Sendable (VerificationResult<StoreKit.Transaction>) -> Element?
    ) {
        let (stream, voice) = Self.makeStream()
        let reading = Task {
            for await result in transactions() { if let element = element(result) { voice.yield(element) } }
            voice.finish()
        }
        voice.onTermination = { _ in reading.cancel() }
        self = stream
    }
}

extension StoreTransaction {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
        let transaction = result.unsafePayloadValue
        self.init(
            id: String(transaction.id), jws: result.jwsRepresentation, signedAt: transaction.signedDate,
            isRevoked: result.verified?.revocationDate != nil)
    }
}

extension StoreEntitlement {
    fileprivate init?(_ result: VerificationResult<StoreKit.Transaction>) {
        guard let transaction = result.verified, transaction.revocationDate == nil else { return nil }
        switch transaction.productType {
        case .autoRenewable where transaction.expirationDate != nil, .nonConsumable: break
        default: return nil
        }
        self.init(
            transactionID: String(transaction.id), originalTransactionID: String(transaction.originalID), productID: transaction.productID,
            signedAt: transaction.signedDate, startsAt: transaction.purchaseDate, endsAt: transaction.expirationDate,
            isSandbox: transaction.environment != .production)
    }
}

extension VerificationResult<StoreKit.Transaction> {
    fileprivate var verified: StoreKit.Transaction? { if case .verified(let transaction) = self { transaction } else { nil } }
}
#endif
