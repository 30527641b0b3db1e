// SPDX-License-Identifier: Apache-2.0
// Uses every name as an app does, with this one import; it only has to compile.
import Adapty

enum EveryName {
    static func activation(server: URL, folder: URL, tokens: any AdTokenSource) async throws {
        try await Adapty.activate("pk_demo")
        try await Adapty.activate("pk_demo", observerMode: true, customerUserId: "ada")
        let configuration =
            AdaptyConfiguration
            .builder(withAPIKey: "pk_demo")
            .with(customerUserId: "ada")
            .with(observerMode: false)
            .with(idfaCollectionDisabled: true)
            .with(ipAddressCollectionDisabled: true)
            .with(logLevel: .verbose)
            .with(serverURL: server)
            .with(adTokens: tokens)
            .with(storageDirectory: folder)
            .build()
        try await Adapty.activate(with: configuration)
        Adapty.logLevel = .error
        _ = (Adapty.isActivated, Adapty.client == nil, Adapty.delegate)
    }

    static func person() async throws {
        let profile: AdaptyProfile = try await Adapty.getProfile()
        let isPremium = profile.accessLevels["premium"]?.isActive ?? false
        let hasBought = !profile.subscriptions.isEmpty || !profile.nonSubscriptions.isEmpty
        let sources: [AdaptyProfile.AttributionSource] = profile.appliedAttributionSources
        _ = (profile.profileId, profile.customerUserId, profile.customAttributes["plan"] as? String, isPremium, hasBought)
        _ = sources.contains(where: { $0 == .appleAds })

        let parameters = try AdaptyProfileParameters.Builder()
            .with(firstName: "Ada")
            .with(lastName: "Lovelace")
            .with(gender: .female)
            .with(birthday: Date(timeIntervalSince1970: 0))
            .with(email: "ada@example.com")
            .with(phoneNumber: "+15550100")
            .with(analyticsDisabled: false)
            .with(appTrackingTransparencyStatus: .denied)
            .with(customAttribute: "pro", forKey: "plan")
            .with(customAttribute: 3, forKey: "seats")
            .withRemoved(customAttributeForKey: "trial")
            .build()
        try await Adapty.updateProfile(params: parameters)
        try await Adapty.identify("ada")
        try await Adapty.setIntegrationIdentifier(key: "analytics_id", value: "42")
        try await Adapty.updateAttribution(["status": "non_organic", "campaign": "summer"], source: "appsflyer")
        try await Adapty.updateAttribution(#"{"status": "organic"}"#, source: "adjust")
        try await Adapty.logout()
    }

    static func paywalls(file: URL) async throws {
        try await Adapty.setFallback(fileURL: file)
        _ = try await Adapty.getPaywall(placementId: "onboarding")
        let paywall = try await Adapty.getPaywall(
            placementId: "onboarding", locale: "de", fetchPolicy: .returnCacheDataIfNotExpiredElseLoad(maxAge: 60),
            loadTimeout: 3
        )
        _ = try await Adapty.getPaywallForDefaultAudience(
            placementId: "onboarding", locale: "en", fetchPolicy: .returnCacheDataElseLoad
        )
        try await Adapty.logShowPaywall(paywall)
        _ = (paywall.placement.id, paywall.placement.audienceName, paywall.placement.revision, paywall.placement.abTestName)
        _ = (
            paywall.instanceIdentity, paywall.variationId, paywall.name, paywall.vendorProductIds, paywall.hasViewConfiguration
        )
        _ = (
            paywall.remoteConfig?.locale, paywall.remoteConfig?.jsonString,
            paywall.remoteConfig?.dictionary?["title"] as? String
        )
        let policy: AdaptyPlacementFetchPolicy = .reloadRevalidatingCacheData
        assert(policy == .default)
    }

    /// Called from synchronous code, as in an app delegate.
    @MainActor
    static func completions(_ configuration: AdaptyConfiguration, file: URL) throws {
        Adapty.activate("pk_demo")
        Adapty.activate(with: configuration) { error in
            switch error?.adaptyErrorCode {
            case .activateOnceError, .notActivated, .wrongParam: break
            default: _ = error?.originalError
            }
        }
        Adapty.getProfile { result in
            if let profile = try? result.get() { _ = profile.profileId }
        }
        Adapty.updateProfile(params: AdaptyProfileParameters.Builder().build())
        Adapty.identify("ada") { _ in }
        Adapty.updateAttribution(["status": "organic"], source: "branch")
        Adapty.updateAttribution("{}", source: "branch") { _ in }
        Adapty.setIntegrationIdentifier(key: "analytics_id", value: "42")
        Adapty.setFallback(fileURL: file)
        Adapty.getPaywallForDefaultAudience(placementId: "onboarding") { _ in }
        Adapty.getPaywall(placementId: "onboarding", loadTimeout: 2) { result in
            switch result {
            case .success(let paywall): Adapty.logShowPaywall(paywall)
            case .failure(let error): _ = error.localizedDescription
            }
        }
        Adapty.logout()
    }
}
