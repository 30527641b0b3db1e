// SPDX-License-Identifier: Apache-2.0
// Decided by the system, not by what can be imported: Mac Catalyst is iOS here. On Linux a stand-in of UIKit.
#if os(iOS) || os(tvOS) || os(visionOS) || os(Linux) && canImport(UIKit)
public import Adapty
public import UIKit

extension AdaptyUI {
    /// - Throws: ``AdaptyError`` 3007, always. No app gets this far: there is no configuration to pass.
    @MainActor
    public static func paywallController(
        with paywallConfiguration: PaywallConfiguration, delegate: any AdaptyPaywallControllerDelegate,
        showDebugOverlay: Bool = false
    ) throws -> AdaptyPaywallController {
        throw AdaptyError.missingDrawing
    }
}

/// A paywall's screen. Landfall draws none: an app gets no value of this type.
@MainActor
public final class AdaptyPaywallController: UIViewController {
    public weak var delegate: (any AdaptyPaywallControllerDelegate)?
    public var id: String { "" }
    public var paywallPlacementId: String { "" }
    public var paywallVariationId: String { "" }
}

/// Would get what happens on a paywall's screen. Never called.
@MainActor
public protocol AdaptyPaywallControllerDelegate: AnyObject {
    func paywallControllerDidAppear(_ controller: AdaptyPaywallController)
    func paywallControllerDidDisappear(_ controller: AdaptyPaywallController)
    func paywallController(_ controller: AdaptyPaywallController, didPerform action: AdaptyUI.Action)
    func paywallController(
        _ controller: AdaptyPaywallController, didSelectProduct product: any AdaptyPaywallProductWithoutDeterminingOffer)
    func paywallController(_ controller: AdaptyPaywallController, didStartPurchase product: any AdaptyPaywallProduct)
    func paywallController(
        _ controller: AdaptyPaywallController, didFinishPurchase product: any AdaptyPaywallProduct,
        purchaseResult: AdaptyPurchaseResult)
    func paywallController(
        _ controller: AdaptyPaywallController, didFailPurchase product: any AdaptyPaywallProduct, error: AdaptyError)
    func paywallController(
        _ controller: AdaptyPaywallController, didFinishWebPaymentNavigation product: (any AdaptyPaywallProduct)?,
        error: AdaptyError?)
    func paywallControllerDidStartRestore(_ controller: AdaptyPaywallController)
    func paywallController(_ controller: AdaptyPaywallController, didFinishRestoreWith profile: AdaptyProfile)
    func paywallController(_ controller: AdaptyPaywallController, didFailRestoreWith error: AdaptyError)
    func paywallController(_ controller: AdaptyPaywallController, didFailRenderingWith error: AdaptyUIError)
    func paywallController(_ controller: AdaptyPaywallController, didFailLoadingProductsWith error: AdaptyError) -> Bool
    func paywallController(_ controller: AdaptyPaywallController, didPartiallyLoadProducts failedIds: [String])
}

extension AdaptyPaywallControllerDelegate {
    public func paywallControllerDidAppear(_ controller: AdaptyPaywallController) {}
    public func paywallControllerDidDisappear(_ controller: AdaptyPaywallController) {}
    public func paywallController(_ controller: AdaptyPaywallController, didPerform action: AdaptyUI.Action) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didSelectProduct product: any AdaptyPaywallProductWithoutDeterminingOffer
    ) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didStartPurchase product: any AdaptyPaywallProduct
    ) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didFinishPurchase product: any AdaptyPaywallProduct,
        purchaseResult: AdaptyPurchaseResult
    ) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didFailPurchase product: any AdaptyPaywallProduct, error: AdaptyError
    ) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didFinishWebPaymentNavigation product: (any AdaptyPaywallProduct)?,
        error: AdaptyError?
    ) {}
    public func paywallControllerDidStartRestore(_ controller: AdaptyPaywallController) {}
    public func paywallController(_ controller: AdaptyPaywallController, didFinishRestoreWith profile: AdaptyProfile) {}
    public func paywallController(_ controller: AdaptyPaywallController, didFailRestoreWith error: AdaptyError) {}
    public func paywallController(_ controller: AdaptyPaywallController, didFailRenderingWith error: AdaptyUIError) {}
    public func paywallController(
        _ controller: AdaptyPaywallController, didFailLoadingProductsWith error: AdaptyError
    ) -> Bool { false }
    public func paywallController(_ controller: AdaptyPaywallController, didPartiallyLoadProducts failedIds: [String]) {}
}
#endif
