// SPDX-License-Identifier: Apache-2.0
import Adapty

// Call site: the paywall for the phone's language, its remote config decoded by hand.
func onboarding() async throws -> (title: String, products: [String]) {
    let paywall = try await Adapty.getPaywall(placementId: "onboarding", locale: Locale.current.identifier)
    let title = paywall.remoteConfig?.dictionary?["title"] as? String ?? "Welcome"
    try await Adapty.logShowPaywall(paywall)
    return (title, paywall.vendorProductIds)
}

// Call site: the remote config decoded into the app's type.
struct Offer: Decodable, Sendable {
    var title: String?
    var days: Int?
}

func offer(of paywall: AdaptyPaywall) throws -> Offer? {
    try paywall.remoteConfig.map { try JSONDecoder().decode(Offer.self, from: Data($0.jsonString.utf8)) }
}

// Call site: what is stored comes first.
func cached(_ placement: String) async throws(AdaptyError) -> AdaptyPaywall {
    try await Adapty.getPaywall(
        placementId: placement, fetchPolicy: .returnCacheDataIfNotExpiredElseLoad(maxAge: 86_400), loadTimeout: 2
    )
}

// Call site: the default audience's paywall, while the right one loads.
func either() async -> AdaptyPaywall? {
    async let quick = Adapty.getPaywallForDefaultAudience(placementId: "main", fetchPolicy: .returnCacheDataElseLoad)
    if let paywall = try? await Adapty.getPaywall(placementId: "main") { return paywall }
    return try? await quick
}

// Call site: with a completion, as in code of UIKit.
@MainActor
func showPaywall(_ show: @escaping @MainActor @Sendable (AdaptyPaywall) -> Void) {
    Adapty.getPaywall(placementId: "main", locale: "de") { result in
        switch result {
        case .success(let paywall):
            DispatchQueue.main.async { show(paywall) }
            Adapty.logShowPaywall(paywall)
        case .failure(let error): print(error)
        }
    }
}

// Call site: the default audience with a completion, and the fallback file.
func prepare(_ file: URL) {
    Adapty.setFallback(fileURL: file) { error in if let error { print(error) } }
    Adapty.getPaywallForDefaultAudience(placementId: "main") { result in print((try? result.get())?.name ?? "") }
}

// Call site: what analytics wants to know of a paywall.
func properties(of paywall: AdaptyPaywall) -> [String: String] {
    [
        "placement": paywall.placement.id, "audience": paywall.placement.audienceName,
        "revision": "\(paywall.placement.revision)", "test": paywall.placement.abTestName, "name": paywall.name,
        "variation": paywall.variationId, "instance": paywall.instanceIdentity, "drawn": "\(paywall.hasViewConfiguration)",
    ]
}

// Call site: the names before `placement`.
@available(*, deprecated)
func olderProperties(of paywall: AdaptyPaywall) -> [String] {
    [paywall.placementId, paywall.audienceName, "\(paywall.revision)", paywall.abTestName]
}

// Call site: the app keeps paywall and profile by itself.
func keep(_ paywall: AdaptyPaywall, _ profile: AdaptyProfile, in folder: URL) throws {
    try JSONEncoder().encode(paywall).write(to: folder.appendingPathComponent("paywall.json"))
    try JSONEncoder().encode(profile).write(to: folder.appendingPathComponent("profile.json"))
    try JSONEncoder().encode(profile.appliedAttributionSources).write(to: folder.appendingPathComponent("sources.json"))
}

func kept(in folder: URL) throws -> AdaptyPaywall {
    try JSONDecoder().decode(AdaptyPaywall.self, from: Data(contentsOf: folder.appendingPathComponent("paywall.json")))
}

// Call site: an onboarding, and the paywall where there is none.
func introduction() async throws -> String {
    do {
        let onboarding = try await Adapty.getOnboarding(placementId: "intro", locale: "en", loadTimeout: 2)
        return onboarding.name
    } catch {
        return try await Adapty.getPaywall(placementId: "intro").name
    }
}

// Call site: the default audience's onboarding, with a completion.
func introduction(_ show: @escaping @Sendable (AdaptyOnboarding) -> Void) {
    Adapty.getOnboardingForDefaultAudience(placementId: "intro") { result in
        if case .success(let onboarding) = result { show(onboarding) }
    }
    Adapty.getOnboarding(placementId: "intro") { _ in }
}
