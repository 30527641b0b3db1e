// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Adapty
public import SwiftUI

/// A paywall as a view. Shows nothing; the log says once what replaces it. No app gets this far: there is no configuration to
/// pass.
@MainActor
public struct AdaptyPaywallView<AlertItem: Identifiable>: View {
    public init(
        paywallConfiguration: AdaptyUI.PaywallConfiguration,
        didAppear: (() -> Void)? = nil, didDisappear: (() -> Void)? = nil,
        didPerformAction: ((AdaptyUI.Action) -> Void)? = nil,
        didSelectProduct: ((any AdaptyPaywallProductWithoutDeterminingOffer) -> Void)? = nil,
        didStartPurchase: ((any AdaptyPaywallProduct) -> Void)? = nil,
        didFinishPurchase: ((any AdaptyPaywallProduct, AdaptyPurchaseResult) -> Void)? = nil,
        didFailPurchase: @escaping (any AdaptyPaywallProduct, AdaptyError) -> Void,
        didFinishWebPaymentNavigation: (((any AdaptyPaywallProduct)?, AdaptyError?) -> Void)? = nil,
        didStartRestore: (() -> Void)? = nil, didFinishRestore: @escaping (AdaptyProfile) -> Void,
        didFailRestore: @escaping (AdaptyError) -> Void, didFailRendering: @escaping (AdaptyUIError) -> Void,
        didFailLoadingProducts: ((AdaptyError) -> Bool)? = nil, didPartiallyLoadProducts: (([String]) -> Void)? = nil,
        showAlertItem: Binding<AlertItem?>, showAlertBuilder: ((AlertItem) -> Alert)? = nil
    ) {
        Adapty.say(.adaptyUI)
    }

    public var body: some View { EmptyView() }
}

extension AdaptyPaywallView where AlertItem == AdaptyIdentifiablePlaceholder {
    /// As above, without an alert.
    public init(
        paywallConfiguration: AdaptyUI.PaywallConfiguration,
        didAppear: (() -> Void)? = nil, didDisappear: (() -> Void)? = nil,
        didPerformAction: ((AdaptyUI.Action) -> Void)? = nil,
        didSelectProduct: ((any AdaptyPaywallProductWithoutDeterminingOffer) -> Void)? = nil,
        didStartPurchase: ((any AdaptyPaywallProduct) -> Void)? = nil,
        didFinishPurchase: ((any AdaptyPaywallProduct, AdaptyPurchaseResult) -> Void)? = nil,
        didFailPurchase: @escaping (any AdaptyPaywallProduct, AdaptyError) -> Void,
        didFinishWebPaymentNavigation: (((any AdaptyPaywallProduct)?, AdaptyError?) -> Void)? = nil,
        didStartRestore: (() -> Void)? = nil, didFinishRestore: @escaping (AdaptyProfile) -> Void,
        didFailRestore: @escaping (AdaptyError) -> Void, didFailRendering: @escaping (AdaptyUIError) -> Void,
        didFailLoadingProducts: ((AdaptyError) -> Bool)? = nil, didPartiallyLoadProducts: (([String]) -> Void)? = nil
    ) {
        Adapty.say(.adaptyUI)
    }
}

/// The alert type of a view without an alert.
public struct AdaptyIdentifiablePlaceholder: Identifiable, Sendable {
    public var id: String { "placeholder" }
}

/// A spinner in the middle, for an app that shows it while its own screen loads.
@MainActor
public struct AdaptyLoadingPlaceholderView: View {
    public init() {}

    public var body: some View { ProgressView().frame(maxWidth: .infinity, maxHeight: .infinity) }
}
#endif
