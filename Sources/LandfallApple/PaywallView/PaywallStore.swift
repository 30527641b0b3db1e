// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall

/// What ``LandfallPaywallView`` asks of the store. By default the client sells; an app that sells with its own code, or with another SDK,
/// gives its own.
public struct PaywallStore: Sendable {
    /// How a purchase ended that did not fail.
    public enum Purchase: Hashable, Sendable {
        case purchased
        /// Somebody else has to approve it.
        case pending
        case cancelled
    }

    let products: @MainActor (PaywallResult) async throws -> [StoreProduct]
    let purchase: @MainActor (String, PaywallResult) async throws -> Purchase
    let restore: @MainActor () async throws -> Bool

    /// - Parameters:
    ///   - products: the products of the paywall that the store has, in any order.
    ///   - purchase: sells the product of this id, for this result, and returns when the store has decided. An error says that it
    ///     failed; `CancellationError` is the same as ``Purchase/cancelled``.
    ///   - restore: returns whether the person has something now. `CancellationError` says that they did not want it.
    public init(
        products: @escaping @MainActor (_ shown: PaywallResult) async throws -> [StoreProduct],
        purchase: @escaping @MainActor (_ productID: String, _ shown: PaywallResult) async throws -> Purchase,
        restore: @escaping @MainActor () async throws -> Bool
    ) {
        self.products = products
        self.purchase = purchase
        self.restore = restore
    }

    /// The client sells: `LandfallClient.products(of:within:)`, `LandfallClient.purchase(_:from:within:)` and
    /// `LandfallClient.restorePurchases(within:)`, which has restored something if any access level is open then.
    public init(_ client: LandfallClient) {
        self.init(
            products: { shown in
                do {
                    return try await client.products(of: shown)
                } catch PurchaseError.notForSale {
                    // The log has said so, and to try again may help: the store may be slow to know a new product.
                    return []
                }
            },
            purchase: { product, shown in
                switch try await client.purchase(product, from: shown) {
                case .purchased: .purchased
                case .pending: .pending
                case .cancelled: .cancelled
                }
            },
            restore: { try await client.restorePurchases().hasAccess })
    }
}
#endif
