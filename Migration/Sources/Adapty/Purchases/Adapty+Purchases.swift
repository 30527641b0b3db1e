// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

// Landfall makes no purchases yet. Every call here throws at once, before and after `activate`, and says what to use.
extension Adapty {
    /// - Throws: ``AdaptyError`` 1002, always. Use `Product.products(for: paywall.vendorProductIds)`.
    public static func getPaywallProducts(paywall: AdaptyPaywall) async throws(AdaptyError) -> [any AdaptyPaywallProduct] {
        throw AdaptyError(.products)
    }

    /// - Throws: as ``getPaywallProducts(paywall:)``.
    public static func getPaywallProductsWithoutDeterminingOffer(
        paywall: AdaptyPaywall
    ) async throws(AdaptyError) -> [any AdaptyPaywallProductWithoutDeterminingOffer] {
        throw AdaptyError(.products)
    }

    /// - Throws: ``AdaptyError`` 1003, always. Use StoreKit's `product.purchase()`.
    public static func makePurchase(product: any AdaptyPaywallProduct) async throws(AdaptyError) -> AdaptyPurchaseResult {
        throw AdaptyError(.purchases)
    }

    /// - Throws: ``AdaptyError`` 1003, always.
    public static func makePurchase(product: AdaptyDeferredProduct) async throws(AdaptyError) -> AdaptyPurchaseResult {
        throw AdaptyError(.purchases)
    }

    /// - Throws: ``AdaptyError`` 1003, always. Use StoreKit's `AppStore.sync()`.
    public static func restorePurchases() async throws(AdaptyError) -> AdaptyProfile { throw AdaptyError(.restoring) }

    /// - Throws: ``AdaptyError`` 1006, always. Use StoreKit's `Transaction.unfinished`.
    public static func getUnfinishedTransactions() async throws(AdaptyError) -> [AdaptyUnfinishedTransaction] {
        throw AdaptyError(.transactions)
    }

    /// - Throws: ``AdaptyError`` 1005, always. Use StoreKit's `AppTransaction.shared`.
    public static func getReceipt() async throws(AdaptyError) -> Data { throw AdaptyError(.receipts) }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func updateCollectingRefundDataConsent(_ consent: Bool) async throws(AdaptyError) {
        throw AdaptyError(.refunds)
    }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func updateRefundPreference(_ preference: AdaptyRefundPreference) async throws(AdaptyError) {
        throw AdaptyError(.refunds)
    }

    /// Does nothing; the log says once what to use.
    public static func presentCodeRedemptionSheet() { say(.codeRedemption) }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func openWebPaywall(
        for product: any AdaptyPaywallProduct, in presentation: AdaptyWebPresentation = .externalBrowser
    ) async throws(AdaptyError) {
        throw AdaptyError(.webPaywalls)
    }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func openWebPaywall(
        for paywall: AdaptyPaywall, in presentation: AdaptyWebPresentation = .externalBrowser
    ) async throws(AdaptyError) {
        throw AdaptyError(.webPaywalls)
    }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func createWebPaywallUrl(for product: any AdaptyPaywallProduct) async throws(AdaptyError) -> URL {
        throw AdaptyError(.webPaywalls)
    }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func createWebPaywallUrl(for paywall: AdaptyPaywall) async throws(AdaptyError) -> URL {
        throw AdaptyError(.webPaywalls)
    }
}

extension Notice {
    static let codeRedemption = Notice(
        "presentCodeRedemptionSheet shows nothing. Use SwiftUI's offerCodeRedemption(isPresented:), or StoreKit's AppStore.presentOfferCodeRedeemSheet(in:)."
    )
}
