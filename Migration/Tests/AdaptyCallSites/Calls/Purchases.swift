// SPDX-License-Identifier: Apache-2.0
import Adapty
import StoreKit

// Call site: the products of a paywall, as rows.
func rows(of paywall: AdaptyPaywall) async throws -> [String] {
    let products = try await Adapty.getPaywallProducts(paywall: paywall)
    return products.map { product in
        let period = product.subscriptionPeriod.map { "\($0.numberOfUnits) \($0.unit)" } ?? "for ever"
        let offer = product.subscriptionOffer.map { $0.paymentMode == .freeTrial ? "free" : $0.localizedPrice ?? "" } ?? ""
        return "\(product.localizedTitle) \(product.localizedPrice ?? "\(product.price)") \(period) \(offer)"
    }
}

// Call site: the products before the offer is known.
func quickRows(of paywall: AdaptyPaywall) async -> [String] {
    let products = try? await Adapty.getPaywallProductsWithoutDeterminingOffer(paywall: paywall)
    return products?.map { "\($0.vendorProductId) \($0.paywallProductIndex) \($0.currencyCode ?? "")" } ?? []
}

// Call site: the products with a completion, kept by the screen.
@MainActor
final class ProductsScreen {
    private var products: [AdaptyPaywallProduct] = []

    func load(_ paywall: AdaptyPaywall) {
        Adapty.getPaywallProducts(paywall: paywall) { [weak self] result in
            guard let products = try? result.get() else { return }
            Task { @MainActor in self?.products = products }
        }
    }

    // Call site: a purchase, by its result.
    func buy(_ index: Int) async -> Bool {
        do {
            switch try await Adapty.makePurchase(product: products[index]) {
            case .userCancelled: return false
            case .pending: return false
            case .success(let profile, _): return profile.accessLevels["premium"]?.isActive ?? false
            }
        } catch {
            if error.adaptyErrorCode == .paymentCancelled { return false }
            print(message(for: error) ?? "")
            return false
        }
    }
}

// Call site: a purchase with a completion, by the result's flags.
func buy(_ product: AdaptyPaywallProduct, _ completion: @escaping AdaptyResultCompletion<Bool>) {
    Adapty.makePurchase(product: product) { result in
        completion(result.map { $0.isPurchaseSuccess && !$0.isPurchasePending && !$0.isPurchaseCancelled })
        print((try? result.get())?.profile?.profileId ?? "", (try? result.get())?.sk2Transaction?.id ?? 0)
    }
}

// Call site: the restore button.
func restore() async -> String {
    do {
        let profile = try await Adapty.restorePurchases()
        return profile.accessLevels.values.contains { $0.isActive } ? "Restored" : "Nothing to restore"
    } catch {
        return error.localizedDescription
    }
}

// Call site: the restore button of a UIKit screen.
func restore(_ done: @escaping @Sendable (Bool) -> Void) {
    Adapty.restorePurchases { result in done(result.error == nil) }
}

// Call site: observer mode with StoreKit 2.
func report(_ transaction: Transaction, of paywall: AdaptyPaywall) async throws(AdaptyError) {
    try await Adapty.reportTransaction(transaction, withVariationId: paywall.variationId)
}

// Call site: observer mode with the store's signed answer.
func report(_ result: VerificationResult<Transaction>) async {
    try? await Adapty.reportTransaction(result)
}

// Call site: observer mode with a purchase's result.
func report(_ result: Product.PurchaseResult, of paywall: AdaptyPaywall) {
    Task { try? await Adapty.reportPurchaseResult(result, withVariationId: paywall.variationId) }
}

// Call site: observer mode with StoreKit 1.
func report(_ transaction: SKPaymentTransaction, of paywall: AdaptyPaywall) {
    Adapty.reportTransaction(transaction, withVariationId: paywall.variationId) { error in print(error?.errorCode ?? 0) }
}

// Call site: observer mode by the older name.
@available(*, deprecated)
func reportByOlderName(_ transaction: SKPaymentTransaction, _ newer: Transaction) async throws {
    try await Adapty.setVariationId("a", forPurchasedTransaction: transaction)
    try await Adapty.setVariationId("a", forPurchasedTransaction: newer)
}

@available(*, deprecated)
func reportByOlderName(_ transaction: SKPaymentTransaction, of paywall: AdaptyPaywall) {
    Adapty.setVariationId(paywall.variationId, forPurchasedTransaction: transaction) { error in print(error?.errorCode ?? 0) }
}

// Call site: what a purchase gave, in each of the store's forms.
func forms(of result: AdaptyPurchaseResult, _ product: AdaptyPaywallProduct) -> [Any?] {
    [
        result.sk1Transaction, result.sk2SignedTransaction, result.jwsTransaction, product.sk1Product, product.sk2Product,
        product.adaptyProductId, product.accessLevelId, product.adaptyProductType, product.paywallABTestName,
        product.paywallName, product.variationId, product.currencySymbol, product.regionCode, product.priceLocale,
        product.isFamilyShareable, product.subscriptionGroupIdentifier, product.localizedSubscriptionPeriod,
        product.subscriptionOffer?.offerType,
    ]
}

// Call site: transactions that nobody has ended.
func endTransactions() async {
    do throws(AdaptyError) {
        for transaction in try await Adapty.getUnfinishedTransactions() { try await transaction.finish() }
    } catch {
        print(error.adaptyErrorCode)
    }
}

// Call site: the sheet for codes, refunds and consent.
func supportScreen() async throws {
    Adapty.presentCodeRedemptionSheet()
    try await Adapty.updateCollectingRefundDataConsent(true)
    try await Adapty.updateRefundPreference(.decline)
}

// Call site: a paywall in the browser.
func webPaywall(_ paywall: AdaptyPaywall, _ product: AdaptyPaywallProduct?) async throws -> URL {
    if let product { try await Adapty.openWebPaywall(for: product) }
    try await Adapty.openWebPaywall(for: paywall, in: .inAppBrowser)
    return try await Adapty.createWebPaywallUrl(for: paywall)
}

// Call site: the receipt for the app's own backend.
func receipt() async -> Data? {
    do { return try await Adapty.getReceipt() } catch {
        print(error.adaptyErrorCode == .cantReadReceipt)
        return nil
    }
}

// Call site: the same with a completion.
func receipt(_ send: @escaping @Sendable (String?) -> Void) {
    Adapty.getReceipt { result in send(try? result.get().base64EncodedString()) }
}
