// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension LandfallClient {
    /// Sells a product of a paywall in the store's own sheet, and says what the person may use then.
    /// ```swift
    /// switch try await landfall.purchase("yearly", from: shown) {
    /// case .purchased(let profile): open(profile.access("premium"))
    /// case .pending: tell("Waiting for approval.")
    /// case .cancelled: break
    /// }
    /// ```
    /// The purchase carries the person's ``Profile/purchaseToken``; if the server has not shown the person yet, the sheet waits for it at
    /// most 2 s. The server hears of the purchase, and of the exposure that led to it, and the store's transaction is finished once the
    /// server has it on disk. Until then the store keeps it: after a kill, a lost answer or days offline the next launch goes on, also
    /// with a purchase that somebody approves later. In ``CollectionMode/off`` the server hears nothing, and nothing is finished.
    ///
    /// From then on the client also reports and finishes every other verified transaction of that product, such as its renewals; other
    /// products' it leaves to the app. A second call for the same product while the first one runs gets the same answer. A caller that is
    /// cancelled leaves the sheet open.
    /// - Parameters:
    ///   - product: a product id of the paywall, or its end behind a dot: `yearly` for `com.example.app.yearly`. Without a paywall, a
    ///     product id.
    ///   - shown: the result whose paywall the person sees, and whose exposure was recorded. nil, the default, for a purchase without one.
    ///   - limit: how long to wait for the server after the payment: 0…1 day, anything else is clamped; default 10 seconds.
    /// - Throws: ``PurchaseError``; ``LandfallError`` if the client or its files cannot be used, or there is no store; then nothing was
    ///   bought. `CancellationError`.
    public func purchase(
        _ product: String, from shown: PaywallResult? = nil, within limit: Duration = .seconds(10)
    ) async throws -> PurchaseResult {
        try await launch.purchase(product, from: shown, within: limit)
    }

    /// The products of a paywall as the store sells them to this person, in the paywall's order: prices, periods, introductory offers.
    /// One that the store does not sell is left out, and the log names it. Empty if nothing, or no product, is shown.
    /// - Parameters:
    ///   - shown: the result whose paywall names the products.
    ///   - limit: 0…1 day, anything else is clamped; default 10 seconds.
    /// - Throws: ``PurchaseError``, ``PurchaseError/notForSale(_:)`` if the store sells none of them; ``LandfallError`` without a store;
    ///   `CancellationError`.
    public func products(of shown: PaywallResult, within limit: Duration = .seconds(10)) async throws -> [StoreProduct] {
        try await launch.products(of: shown, within: limit)
    }

    /// Products that the person chose on the App Store's page of the app.
    ///
    /// Listen from the launch on, and buy when it suits:
    ///
    /// ```swift
    /// for await promoted in landfall.promotedPurchases {
    ///     _ = try? await landfall.purchase(promoted.productID)
    /// }
    /// ```
    ///
    /// One listener gets each; without one the store keeps them. Ends with ``shutdown(within:)``.
    public var promotedPurchases: AsyncStream<PromotedPurchase> { launch.promotedPurchases() }
}
