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

// Call site: a paywall as a view of its own, with a spinner until there is one.
struct PaywallScreen: View {
    let configuration: AdaptyUI.PaywallConfiguration?
    @State private var problem: UpgradeWithAlert.Problem?

    var body: some View {
        if let configuration {
            AdaptyPaywallView(
                paywallConfiguration: configuration,
                didFailPurchase: { _, error in problem = .init(id: error.errorCode) }, didFinishRestore: { _ in },
                didFailRestore: { _ in }, didFailRendering: { error in print(error.errorCode) }, showAlertItem: $problem,
                showAlertBuilder: { Alert(title: Text(verbatim: "\($0.id)")) })
        } else {
            AdaptyLoadingPlaceholderView()
        }
    }
}

// Call site: the same without an alert, in a sheet of the app's own.
@MainActor
func sheet(_ configuration: AdaptyUI.PaywallConfiguration) -> AdaptyPaywallView<AdaptyIdentifiablePlaceholder> {
    print(configuration.id, configuration.locale, configuration.isRightToLeft)
    return AdaptyPaywallView(
        paywallConfiguration: configuration, didPerformAction: { print($0) }, didFailPurchase: { _, _ in },
        didFinishRestore: { _ in }, didFailRestore: { _ in }, didFailRendering: { _ in })
}

// Call site: a button of a paywall is told further as the original's action.
func action(_ url: URL, inApp: Bool) -> AdaptyUI.Action { .openURL(url: url, in: inApp ? .inAppBrowser : .externalBrowser) }

// Call site: pictures, colours and fonts of the app's own.
@MainActor
func assets(_ film: URL) -> [String: AdaptyCustomAsset] {
    [
        "hero": .image(.uiImage(value: UIImage(named: "hero") ?? UIImage())),
        "badge": .image(.remote(url: film, preview: nil)),
        "intro": .video(.file(url: film, preview: .file(url: film))),
        "title": .color(.swiftUIColor(Color.black)), "text": .color(.uiColor(UIColor.black)),
        "back": .gradient(.linear(gradient: Gradient(colors: [.black, .white]), startPoint: .top, endPoint: .bottom)),
        "ring": .gradient(.angular(gradient: Gradient(colors: [.black]), center: .center)),
        "body": .font(UIFont.systemFont(ofSize: 17)),
    ]
}

func configuration(of paywall: AdaptyPaywall, _ film: URL) async throws -> AdaptyUI.PaywallConfiguration {
    try await AdaptyUI.getPaywallConfiguration(forPaywall: paywall, assetsResolver: assets(film))
}

// Call site: assets by a rule.
struct OwnAssets: AdaptyAssetsResolver {
    func asset(for id: String) -> AdaptyCustomAsset? { id == "title" ? .color(.swiftUIColor(.black)) : nil }
}

// Call site: an error of the drawing is sent to a crash reporter.
func isOfDrawing(_ error: NSError) -> Bool {
    error.domain == AdaptyUIError.AdaptyUIErrorDomain && error.code != AdaptyUIError.Code.webKit.rawValue
}
