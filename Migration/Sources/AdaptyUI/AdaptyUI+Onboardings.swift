// SPDX-License-Identifier: Apache-2.0
public import Adapty
#if canImport(SwiftUI)
public import SwiftUI
#endif

extension AdaptyUI {
    /// The look of an onboarding. Landfall has none: an app gets no value of this type.
    @MainActor
    public final class OnboardingConfiguration {
        init() {}
    }

    /// - Throws: ``AdaptyError`` 3007, always. No app gets this far: there is no onboarding to pass.
    @MainActor
    public static func getOnboardingConfiguration(
        forOnboarding onboarding: AdaptyOnboarding, externalUrlsPresentation: AdaptyWebPresentation = .inAppBrowser
    ) throws -> OnboardingConfiguration {
        throw AdaptyError.missingOnboardings
    }
}

#if canImport(SwiftUI)
/// An onboarding as a view. Shows nothing; the log says once what replaces it. No app gets this far: there is no configuration
/// to pass.
@MainActor
public struct AdaptyOnboardingView<Placeholder: View>: View {
    public init(
        configuration: AdaptyUI.OnboardingConfiguration, placeholder: @escaping () -> Placeholder,
        onFinishLoading: ((OnboardingsDidFinishLoadingAction) -> Void)? = nil,
        onCloseAction: @escaping (AdaptyOnboardingsCloseAction) -> Void,
        onOpenPaywallAction: ((AdaptyOnboardingsOpenPaywallAction) -> Void)? = nil,
        onCustomAction: ((AdaptyOnboardingsCustomAction) -> Void)? = nil,
        onStateUpdatedAction: ((AdaptyOnboardingsStateUpdatedAction) -> Void)? = nil,
        onAnalyticsEvent: ((AdaptyOnboardingsAnalyticsEvent) -> Void)? = nil, onError: @escaping (any Error) -> Void
    ) {
        Adapty.say(.onboardingViews)
    }

    public var body: some View { EmptyView() }
}

extension Notice {
    static let onboardingViews = Notice(
        "AdaptyOnboardingView shows nothing: Landfall has no onboardings. Ask getPaywall for a placement, and draw from its remoteConfig.")
}
#endif
