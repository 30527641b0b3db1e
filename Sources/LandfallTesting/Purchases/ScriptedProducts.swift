// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// A store in memory that sells: the person in front of its sheet does what the test says. It outlives the clients, as a store does.
/// ```swift
/// let store = ScriptedProducts([yearly], clock: clock)
/// let client = server.client(preparing: ["onboarding"]) { $0.products = store }
/// ```
public final class ScriptedProducts: ProductSource, Sendable {
    /// What happens in the sheet.
    public enum Person: Hashable, Sendable {
        case buys
        case cancels
        /// Somebody else has to approve it: ``ScriptedProducts/approve(_:)``.
        case asksForApproval
        /// The store cannot verify what was bought.
        case buysUnverified
        /// The purchase fails, and nothing is bought.
        case fails(PurchaseError)
        /// The person has bought it, and the app does not hear of it.
        case buysUnheard
    }

    private struct Store: Sendable {
        var products: [StoreProduct]
        var person = Person.buys
        var isSilent = false
        var sheets: [Sheet] = []
        var lastID = 0
        var unfinished: [SoldTransaction] = []
        var finished: [String] = []
        var listeners: [AsyncStream<SoldTransaction>.Continuation] = []
        var promoted: [AsyncStream<PromotedPurchase>.Continuation] = []
    }

    /// A sheet that was opened.
    public struct Sheet: Hashable, Sendable {
        public let productID: String
        /// The person's `Profile.purchaseToken`.
        public let token: UUID?

        public init(productID: String, token: UUID?) {
            self.productID = productID
            self.token = token
        }
    }

    private let clock: ManualClock
    private let history: ScriptedTransactions?
    private let store: Watched<Store>

    /// - Parameters:
    ///   - products: what it sells. Another product is not for sale.
    ///   - clock: dates the purchases.
    ///   - history: gets every purchase too, as the store's history does. Default nil.
    public init(_ products: [StoreProduct] = [], clock: ManualClock, history: ScriptedTransactions? = nil) {
        self.clock = clock
        self.history = history
        store = Watched(Store(products: products))
    }

    // MARK: What happens

    /// What the person does in the next sheets. Default ``Person/buys``.
    public var person: Person {
        get { store.withLock { $0.person } }
        set { store.withLock { $0.person = newValue } }
    }

    /// True: a sheet opens and stays open, and products do not load. False lets them go on.
    public var isSilent: Bool {
        get { store.withLock { $0.isSilent } }
        set { store.withLock { $0.isSilent = newValue } }
    }

    /// The purchase that waits for approval is made, today or days later.
    public func approve(_ productID: String) { report(sell(productID)) }

    /// The store reports a transaction of the product by itself, such as a renewal.
    public func renew(_ productID: String) { report(sell(productID)) }

    /// The person chooses the product on the store's page of the app.
    public func promote(_ productID: String) {
        for listener in store.withLock(\.promoted) { listener.yield(PromotedPurchase(productID: productID)) }
    }

    // MARK: What it has seen

    /// The sheets that were opened.
    public var sheets: [Sheet] { store.withLock(\.sheets) }
    /// The ids of the finished transactions, in their order.
    public var finished: [String] { store.withLock(\.finished) }
    /// The transactions that nobody has finished.
    public var waiting: [SoldTransaction] { store.withLock(\.unfinished) }

    /// Returns once this number of sheets was opened, or the calling task is cancelled.
    public func waitForSheets(_ count: Int = 1) async { await store.wait { $0.sheets.count >= count } }
    /// Returns once this number of transactions is finished, or the calling task is cancelled.
    public func waitForFinished(_ count: Int = 1) async { await store.wait { $0.finished.count >= count } }
    /// Returns once somebody hears what the store reports, or the calling task is cancelled.
    public func waitForListener() async { await store.wait { !$0.listeners.isEmpty } }
    /// Returns once somebody hears of promoted products, or the calling task is cancelled.
    public func waitForPromotionListener() async { await store.wait { !$0.promoted.isEmpty } }

    // MARK: The source

    public func products(_ ids: [String]) async throws -> [StoreProduct] {
        await store.wait { !$0.isSilent }
        return store.withLock { $0.products.filter { ids.contains($0.id) } }
    }

    public func purchase(_ productID: String, token: UUID?) async throws -> StorePurchase {
        let isSold = store.withLock { $0.products.contains { $0.id == productID } }
        guard isSold else { throw PurchaseError.notForSale([productID]) }
        store.withLock { $0.sheets.append(Sheet(productID: productID, token: token)) }
        await store.wait { !$0.isSilent }
        switch person {
        case .buys: return .bought(sell(productID))
        case .cancels: return .cancelled
        case .asksForApproval: return .pending
        case .buysUnverified: return .unverified("invalidSignature")
        case .fails(let error): throw error
        case .buysUnheard:
            _ = sell(productID)
            throw PurchaseError.network("The connection was lost.")
        }
    }

    public func unfinished() -> AsyncStream<SoldTransaction> {
        AsyncStream { voice in
            for sold in store.withLock(\.unfinished) { voice.yield(sold) }
            voice.finish()
        }
    }

    public func updates() -> AsyncStream<SoldTransaction> {
        let (stream, voice) = AsyncStream<SoldTransaction>.makeStream()
        store.withLock { $0.listeners.append(voice) }
        return stream
    }

    public func finish(_ transactionID: String) async {
        store.withLock { store in
            guard let place = store.unfinished.firstIndex(where: { $0.transaction.id == transactionID }) else { return }
            store.unfinished.remove(at: place)
            store.finished.append(transactionID)
        }
    }

    public func promotedPurchases() -> AsyncStream<PromotedPurchase> {
        let (stream, voice) = AsyncStream<PromotedPurchase>.makeStream()
        store.withLock { $0.promoted.append(voice) }
        return stream
    }

    private func sell(_ productID: String) -> SoldTransaction {
        let date = clock.date
        let sold = store.withLock { store in
            store.lastID += 1
            let transaction = StoreTransaction(id: "\(store.lastID)", jws: "h.\(store.lastID)-0.s", signedAt: date)
            let sold = SoldTransaction(transaction, of: productID, purchasedAt: date)
            store.unfinished.append(sold)
            return sold
        }
        history?.add(sold.transaction, isReported: false)
        return sold
    }

    private func report(_ sold: SoldTransaction) {
        for listener in store.withLock(\.listeners) { listener.yield(sold) }
    }
}
