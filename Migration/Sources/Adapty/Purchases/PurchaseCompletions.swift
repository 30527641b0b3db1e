// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adapty {
    public static func getPaywallProducts(
        paywall: AdaptyPaywall, _ completion: @escaping AdaptyResultCompletion<[any AdaptyPaywallProduct]>
    ) {
        answer(completion) { try await getPaywallProducts(paywall: paywall) }
    }

    public static func getPaywallProductsWithoutDeterminingOffer(
        paywall: AdaptyPaywall,
        _ completion: @escaping AdaptyResultCompletion<[any AdaptyPaywallProductWithoutDeterminingOffer]>
    ) {
        answer(completion) { try await getPaywallProductsWithoutDeterminingOffer(paywall: paywall) }
    }

    public static func makePurchase(
        product: any AdaptyPaywallProduct, _ completion: @escaping AdaptyResultCompletion<AdaptyPurchaseResult>
    ) {
        answer(completion) { try await makePurchase(product: product) }
    }

    public static func makePurchase(
        product: AdaptyDeferredProduct, _ completion: @escaping AdaptyResultCompletion<AdaptyPurchaseResult>
    ) {
        answer(completion) { try await makePurchase(product: product) }
    }

    public static func restorePurchases(_ completion: @escaping AdaptyResultCompletion<AdaptyProfile>) {
        answer(completion) { try await restorePurchases() }
    }

    public static func getUnfinishedTransactions(
        _ completion: @escaping AdaptyResultCompletion<[AdaptyUnfinishedTransaction]>
    ) {
        answer(completion) { try await getUnfinishedTransactions() }
    }

    public static func getReceipt(_ completion: @escaping AdaptyResultCompletion<Data>) {
        answer(completion) { try await getReceipt() }
    }

    public static func updateCollectingRefundDataConsent(_ consent: Bool, _ completion: AdaptyErrorCompletion? = nil) {
        answer(completion) { try await updateCollectingRefundDataConsent(consent) }
    }

    public static func updateRefundPreference(
        _ preference: AdaptyRefundPreference, _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await updateRefundPreference(preference) }
    }

    public static func openWebPaywall(
        for product: any AdaptyPaywallProduct, in presentation: AdaptyWebPresentation = .externalBrowser,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await openWebPaywall(for: product, in: presentation) }
    }

    public static func openWebPaywall(
        for paywall: AdaptyPaywall, in presentation: AdaptyWebPresentation = .externalBrowser,
        _ completion: AdaptyErrorCompletion? = nil
    ) {
        answer(completion) { try await openWebPaywall(for: paywall, in: presentation) }
    }

    public static func createWebPaywallUrl(
        for product: any AdaptyPaywallProduct, _ completion: @escaping AdaptyResultCompletion<URL>
    ) {
        answer(completion) { try await createWebPaywallUrl(for: product) }
    }

    public static func createWebPaywallUrl(
        for paywall: AdaptyPaywall, _ completion: @escaping AdaptyResultCompletion<URL>
    ) {
        answer(completion) { try await createWebPaywallUrl(for: paywall) }
    }
}
