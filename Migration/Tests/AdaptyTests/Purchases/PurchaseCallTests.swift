// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import StoreKit
import Testing

@Suite("Features that Landfall does not have", .timeLimit(.minutes(1)))
struct PurchaseCallTests {
    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: AdaptyError.ErrorCode
        /// What the sentence tells to use.
        let advice: String
        let call: @Sendable (AdaptyPaywall) async throws -> Void
    }

    static let calls = [
        Call(testDescription: "getReceipt", code: .cantReadReceipt, advice: "AppTransaction.shared") { _ in
            _ = try await Adapty.getReceipt()
        },
        Call(testDescription: "refund data consent", code: .unsupportedData, advice: "CONSUMPTION_REQUEST") { _ in
            try await Adapty.updateCollectingRefundDataConsent(true)
        },
        Call(testDescription: "refund preference", code: .unsupportedData, advice: "CONSUMPTION_REQUEST") { _ in
            try await Adapty.updateRefundPreference(.grant)
        },
        Call(testDescription: "openWebPaywall", code: .unsupportedData, advice: "remoteConfig") {
            try await Adapty.openWebPaywall(for: $0, in: .inAppBrowser)
        },
        Call(testDescription: "createWebPaywallUrl", code: .unsupportedData, advice: "remoteConfig") {
            _ = try await Adapty.createWebPaywallUrl(for: $0)
        },
        Call(testDescription: "getOnboarding", code: .unsupportedData, advice: "getPaywall") { _ in
            _ = try await Adapty.getOnboarding(placementId: "intro")
        },
        Call(testDescription: "getOnboardingForDefaultAudience", code: .unsupportedData, advice: "getPaywall") { _ in
            _ = try await Adapty.getOnboardingForDefaultAudience(placementId: "intro")
        },
    ]

    @Test("A call throws at once, with a code that apps know and a sentence that says what to use", arguments: calls)
    func refused(_ call: Call) async throws {
        let paywall = try AdaptyPaywall.shown()

        let error = await #expect(throws: AdaptyError.self) { try await call.call(paywall) }

        #expect(error?.adaptyErrorCode == call.code)
        #expect(error?.localizedDescription.contains(call.advice) == true, "\(error as Any)")
    }

    @Test("A completion gets the same error")
    func completion() async throws {
        let paywall = try AdaptyPaywall.shown()

        let error = await withCheckedContinuation { done in
            Adapty.createWebPaywallUrl(for: paywall) { done.resume(returning: $0.error) }
        }

        #expect(error?.adaptyErrorCode == .unsupportedData)
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
