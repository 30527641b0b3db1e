// SPDX-License-Identifier: Apache-2.0
public import Adapty
public import Foundation

/// Landfall draws no paywalls: the app does, from a paywall's `remoteConfig`. These names let an app's code compile; a paywall's
/// `hasViewConfiguration` is false, and every call that would make a screen throws an error that says so.
public enum AdaptyUI {
    public struct Configuration: Sendable {
        public static let `default` = Configuration()
        public init(mediaCacheConfiguration: MediaCacheConfiguration? = nil) {}
    }

    /// Landfall loads no media.
    public struct MediaCacheConfiguration: Sendable {
        public init(memoryStorageTotalCostLimit: Int, memoryStorageCountLimit: Int, diskStorageSizeLimit: UInt) {}
    }

    /// What a person does on a screen.
    public enum Action: Sendable {
        case close
        case openURL(url: URL)
        case custom(id: String)
    }

    /// The look of a paywall. Landfall has none: an app gets no value of this type.
    @MainActor
    public final class PaywallConfiguration {
        public var id: String { "" }
        public var locale: String { "" }
        public var isRightToLeft: Bool { false }

        init() {}
    }

    /// Does nothing; the log says once what replaces it.
    public static func activate(configuration: Configuration = .default) async throws { Adapty.say(.adaptyUI) }

    /// Does nothing; the log says once what replaces it.
    public static func activate(configuration: Configuration = .default, _ completion: AdaptyErrorCompletion? = nil) {
        Adapty.say(.adaptyUI)
        Adapty.answer(completion) {}
    }

    /// - Throws: ``AdaptyError`` 3007, always. Draw the paywall from its `remoteConfig`.
    public static func getPaywallConfiguration(
        forPaywall paywall: AdaptyPaywall, loadTimeout: TimeInterval? = nil, products: [any AdaptyPaywallProduct]? = nil,
        observerModeResolver: (any AdaptyObserverModeResolver)? = nil, tagResolver: (any AdaptyTagResolver)? = nil,
        timerResolver: (any AdaptyTimerResolver)? = nil, assetsResolver: (any AdaptyAssetsResolver)? = nil
    ) async throws -> PaywallConfiguration {
        throw AdaptyError.missingDrawing
    }

    /// The completion gets ``AdaptyError`` 3007, always.
    public static func getPaywallConfiguration(
        forPaywall paywall: AdaptyPaywall, loadTimeout: TimeInterval? = nil, products: [any AdaptyPaywallProduct]? = nil,
        observerModeResolver: (any AdaptyObserverModeResolver)? = nil, tagResolver: (any AdaptyTagResolver)? = nil,
        timerResolver: (any AdaptyTimerResolver)? = nil, assetsResolver: (any AdaptyAssetsResolver)? = nil,
        _ completion: @escaping AdaptyResultCompletion<PaywallConfiguration>
    ) {
        Adapty.answer(completion) { throw AdaptyError.missingDrawing }
    }
}

extension AdaptyUI.Action {
    /// As ``openURL(url:)``: the app decides where the page opens. A `switch` matches it by `.openURL(let url)`.
    public static func openURL(url: URL, in presentation: AdaptyWebPresentation) -> AdaptyUI.Action { .openURL(url: url) }
}
