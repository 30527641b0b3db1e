// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
import LandfallApple
import SwiftUI

/// The app's first view.
struct RootView: View {
    let result: PaywallResult

    var body: some View {
        PaywallView(result: result).landfallClient(landfall)
    }
}

/// A placement by phases.
struct OnboardingView: View {
    @StateObject private var person = ObservedProfile(landfall)

    var body: some View {
        PlacementView("onboarding", within: .seconds(3), locale: "de", client: landfall, recordsExposure: true) { phase in
            switch phase {
            case .loading: EmptyView()
            case .loaded(let paywall, let result): OfferView(paywall: paywall, result: result, profile: person.profile)
            case .nothing, .failed: EmptyView()
            }
        }
    }
}

struct OfferView: View {
    let paywall: Paywall
    let result: PaywallResult
    let profile: Profile?
    var body: some View { EmptyView() }
}

/// Every state, as previews show it.
@MainActor func onboardingPreviews() -> [some View] {
    print(ObservedProfile(preview: nil).attribution, Paywall.preview, PaywallResult.preview(origin: .bundled))
    return PlacementPhase.previews.map { phase in
        print(phase.paywall?.name ?? "", phase.result?.origin ?? .bundled, phase.error?.kind ?? .shutDown)
        return OnboardingView().placementPreview(phase)
    }
}

struct PaywallView: View {
    @Environment(\.landfallClient) private var client
    let result: PaywallResult

    var body: some View {
        EmptyView()
            .recordsExposure(result)
            .recordsExposure(result, in: client)
    }
}
#endif
