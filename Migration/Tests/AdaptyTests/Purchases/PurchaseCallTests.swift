// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import StoreKit
import Testing

@Suite("Products and purchases, until Landfall has them", .timeLimit(.minutes(1)))
struct PurchaseCallTests {
    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: AdaptyError.ErrorCode
        /// What the sentence tells to use.
        let advice: String
        let call: @Sendable (AdaptyPaywall, AdaptyDeferredProduct) async throws -> Void
    }

    static let calls = [
        Call(testDescription: "getPaywallProducts", code: .productRequestFailed, advice: "Product.products(for:") {
            _ = try await Adapty.getPaywallProducts(paywall: $0); _ = $1
        },
        Call(testDescription: "without the offer", code: .productRequestFailed, advice: "Product.products(for:") {
            _ = try await Adapty.getPaywallProductsWithoutDeterminingOffer(paywall: $0); _ = $1
        },
        Call(testDescription: "makePurchase", code: .cantMakePayments, advice: "Transaction.currentEntitlements") {
            _ = try await Adapty.makePurchase(product: $1); _ = $0
        },
        Call(testDescription: "restorePurchases", code: .cantMakePayments, advice: "AppStore.sync()") { _, _ in
            _ = try await Adapty.restorePurchases()
        },
        Call(testDescription: "reportTransaction, StoreKit 2", code: .productPurchaseFailed, advice: "record(") { _, _ in
            try await Adapty.reportTransaction(Transaction(id: 1), withVariationId: "a")
        },
        Call(testDescription: "reportTransaction, signed", code: .productPurchaseFailed, advice: "record(") { _, _ in
            try await Adapty.reportTransaction(VerificationResult.verified(Transaction(id: 1)))
        },
        Call(testDescription: "reportTransaction, StoreKit 1", code: .productPurchaseFailed, advice: "record(") { _, _ in
            try await Adapty.reportTransaction(SKPaymentTransaction())
        },
        Call(testDescription: "reportPurchaseResult, success", code: .productPurchaseFailed, advice: "record(") { _, _ in
            try await Adapty.reportPurchaseResult(.success(.verified(Transaction(id: 1))))
        },
        Call(testDescription: "reportPurchaseResult, pending", code: .paymentPendingError, advice: "Transaction.updates") {
            _, _ in
            try await Adapty.reportPurchaseResult(.pending)
        },
        Call(testDescription: "getUnfinishedTransactions", code: .productPurchaseFailed, advice: "Transaction.unfinished") {
            _, _ in
            _ = try await Adapty.getUnfinishedTransactions()
        },
        Call(testDescription: "getReceipt", code: .cantReadReceipt, advice: "AppTransaction.shared") { _, _ in
            _ = try await Adapty.getReceipt()
        },
        Call(testDescription: "refund data consent", code: .unsupportedData, advice: "CONSUMPTION_REQUEST") { _, _ in
            try await Adapty.updateCollectingRefundDataConsent(true)
        },
        Call(testDescription: "refund preference", code: .unsupportedData, advice: "CONSUMPTION_REQUEST") { _, _ in
            try await Adapty.updateRefundPreference(.grant)
        },
        Call(testDescription: "openWebPaywall", code: .unsupportedData, advice: "remoteConfig") {
            try await Adapty.openWebPaywall(for: $0, in: .inAppBrowser); _ = $1
        },
        Call(testDescription: "createWebPaywallUrl", code: .unsupportedData, advice: "remoteConfig") {
            _ = try await Adapty.createWebPaywallUrl(for: $0); _ = $1
        },
        Call(testDescription: "getOnboarding", code: .unsupportedData, advice: "getPaywall") { _, _ in
            _ = try await Adapty.getOnboarding(placementId: "intro")
        },
        Call(testDescription: "getOnboardingForDefaultAudience", code: .unsupportedData, advice: "getPaywall") { _, _ in
            _ = try await Adapty.getOnboardingForDefaultAudience(placementId: "intro")
        },
    ]

    private let deferred = AdaptyDeferredProduct(vendorProductId: "year", promotionalOfferId: nil)

    @Test("A call throws at once, with a code that apps know and a sentence that says what to use", arguments: calls)
    func refused(_ call: Call) async throws {
        let paywall = try AdaptyPaywall.shown()

        let error = await #expect(throws: AdaptyError.self) { try await call.call(paywall, deferred) }

        #expect(error?.adaptyErrorCode == call.code)
        #expect(error?.localizedDescription.contains(call.advice) == true, "\(error as Any)")
    }

    @Test("A completion gets the same error")
    func completion() async throws {
        let paywall = try AdaptyPaywall.shown()

        let error = await withCheckedContinuation { done in
            Adapty.getPaywallProducts(paywall: paywall) { done.resume(returning: $0.error) }
        }

        #expect(error?.adaptyErrorCode == .productRequestFailed)
    }

    @Test("A purchase that the person cancelled is nothing to report")
    func cancelled() async throws {
        try await Adapty.reportPurchaseResult(.userCancelled)
    }

    @Test("A result of a purchase has its flags, profile and transaction")
    func results() {
        let profile = AdaptyProfile(.ada())
        let success = AdaptyPurchaseResult.success(
            profile: profile, transaction: VerificationResult.verified(Transaction(id: 7)))

        #expect(success.isPurchaseSuccess && !success.isPurchasePending && !success.isPurchaseCancelled)
        #expect(success.profile == profile)
        #expect(success.sk2Transaction?.id == 7)
        #expect(success.sk1Transaction == nil)
        #expect(AdaptyPurchaseResult.pending.isPurchasePending && AdaptyPurchaseResult.pending.profile == nil)
        #expect(
            AdaptyPurchaseResult.userCancelled.isPurchaseCancelled && AdaptyPurchaseResult.userCancelled.sk2Transaction == nil)
    }

    @Test("A delegate needs only the profile's method; a promoted purchase goes on by default")
    func delegateDefaults() {
        final class Minimal: AdaptyDelegate {
            func didLoadLatestProfile(_ profile: AdaptyProfile) {}
        }

        #expect(Minimal().shouldAddStorePayment(for: deferred))
    }
}

extension AdaptyPaywall {
    /// What placement `onboarding` shows in these tests.
    static func shown(assignment: Assignment? = nil) throws -> AdaptyPaywall {
        try AdaptyPaywall(
            PaywallResult(
                paywall: Paywall(
                    name: "beach", variationID: "beach-a", remoteConfig: ["title": "Hello", "days": 7],
                    productIDs: ["year", "month"]),
                placement: "onboarding", audience: "summer", origin: .matchingAudience, attribution: .notAttributed,
                elapsed: .seconds(1), revision: 7, assignment: assignment))
    }
}
