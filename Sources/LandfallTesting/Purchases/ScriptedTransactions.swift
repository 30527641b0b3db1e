// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// A store in memory: what it has, what it lists as its customer's, and what it reports by itself. It outlives the clients, as a
/// store does.
public final class ScriptedTransactions: TransactionSource, Sendable {
    private struct Store: Sendable {
        var transactions: [StoreTransaction]
        var entitlements: [StoreEntitlement] = []
        var reads = 0
        var isSilent = false
        var synchronizing: @Sendable () async throws -> Void = {}
        var listeners: [AsyncStream<StoreTransaction>.Continuation] = []
    }

    private let store: Watched<Store>

    public init(_ transactions: [StoreTransaction] = []) { store = Watched(Store(transactions: transactions)) }

    /// True: a reading of the history or of the entitlements begins and does not end. False ends those that wait.
    public var isSilent: Bool {
        get { store.withLock { $0.isSilent } }
        set { store.withLock { $0.isSilent = newValue } }
    }

    /// What the store lists as its customer's from now on. Who has read it before hears of it by ``add(_:isReported:)``, or reads it again
    /// when the app becomes active.
    public var entitlements: [StoreEntitlement] {
        get { store.withLock { $0.entitlements } }
        set { store.withLock { $0.entitlements = newValue } }
    }

    /// Puts a transaction into the history.
    /// - Parameters:
    ///   - transaction: replaces the one with the same id.
    ///   - isReported: false if the app itself sold it on this phone, which a store does not report. Default true.
    public func add(_ transaction: StoreTransaction, isReported: Bool = true) {
        let listeners = store.withLock { store in
            store.transactions.removeAll { $0.id == transaction.id }
            store.transactions.append(transaction)
            return isReported ? store.listeners : []
        }
        for listener in listeners { listener.yield(transaction) }
    }

    /// What happens when the store itself is asked for everything, for example that it adds a transaction, or throws
    /// `CancellationError` because the person does not sign in. Default: nothing.
    public func onSynchronize(_ body: @escaping @Sendable () async throws -> Void) { store.withLock { $0.synchronizing = body } }

    /// Returns once the history was read this often, or the calling task is cancelled.
    public func waitForReads(_ count: Int = 1) async { await store.wait { $0.reads >= count } }

    /// Returns once somebody hears what the store reports, or the calling task is cancelled.
    public func waitForListener() async { await store.wait { !$0.listeners.isEmpty } }

    public func history() -> AsyncStream<StoreTransaction> {
        stream { store in
            store.withLock { $0.reads += 1 }
            await store.wait { !$0.isSilent }
            return store.withLock { $0.transactions }
        }
    }

    public func currentEntitlements() -> AsyncStream<StoreEntitlement> {
        stream { store in
            await store.wait { !$0.isSilent }
            return store.withLock { $0.entitlements }
        }
    }

    private func stream<Element: Sendable>(of elements: @escaping @Sendable (Watched<Store>) async -> [Element]) -> AsyncStream<Element> {
        let (stream, voice) = AsyncStream<Element>.makeStream()
        let reading = Task {
            for element in await elements(store) { voice.yield(element) }
            voice.finish()
        }
        voice.onTermination = { _ in reading.cancel() }
        return stream
    }

    public func synchronize() async throws {
        let body = store.withLock { $0.synchronizing }
        try await body()
    }

    public func updates() -> AsyncStream<StoreTransaction> {
        let (stream, voice) = AsyncStream<StoreTransaction>.makeStream()
        store.withLock { $0.listeners.append(voice) }
        return stream
    }
}
