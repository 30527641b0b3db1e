// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// A page that introduces the app. Landfall has none: an app gets no value of this type.
public struct AdaptyOnboarding: Hashable, Sendable {
    public let placement: AdaptyPlacement
    public let instanceIdentity: String
    public let variationId: String
    public let name: String
    public let remoteConfig: AdaptyRemoteConfig?
    public var hasViewConfiguration: Bool { false }
}

extension AdaptyError {
    /// For the module that would draw it.
    package static var missingOnboardings: AdaptyError { AdaptyError(.onboardings) }
}

extension Adapty {
    /// - Throws: ``AdaptyError`` 3007, always. Ask ``getPaywall(placementId:locale:fetchPolicy:loadTimeout:)`` for a placement
    ///   of that name.
    public static func getOnboarding(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        loadTimeout: TimeInterval? = nil
    ) async throws(AdaptyError) -> AdaptyOnboarding {
        throw AdaptyError(.onboardings)
    }

    /// - Throws: ``AdaptyError`` 3007, always.
    public static func getOnboardingForDefaultAudience(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default
    ) async throws(AdaptyError) -> AdaptyOnboarding {
        throw AdaptyError(.onboardings)
    }

    public static func getOnboarding(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        loadTimeout: TimeInterval? = nil, _ completion: @escaping AdaptyResultCompletion<AdaptyOnboarding>
    ) {
        answer(completion) { throw AdaptyError(.onboardings) }
    }

    public static func getOnboardingForDefaultAudience(
        placementId: String, locale: String? = nil, fetchPolicy: AdaptyPlacementFetchPolicy = .default,
        _ completion: @escaping AdaptyResultCompletion<AdaptyOnboarding>
    ) {
        answer(completion) { throw AdaptyError(.onboardings) }
    }

    @available(
        *, unavailable, message: "Declare an event in landfall.yaml and call Adapty.client?.record(\"onboarding_screen\")."
    )
    public static func logShowOnboarding(name: String?, screenName: String?, screenOrder: UInt) async throws(AdaptyError) {}

    @available(
        *, unavailable, message: "Declare an event in landfall.yaml and call Adapty.client?.record(\"onboarding_screen\")."
    )
    public static func logShowOnboarding(
        name: String?, screenName: String?, screenOrder: UInt, _ completion: AdaptyErrorCompletion? = nil
    ) {}
}
