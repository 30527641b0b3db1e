// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adapty {
    /// The products of the paywall as the store sells them to this person, in the paywall's order, with the introductory offer that the
    /// person gets. One that the store does not sell is left out, and the log names it.
    /// - Throws: ``AdaptyError`` 1000 if the store sells none of them, 1002 or 2005 if it could not be asked within 10 seconds, 2002, 9000.
    public static func getPaywallProducts(paywall: AdaptyPaywall) async throws(AdaptyError) -> [any AdaptyPaywallProduct] {
        try await Activation.current.products(of: paywall, determiningOffer: true)
    }

    /// As ``getPaywallProducts(paywall:)``, without the offer.
    public static func getPaywallProductsWithoutDeterminingOffer(
        paywall: AdaptyPaywall
    ) async throws(AdaptyError) -> [any AdaptyPaywallProductWithoutDeterminingOffer] {
        try await Activation.current.products(of: paywall, determiningOffer: false)
    }

    /// Opens the store's own sheet. The server verifies the purchase, within 10 seconds; StoreKit's transaction is finished once the server
    /// has it on disk, in this launch or a later one.
    /// - Throws: ``AdaptyError`` 1003 if the phone allows no purchases, 1000, 1006, 2005, 2003 if the server does not take what was paid,
    ///   2002, 9000.
    public static func makePurchase(product: any AdaptyPaywallProduct) async throws(AdaptyError) -> AdaptyPurchaseResult {
        try await Activation.current.makePurchase(of: product.vendorProductId, from: (product as? PaywallProduct)?.paywall)
    }

    /// For a product that the person chose on the App Store's page of the app.
    /// - Throws: as for a product of a paywall.
    public static func makePurchase(product: AdaptyDeferredProduct) async throws(AdaptyError) -> AdaptyPurchaseResult {
        try await Activation.current.makePurchase(of: product.vendorProductId, from: nil)
    }

    /// Asks the store for everything that the person has bought, and claims it for them at the server. For a button: the store may ask
    /// them to sign in.
    /// - Throws: ``AdaptyError`` 2 if they do not, 2003, 2004, 2005, 2002, 9000.
    public static func restorePurchases() async throws(AdaptyError) -> AdaptyProfile {
        try await Activation.current.restorePurchases()
    }

    /// The transactions that StoreKit has verified on this phone, and nobody has finished.
    /// - Throws: ``AdaptyError`` 2002, 9000.
    public static func getUnfinishedTransactions() async throws(AdaptyError) -> [AdaptyUnfinishedTransaction] {
        try await Activation.current.unfinishedTransactions()
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
