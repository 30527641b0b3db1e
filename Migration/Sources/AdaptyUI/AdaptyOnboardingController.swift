// SPDX-License-Identifier: Apache-2.0
// As the original's: iOS alone has the style of the status bar everywhere. On Linux a stand-in of UIKit.
#if os(iOS) || os(Linux) && canImport(UIKit)
public import Adapty
public import UIKit

extension AdaptyUI {
    /// - Throws: ``AdaptyError`` 3007, always. No app gets this far: there is no configuration to pass.
    @MainActor
    public static func onboardingController(
        with onboardingConfiguration: OnboardingConfiguration, delegate: any AdaptyOnboardingControllerDelegate,
        statusBarStyle: UIStatusBarStyle = .lightContent
    ) throws -> AdaptyOnboardingController {
        throw AdaptyError.missingOnboardings
    }
}

/// An onboarding's screen. Landfall has none: an app gets no value of this type.
@MainActor
public final class AdaptyOnboardingController: UIViewController {
    public var id: String { "" }
    /// nil: there is none.
    public var onboarding: AdaptyOnboarding? { nil }
}

/// Would get what happens on an onboarding's screen. Never called.
@MainActor
public protocol AdaptyOnboardingControllerDelegate: AnyObject {
    func onboardingController(
        _ controller: AdaptyOnboardingController, didFinishLoading action: OnboardingsDidFinishLoadingAction)
    func onboardingController(_ controller: AdaptyOnboardingController, onCloseAction action: AdaptyOnboardingsCloseAction)
    func onboardingController(
        _ controller: AdaptyOnboardingController, onPaywallAction action: AdaptyOnboardingsOpenPaywallAction)
    func onboardingController(_ controller: AdaptyOnboardingController, onCustomAction action: AdaptyOnboardingsCustomAction)
    func onboardingController(
        _ controller: AdaptyOnboardingController, onStateUpdatedAction action: AdaptyOnboardingsStateUpdatedAction)
    func onboardingController(
        _ controller: AdaptyOnboardingController, onAnalyticsEvent event: AdaptyOnboardingsAnalyticsEvent)
    func onboardingController(_ controller: AdaptyOnboardingController, didFailWithError error: AdaptyUIError)
    func onboardingsControllerLoadingPlaceholder(_ controller: AdaptyOnboardingController) -> UIView?
}

extension AdaptyOnboardingControllerDelegate {
    public func onboardingController(
        _ controller: AdaptyOnboardingController, didFinishLoading action: OnboardingsDidFinishLoadingAction
    ) {}
    public func onboardingController(
        _ controller: AdaptyOnboardingController, onCloseAction action: AdaptyOnboardingsCloseAction
    ) {}
    public func onboardingController(
        _ controller: AdaptyOnboardingController, onPaywallAction action: AdaptyOnboardingsOpenPaywallAction
    ) {}
    public func onboardingController(
        _ controller: AdaptyOnboardingController, onCustomAction action: AdaptyOnboardingsCustomAction
    ) {}
    public func onboardingController(
        _ controller: AdaptyOnboardingController, onStateUpdatedAction action: AdaptyOnboardingsStateUpdatedAction
    ) {}
    public func onboardingController(
        _ controller: AdaptyOnboardingController, onAnalyticsEvent event: AdaptyOnboardingsAnalyticsEvent
    ) {}
    public func onboardingsControllerLoadingPlaceholder(_ controller: AdaptyOnboardingController) -> UIView? { nil }
}
#endif
