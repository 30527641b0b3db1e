// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import UIKitCore

/// Not in Apple's module: what the App Store sells, and what the person does in its sheet.
public enum SellingScript {
    public struct Details: Sendable {
        public var displayName = "", description = "", displayPrice = "", currency = "EUR"
        public var price: Decimal = 0
        public var subscription: Product.SubscriptionInfo?

        public init() {}
    }

    /// A sheet that was opened.
    public struct Sheet: Hashable, Sendable {
        public let productID: String
        public let token: UUID?
        public let isInScene: Bool
    }

    private struct Script {
        var products: [String: Details] = [:]
        var eligibleGroups: Set<String> = []
        var loading: (any Error)?
        var person: @Sendable (Product) throws -> Product.PurchaseResult = { _ in .userCancelled }
        var sheets: [Sheet] = []
        var listeners: [AsyncStream<PurchaseIntent>.Continuation] = []
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var script = Script()

    /// Guarded by `lock`.
    public static var products: [String: Details] {
        get { lock.withLock { script.products } }
        set { lock.withLock { script.products = newValue } }
    }
    public static var eligibleGroups: Set<String> {
        get { lock.withLock { script.eligibleGroups } }
        set { lock.withLock { script.eligibleGroups = newValue } }
    }
    /// What loading products throws.
    public static var loading: (any Error)? {
        get { lock.withLock { script.loading } }
        set { lock.withLock { script.loading = newValue } }
    }
    /// How a sheet ends.
    public static var person: @Sendable (Product) throws -> Product.PurchaseResult {
        get { lock.withLock { script.person } }
        set { lock.withLock { script.person = newValue } }
    }
    public static var sheets: [Sheet] { lock.withLock { script.sheets } }
    public static var isHeard: Bool { lock.withLock { !script.listeners.isEmpty } }

    /// The person chooses the product on the App Store's page.
    public static func promote(_ productID: String) {
        for listener in lock.withLock({ script.listeners }) { listener.yield(PurchaseIntent(product: Product(id: productID))) }
    }

    public static func reset() { lock.withLock { script = Script() } }

    static func details(of id: String) -> Details { products[id] ?? Details() }

    static func products(_ ids: [String]) throws -> [Product] {
        if let loading { throw loading }
        return ids.filter { products[$0] != nil }.map { Product(id: $0) }
    }

    @MainActor static func purchase(_ product: Product, _ token: UUID?, in scene: UIScene?) throws -> Product.PurchaseResult {
        lock.withLock { script.sheets.append(Sheet(productID: product.id, token: token, isInScene: scene != nil)) }
        return try person(product)
    }

    static func intents() -> AsyncStream<PurchaseIntent> {
        let (stream, voice) = AsyncStream<PurchaseIntent>.makeStream()
        lock.withLock { script.listeners.append(voice) }
        return stream
    }
}
