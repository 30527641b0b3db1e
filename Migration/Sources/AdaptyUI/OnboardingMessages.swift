// SPDX-License-Identifier: Apache-2.0

// The messages of an onboarding to the app while it is shown. Landfall shows none: an app gets no value of these types.

/// Which screen of which onboarding.
public struct AdaptyOnboardingsMetaParams: Hashable, Sendable {
    public let onboardingId: String
    public let screenClientId: String
    /// From 0.
    public let screenIndex: Int
    public let screensTotal: Int
}

public struct OnboardingsDidFinishLoadingAction: Hashable, Sendable {
    public let meta: AdaptyOnboardingsMetaParams
}

public struct AdaptyOnboardingsCloseAction: Hashable, Sendable {
    public let actionId: String
    public let meta: AdaptyOnboardingsMetaParams
}

/// The person asks for a paywall.
public struct AdaptyOnboardingsOpenPaywallAction: Hashable, Sendable {
    /// In the original's own editor it is the placement.
    public let actionId: String
    public let meta: AdaptyOnboardingsMetaParams
}

public struct AdaptyOnboardingsCustomAction: Hashable, Sendable {
    public let actionId: String
    public let meta: AdaptyOnboardingsMetaParams
}

/// The person has answered.
public struct AdaptyOnboardingsStateUpdatedAction: Hashable, Sendable {
    public let elementId: String
    public let meta: AdaptyOnboardingsMetaParams
    public let params: OnboardingsStateUpdatedParams
}

public enum OnboardingsStateUpdatedParams: Hashable, Sendable {
    case select(OnboardingsSelectParams)
    case multiSelect([OnboardingsSelectParams])
    case input(OnboardingsInputParams)
    case datePicker(OnboardingsDatePickerParams)
}

public struct OnboardingsSelectParams: Hashable, Sendable {
    public let id: String
    public let value: String
    public let label: String
}

public enum OnboardingsInputParams: Hashable, Sendable {
    case text(String)
    case email(String)
    case number(Double)
}

/// A date; an onboarding may ask for a part of it.
public struct OnboardingsDatePickerParams: Hashable, Sendable {
    public let day: Int?
    public let month: Int?
    public let year: Int?
}

/// For the app's own counts.
public enum AdaptyOnboardingsAnalyticsEvent: Hashable, Sendable {
    case unknown(meta: AdaptyOnboardingsMetaParams, name: String)
    case onboardingStarted(meta: AdaptyOnboardingsMetaParams)
    case screenPresented(meta: AdaptyOnboardingsMetaParams)
    case screenCompleted(meta: AdaptyOnboardingsMetaParams, elementId: String?, reply: String?)
    case secondScreenPresented(meta: AdaptyOnboardingsMetaParams)
    case registrationScreenPresented(meta: AdaptyOnboardingsMetaParams)
    case productsScreenPresented(meta: AdaptyOnboardingsMetaParams)
    case userEmailCollected(meta: AdaptyOnboardingsMetaParams)
    case onboardingCompleted(meta: AdaptyOnboardingsMetaParams)

    public var meta: AdaptyOnboardingsMetaParams {
        switch self {
        case .unknown(let meta, _), .screenCompleted(let meta, _, _), .onboardingStarted(let meta), .screenPresented(let meta),
            .secondScreenPresented(let meta), .registrationScreenPresented(let meta), .productsScreenPresented(let meta),
            .userEmailCollected(let meta), .onboardingCompleted(let meta):
            meta
        }
    }
}
