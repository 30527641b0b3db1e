// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
public import Adapty
public import SwiftUI

extension View {
    /// Shows nothing: without a configuration, which Landfall never has, the original shows nothing either. The log says once
    /// what replaces it.
    @MainActor
    public func paywall<Placeholder: View>(
        isPresented: Binding<Bool>, fullScreen: Bool = true, paywallConfiguration: AdaptyUI.PaywallConfiguration?,
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
        placeholderBuilder: (() -> Placeholder)? = Optional<() -> EmptyView>.none
    ) -> Self {
        Adapty.say(.adaptyUI)
        return self
    }

    /// As above; the alert is never shown.
    @MainActor
    public func paywall<AlertItem: Identifiable, Placeholder: View>(
        isPresented: Binding<Bool>, fullScreen: Bool = true, paywallConfiguration: AdaptyUI.PaywallConfiguration?,
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
        showAlertItem: Binding<AlertItem?>, showAlertBuilder: ((AlertItem) -> Alert)? = nil,
        placeholderBuilder: (() -> Placeholder)? = Optional<() -> EmptyView>.none
    ) -> Self {
        Adapty.say(.adaptyUI)
        return self
    }
}
#endif
