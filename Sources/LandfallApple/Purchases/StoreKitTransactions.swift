// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit)
public import Landfall
internal import StoreKit

/// The transactions of StoreKit, those that it cannot verify on the phone included: the server decides. It finishes none.
public final class StoreKitTransactions: TransactionSource {
    public init() {}

    public func history() -> AsyncStream<StoreTransaction> { stream { StoreKit.Transaction.all } }

    public func updates() -> AsyncStream<StoreTransaction> { stream { StoreKit.Transaction.updates } }

    public func synchronize() async throws {
        do { try await AppStore.sync() } catch StoreKitError.userCancelled { throw CancellationError() }
    }

    private func stream(of transactions: @escaping @Sendable () -> StoreKit.Transaction.Transactions) -> AsyncStream<StoreTransaction> {
        let (stream, voice) = AsyncStream<StoreTransaction>.makeStream()
        let reading = Task {
            for await result in transactions() { voice.yield(StoreTransaction(result)) }
            voice.finish()
        }
        voice.onTermination = { _ in reading.cancel() }
        return stream
    }
}

extension StoreTransaction {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
        let transaction = result.unsafePayloadValue
        self.init(id: String(transaction.id), jws: result.jwsRepresentation, signedAt: transaction.signedDate)
    }
}
#endif
