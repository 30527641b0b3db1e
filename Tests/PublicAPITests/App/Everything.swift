// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
#if canImport(SwiftUI)
import SwiftUI
#endif
#if canImport(UIKit)
import UIKit
#endif

// The calls that no other file of this app needs.

/// Events that audiences, metrics and experiments read.
func recordTrial(on landfall: LandfallClient) {
    landfall.record("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year"])
    landfall.record("onboarding_finished")
}

/// A screen for developers.
func showState(of landfall: LandfallClient) async throws {
    print(landfall.explain())
    let explanation = landfall.explain()
    print(explanation.install ?? "", explanation.profile ?? "", explanation.setup, explanation.queue.events)
    for fact in explanation.facts { print(fact.subject, fact.value) }
    for errand in explanation.errands { print(errand.name, errand.state, errand.nextTry ?? .zero, errand.lastError ?? "") }
    for wait in explanation.waits { print(wait.what, wait.remaining ?? .zero) }
    for placement in explanation.placements {
        print(placement.placement, placement.locale, placement.rung ?? "none", placement.why)
        for rung in placement.rungs { print(rung.name, rung.isThere, rung.audience ?? "", rung.paywall ?? "") }
    }
    try await landfall.resetInstall()
}

/// A stored paywall is good enough while the phone saves data.
func cachePolicy(whileSavingData isSaving: Bool) -> CachePolicy {
    isSaving ? .returnCacheIfNotExpired(maxAge: .seconds(3_600)) : .reload
}

/// Links without a task of the app's own: one observation waits for its action, the other is told later.
func observeLinks(of landfall: LandfallClient, in scene: SceneID) -> [LinkObservation] {
    [
        landfall.observeLinks { link in print(link.destination?.path ?? []) },
        landfall.observeLinks(for: scene) { link, handled in
            print(link.resolved)
            handled()
        },
    ]
}

/// For code without `async`.
func callWithCompletion(_ landfall: LandfallClient, _ url: URL) {
    landfall.paywall(for: "onboarding", within: .seconds(3), locale: "de") { result in
        if case .success(let shown) = result { landfall.recordExposure(of: shown) }
    }
    landfall.resolve(url, from: .app) { link in print(link.resolved) }
    landfall.open(url, from: .app) { link in print(link.resolved) }
    landfall.identify("customer-1") { result in
        if case .failure(let error) = result { print(error) }
    }
}

/// The client with Objective-C names, as Swift calls it.
func useObjectiveCNames(server: URL, bundled: Data, url: URL) throws -> LFLinkObservation {
    let landfall = LFLandfall(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
    try landfall.setFallback(bundled)
    landfall.observePurchases()
    landfall.start()
    landfall.getPaywall("onboarding", timeLimit: 5) { result, error in
        if let error { print(error) }
        guard let result, !result.isNothing else { return }
        print(result.name ?? "", result.productIDs, result.remoteConfigJSON ?? "", result.result.origin)
        landfall.recordExposure(of: LFPaywallResult(result.result))
    }
    landfall.prepare(["settings"])
    if let stored = landfall.cachedPaywall("settings") { landfall.recordExposure(of: stored) }
    landfall.getDefaultPaywall("onboarding", timeLimit: 1) { result, _ in print(result?.name ?? "") }
    landfall.record("trial_started", value: NSDecimalNumber(string: "9.99"), currency: "EUR", properties: ["plan": "year"])
    landfall.identify("customer-1", token: nil) { error in if let error { print(error) } }
    try landfall.setAttributes(["plan": "pro", "seats": 3, "old": NSNull()])
    landfall.setAttributes(["plan": "pro"], timeLimit: 5) { error in if let error { print(error) } }
    landfall.flush(timeLimit: 5) { error in if let error { print(error) } }
    try landfall.reportAttribution(
        source: "appsflyer", status: "organic", channel: nil, campaign: nil, creative: nil)
    if landfall.collection == "full" { landfall.collection = "essential" }
    print(landfall.customerID ?? "", landfall.client.attribution, LFLandfall(landfall.client).handles(url))
    if !landfall.receive(url) { landfall.recordClick(url) }
    landfall.open(url) { destination in print(destination) }
    landfall.claimDeferredLink("ABCD-2345")
    landfall.getDeferredLink(timeLimit: 1) { destination in if let destination { print(destination) } }
    return landfall.observeLinks { link, handled in
        print(link)
        handled()
    }
}

func endObjectiveCNames(_ landfall: LFLandfall, _ observation: LFLinkObservation) {
    observation.cancel()
    landfall.logOut { _ in }
    landfall.restorePurchases { error in if let error { print(error) } }
    landfall.forget { error in if let error { print(error) } }
    landfall.resetInstall { _ in }
    landfall.shutdown {}
}

#if canImport(SwiftUI)
/// In debug builds.
struct DebugView: View {
    var body: some View { LandfallExplanationView(landfall) }
}
#endif

#if canImport(UIKit)
/// A screen of UIKit that reports later that it has appeared.
@MainActor func observeLinks(of landfall: LandfallClient, in session: UISceneSession) -> LinkObservation {
    landfall.observeLinks(in: session) { link, handled in
        print(link.resolved)
        handled()
    }
}
#endif
