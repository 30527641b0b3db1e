// SPDX-License-Identifier: Apache-2.0
//
// The names of purchases that apps pass to other SDKs, declared as Swift imports Apple's framework. Difference from Apple's: no
// store stands behind them, and a test makes the values.
public import Foundation

/// A product of StoreKit 1.
open class SKProduct: NSObject, @unchecked Sendable {}

/// A payment of StoreKit 1.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {}

public struct Transaction: Hashable, Sendable {
    public let id: UInt64
    public let productID: String
    public let signedDate: Date
    fileprivate let jws: String

    /// Not in Apple's module.
    public init(id: UInt64, productID: String = "", signedDate: Date = Date(timeIntervalSince1970: 0), jws: String = "") {
        self.id = id
        self.productID = productID
        self.signedDate = signedDate
        self.jws = jws
    }

    public func finish() async { TransactionScript.finished(self) }

    public struct Transactions: AsyncSequence {
        fileprivate let stream: AsyncStream<VerificationResult<Transaction>>

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate var iterator: AsyncStream<VerificationResult<Transaction>>.Iterator

            public mutating func next() async -> VerificationResult<Transaction>? { await iterator.next() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }

    public static var all: Transactions { Transactions(stream: TransactionScript.stream(of: TransactionScript.history)) }
    public static var updates: Transactions { Transactions(stream: TransactionScript.listen()) }
    public static var unfinished: Transactions { Transactions(stream: TransactionScript.stream(of: TransactionScript.unfinished)) }
    /// Nothing is bought here.
    public static var currentEntitlements: Transactions { Transactions(stream: TransactionScript.stream(of: [])) }
}

public enum AppStore {
    public static func sync() async throws { try await TransactionScript.sync() }
}

public enum StoreKitError: Error {
    case unknown, userCancelled, notAvailableInStorefront, notEntitled
    case networkError(URLError)
    case systemError(any Error)
}

/// Not in Apple's module: what the store has, what it reports, and what was finished.
public enum TransactionScript {
    private struct Script {
        var history: [VerificationResult<Transaction>] = []
        var finished: [UInt64] = []
        var sync: @Sendable () async throws -> Void = {}
        var listeners: [AsyncStream<VerificationResult<Transaction>>.Continuation] = []
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var script = Script()

    /// Guarded by `lock`.
    public static var history: [VerificationResult<Transaction>] {
        get { lock.withLock { script.history } }
        set { lock.withLock { script.history = newValue } }
    }

    /// What `AppStore.sync()` does.
    public static var sync: @Sendable () async throws -> Void {
        get { lock.withLock { script.sync } }
        set { lock.withLock { script.sync = newValue } }
    }

    public static var unfinished: [VerificationResult<Transaction>] {
        lock.withLock { script.history.filter { !script.finished.contains($0.unsafePayloadValue.id) } }
    }

    public static var finishedIDs: [UInt64] { lock.withLock { script.finished } }
    public static var isHeard: Bool { lock.withLock { !script.listeners.isEmpty } }

    /// The store reports it to all who listen.
    public static func report(_ transaction: VerificationResult<Transaction>) {
        for listener in lock.withLock({ script.listeners }) { listener.yield(transaction) }
    }

    public static func reset() { lock.withLock { script = Script() } }

    fileprivate static func finished(_ transaction: Transaction) { lock.withLock { script.finished.append(transaction.id) } }

    fileprivate static func stream(of results: [VerificationResult<Transaction>]) -> AsyncStream<VerificationResult<Transaction>> {
        AsyncStream { voice in
            for result in results { voice.yield(result) }
            voice.finish()
        }
    }

    fileprivate static func listen() -> AsyncStream<VerificationResult<Transaction>> {
        let (stream, voice) = AsyncStream<VerificationResult<Transaction>>.makeStream()
        lock.withLock { script.listeners.append(voice) }
        return stream
    }
}

public enum VerificationResult<SignedType: Sendable>: Sendable {
    public enum VerificationError: Error {
        case revokedCertificate, invalidCertificateChain, invalidDeviceVerification, invalidEncoding, invalidSignature
        case missingRequiredProperties
    }

    case unverified(SignedType, VerificationError)
    case verified(SignedType)

    public var unsafePayloadValue: SignedType {
        switch self {
        case .unverified(let value, _), .verified(let value): value
        }
    }
}

extension VerificationResult where SignedType == Transaction {
    /// Not signed: what the test says.
    public var jwsRepresentation: String { unsafePayloadValue.jws }
}

public struct Product: Hashable, Sendable {
    public enum PurchaseResult: Sendable {
        case success(VerificationResult<Transaction>)
        case userCancelled
        case pending
    }

    public let id: String

    /// Not in Apple's module.
    public init(id: String) { self.id = id }
}
