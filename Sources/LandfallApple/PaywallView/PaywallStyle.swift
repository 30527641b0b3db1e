// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Landfall
public import SwiftUI

/// How a ``LandfallPaywallView`` looks. It draws what ``ReadyPaywall`` says, and decides nothing.
/// ```swift
/// struct PosterStyle: PaywallStyle {
///     func makeBody(configuration: Configuration) -> some View {
///         VStack {
///             Text(verbatim: configuration.paywall.title ?? "")
///             Button(configuration.paywall.mainButton.title) { configuration.perform(configuration.paywall.mainButton.action) }
///                 .disabled(!configuration.paywall.mainButton.isEnabled)
///         }
///     }
/// }
/// ```
@MainActor public protocol PaywallStyle {
    associatedtype Body: View
    typealias Configuration = PaywallStyleConfiguration

    /// Every text that a person can buy by has to be drawn: price, period, offer, and both links.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// What a style draws, and what its buttons call.
@MainActor public struct PaywallStyleConfiguration {
    public let paywall: ReadyPaywall
    let onSelect: (String) -> Void
    let onPerform: (ReadyPaywall.Action) -> Void

    /// The person chooses this product.
    public func select(_ product: ReadyPaywall.Product) { onSelect(product.id) }

    /// What a button of ``paywall`` does. Nothing happens if it is not enabled.
    public func perform(_ action: ReadyPaywall.Action) { onPerform(action) }
}

extension View {
    /// Sets the style of every ``LandfallPaywallView`` below.
    public func paywallStyle(_ style: some PaywallStyle) -> some View {
        environment(\.drawPaywall) { AnyView(style.makeBody(configuration: $0)) }
    }
}

extension EnvironmentValues {
    typealias DrawPaywall = @MainActor (PaywallStyleConfiguration) -> AnyView

    var drawPaywall: DrawPaywall {
        get { self[DrawPaywallKey.self] }
        set { self[DrawPaywallKey.self] = newValue }
    }
}

private struct DrawPaywallKey: EnvironmentKey {
    static var defaultValue: EnvironmentValues.DrawPaywall { { AnyView(StandardPaywallStyle().makeBody(configuration: $0)) } }
}
#endif
