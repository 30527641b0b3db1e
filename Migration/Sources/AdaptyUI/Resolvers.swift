// SPDX-License-Identifier: Apache-2.0
public import Adapty

/// Fills the app's words into a paywall's text. Never asked.
@MainActor
public protocol AdaptyTagResolver: Sendable {
    func replacement(for tag: String) -> String?
}

/// Says when a paywall's timer ends. Never asked.
@MainActor
public protocol AdaptyTimerResolver: Sendable {
    func timerEndAtDate(for timerId: String) -> Date
}

/// Buys in the app's own way. Never asked.
public protocol AdaptyObserverModeResolver: Sendable {
    func observerMode(
        didInitiatePurchase product: any AdaptyPaywallProduct, onStartPurchase: @escaping () -> Void,
        onFinishPurchase: @escaping () -> Void
    )
}

/// Supplies a paywall's pictures. Never asked.
public protocol AdaptyAssetsResolver: Sendable {
    #if os(iOS) || os(tvOS) || os(visionOS) || os(Linux) && canImport(UIKit)
    func asset(for id: String) -> AdaptyCustomAsset?
    #endif
}

public typealias AdaptyUITagResolver = AdaptyTagResolver
public typealias AdaptyUITimerResolver = AdaptyTimerResolver
public typealias AdaptyUIAssetsResolver = AdaptyAssetsResolver
