// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import AdaptyUI
import Foundation
import SwiftUI
import Testing

/// These calls are static, and a notice is said once in a process: so this is the only suite that makes them, in one order.
@Suite("What is said once in a process", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct AdaptyUITests {
    private let log = Activation.current.log

    @Test("Comparing, printing and keeping a profile do not look at its access levels; gating on them warns")
    func accessLevels() throws {
        let profile = AdaptyProfile(.ada())

        _ = (profile == profile, "\(profile)", profile.hashValue)
        _ = try JSONEncoder().encode(profile)
        #expect(!log.hasSaid(.noPurchases))
        #expect(profile.accessLevels["premium"]?.isActive != true)

        #expect(log.hasSaid(.noPurchases))
        #expect(Notice.noPurchases.text.contains("Transaction.currentEntitlements"))
        #expect(profile.subscriptions.isEmpty && profile.nonSubscriptions.isEmpty)
    }

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
