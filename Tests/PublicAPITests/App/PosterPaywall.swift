// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
import Foundation
import LandfallApple
import SwiftUI

/// The ready paywall, sold by the app's own code, with the app's own look.
struct SellingView: View {
    let result: PaywallResult
    @State private var isOver = false

    var body: some View {
        if !isOver {
            LandfallPaywallView(result, client: landfall, store: till) { end in
                switch end {
                case .purchased, .pending, .restored: isOver = true
                case .closed, .nothing: isOver = true
                default: print(end.rawValue)
                }
            }
            .paywallStyle(PosterStyle())
        }
    }
}

/// As the first one, with the SDK's look, which dismisses itself.
struct PlainSellingView: View {
    let result: PaywallResult
    var body: some View { LandfallPaywallView(result, store: till).paywallStyle(.standard) }
}

private let till = PaywallStore(
    landfall, products: { shown in shown.paywall?.productIDs.map(offered) ?? [] },
    purchase: { product, _ in product.isEmpty ? .cancelled : .purchased })

private let ownTill = PaywallStore(products: { _ in [] }, purchase: { _, _ in .pending }, restore: { false })

private func offered(_ id: String) -> StoreProduct {
    StoreProduct(
        id: id, displayName: "Yearly", description: "Everything", price: 60, currencyCode: "USD", displayPrice: "$60.00", period: .init(1, .year),
        introductoryOffer: .init(.freeTrial, price: 0, displayPrice: "$0.00", period: .init(1, .week), periodCount: 1),
        isEligibleForIntroductoryOffer: true, priceLocale: Locale(identifier: "en_US"))
}

struct PosterStyle: PaywallStyle {
    func makeBody(configuration: Configuration) -> some View { Poster(configuration: configuration) }
}

private struct Poster: View {
    let configuration: PaywallStyleConfiguration

    var body: some View {
        let paywall = configuration.paywall
        VStack {
            Text(verbatim: paywall.title ?? paywall.locale).foregroundStyle(paywall.colors.text.map { Color($0.light) } ?? .primary)
            ForEach(paywall.products) { product in
                Button(product.offer ?? product.price) { configuration.select(product) }
                    .accessibilityLabel(Text(verbatim: product.accessibilityLabel))
            }
            if let message = paywall.message { Text(verbatim: message.isProblem ? "! \(message.text)" : message.text) }
            Button(paywall.mainButton.title) { configuration.perform(paywall.mainButton.action) }.disabled(!paywall.allows(.buy))
        }
    }
}

/// A screen of the app's own with the same values.
func words(on result: PaywallResult, _ products: [StoreProduct]) -> [String] {
    guard let content = result.paywall?.content else { return [] }
    let paywall = ReadyPaywall(content, PaywallProgress(store: .loaded(products), step: .choosing, selected: content.selectedProduct))
    return [paywall.subtitle, paywall.footnote, paywall.activity, paywall.closeButton?.title].compactMap(\.self) + content.problems.map(\.description)
}
#endif
