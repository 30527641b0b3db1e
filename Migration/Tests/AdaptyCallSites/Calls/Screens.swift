// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyUI
import SwiftUI
import UIKit

// Call site: a screen of SwiftUI that would be drawn from the vendor's builder, and is drawn by the app where it is not.
struct UpgradeView: View {
    @State private var isPresented = false
    @State private var configuration: AdaptyUI.PaywallConfiguration?
    @State private var title = ""

    var body: some View {
        Text(verbatim: title)
            .task {
                guard let paywall = try? await Adapty.getPaywall(placementId: "upgrade") else { return }
                if paywall.hasViewConfiguration {
                    configuration = try? await AdaptyUI.getPaywallConfiguration(forPaywall: paywall)
                    isPresented = true
                } else {
                    title = paywall.remoteConfig?.dictionary?["title"] as? String ?? paywall.name
                }
            }
            .paywall(
                isPresented: $isPresented, fullScreen: false, paywallConfiguration: configuration,
                didPerformAction: { action in
                    switch action {
                    case .close: isPresented = false
                    case .openURL(let url): print(url)
                    case .custom(let id): print(id)
                    }
                },
                didFinishPurchase: { product, result in print(product.vendorProductId, result.isPurchaseSuccess) },
                didFailPurchase: { product, error in print(product.vendorProductId, error.adaptyErrorCode) },
                didFinishRestore: { profile in print(profile.profileId) },
                didFailRestore: { error in print(error) },
                didFailRendering: { error in print(error) })
    }
}

// Call site: the same with an alert of the app's own, and a picture while the paywall loads.
struct UpgradeWithAlert: View {
    struct Problem: Identifiable {
        let id: Int
    }

    @State private var isPresented = true
    @State private var problem: Problem?

    var body: some View {
        EmptyView()
            .paywall(
                isPresented: $isPresented, paywallConfiguration: nil,
                didFailPurchase: { _, error in problem = Problem(id: error.errorCode) }, didFinishRestore: { _ in },
                didFailRestore: { error in problem = Problem(id: error.errorCode) }, didFailRendering: { _ in },
                showAlertItem: $problem, showAlertBuilder: { Alert(title: Text(verbatim: "\($0.id)")) },
                placeholderBuilder: { Text(verbatim: "…") })
    }
}

// Call site: a screen of UIKit that presents the vendor's controller.
@MainActor
final class UpgradeController: UIViewController, AdaptyPaywallControllerDelegate {
    func show(_ paywall: AdaptyPaywall) async {
        guard paywall.hasViewConfiguration else { return draw(paywall.remoteConfig) }
        do {
            let configuration = try await AdaptyUI.getPaywallConfiguration(
                forPaywall: paywall, loadTimeout: 3, assetsResolver: nil)
            present(try AdaptyUI.paywallController(with: configuration, delegate: self), animated: true)
        } catch {
            draw(paywall.remoteConfig)
        }
    }

    func draw(_ config: AdaptyRemoteConfig?) { print(config?.locale ?? "", config?.jsonString ?? "") }

    func paywallController(
        _ controller: AdaptyPaywallController, didFailPurchase product: AdaptyPaywallProduct, error: AdaptyError
    ) {
        guard error.adaptyErrorCode != .paymentCancelled else { return }
        controller.dismiss(animated: true)
    }

    func paywallController(_ controller: AdaptyPaywallController, didFinishRestoreWith profile: AdaptyProfile) {}
    func paywallController(_ controller: AdaptyPaywallController, didFailRestoreWith error: AdaptyError) {}
    func paywallController(_ controller: AdaptyPaywallController, didFailRenderingWith error: AdaptyUIError) {}
    func paywallController(_ controller: AdaptyPaywallController, didPerform action: AdaptyUI.Action) {}
}

// Call site: the vendor's drawing is started with settings of its cache.
@MainActor
func startDrawing() async throws {
    try await AdaptyUI.activate(
        configuration: .init(
            mediaCacheConfiguration: .init(
                memoryStorageTotalCostLimit: 100_000_000, memoryStorageCountLimit: .max, diskStorageSizeLimit: 100_000_000)))
}
