// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
@testable import AdaptyUI
import Foundation
import SwiftUI
import Testing

/// These calls are static, and a notice is said once in a process: so this is the only suite that makes them, in one order.
@Suite("What is said once in a process", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct AdaptyUITests {
    private let log = Activation.current.log

    @Test("AdaptyUI.activate succeeds, again and again, and says that the app draws")
    func activation() async throws {
        try await AdaptyUI.activate()
        try await AdaptyUI.activate(configuration: .init())

        #expect(log.hasSaid(.adaptyUI))
        #expect(Notice.adaptyUI.text.contains("remoteConfig"))
    }

    @Test("getPaywallConfiguration throws 3007, and says what to draw from; its completion gets the same")
    func configuration() async throws {
        let paywall = try AdaptyPaywall.shown()

        let error = await #expect(throws: AdaptyError.self) {
            _ = try await AdaptyUI.getPaywallConfiguration(forPaywall: paywall, loadTimeout: 1)
        }
        let told = await withCheckedContinuation { done in
            AdaptyUI.getPaywallConfiguration(forPaywall: paywall) { done.resume(returning: $0.error) }
        }

        #expect(!paywall.hasViewConfiguration)
        #expect(error?.adaptyErrorCode == .unsupportedData)
        #expect(error?.localizedDescription.contains("remoteConfig") == true)
        #expect(told?.adaptyErrorCode == .unsupportedData)
    }

    @Test("The view modifier leaves the view as it is")
    func modifier() {
        let view = Text(verbatim: "shop").paywall(
            isPresented: State(wrappedValue: true).projectedValue, paywallConfiguration: nil,
            didFailPurchase: { _, _ in }, didFinishRestore: { _ in }, didFailRestore: { _ in }, didFailRendering: { _ in })

        #expect(view == Text(verbatim: "shop"))
    }

    @Test("The views of a paywall and of an onboarding show nothing, and say what to draw from")
    func views() {
        let paywall = AdaptyPaywallView(
            paywallConfiguration: .init(), didFailPurchase: { _, _ in }, didFinishRestore: { _ in }, didFailRestore: { _ in },
            didFailRendering: { _ in })
        let onboarding = AdaptyOnboardingView(
            configuration: .init(), placeholder: { Text(verbatim: "…") }, onCloseAction: { _ in }, onError: { _ in })

        #expect(paywall.body is EmptyView && onboarding.body is EmptyView)
        #expect(log.hasSaid(.adaptyUI) && log.hasSaid(.onboardingViews))
        #expect(Notice.onboardingViews.text.contains("remoteConfig"))
    }

    @Test("An onboarding's look and controller throw 3007, and say what to ask for")
    func onboardings() {
        let onboarding = AdaptyOnboarding(
            placement: AdaptyPlacement(id: "welcome", audienceName: "everyone", revision: 1, abTestName: ""),
            instanceIdentity: "1", variationId: "1", name: "welcome", remoteConfig: nil)
        let delegate = OnboardingDelegate()

        let errors = [
            #expect(throws: AdaptyError.self) { try AdaptyUI.getOnboardingConfiguration(forOnboarding: onboarding) },
            #expect(throws: AdaptyError.self) { try AdaptyUI.onboardingController(with: .init(), delegate: delegate) },
        ]

        for error in errors {
            #expect(error?.adaptyErrorCode == .unsupportedData)
            #expect(error?.localizedDescription.contains("getPaywall") == true)
        }
    }

    @Test("The code sheet and the installation status do nothing, and say what to use")
    func others() async throws {
        Adapty.presentCodeRedemptionSheet()
        let status = try await Adapty.getCurrentInstallationStatus()

        #expect(status == .notAvailable)
        #expect(log.hasSaid(.codeRedemption) && log.hasSaid(.installations))
    }

    @Test("What is told of a person stays on the phone, and the log says so")
    func person() {
        let parameters = AdaptyProfileParameters.Builder().with(gender: .female).with(appTrackingTransparencyStatus: .denied)
            .build()

        #expect(parameters.notices == [.personalData, .trackingStatus])
        #expect(AdaptyProfileParameters.Builder().with(analyticsDisabled: true).build().notices.isEmpty)
    }
}

@MainActor
private final class OnboardingDelegate: AdaptyOnboardingControllerDelegate {
    func onboardingController(_ controller: AdaptyOnboardingController, didFailWithError error: AdaptyUIError) {}
}
