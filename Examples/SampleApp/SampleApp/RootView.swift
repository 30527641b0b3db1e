// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import SwiftUI

/// Onboarding, then the paywall for this person, then home. A link waits until home is visible.
struct RootView: View {
    enum Step: Equatable { case welcome, offer, home }

    @State private var step = Step.welcome
    @State private var path: [Screen] = []

    var body: some View {
        NavigationStack(path: $path) {
            content.navigationDestination(for: Screen.self) { screen in ScreenView(screen: screen) }
        }
        .landfallLinks(landfall, isReady: step == .home) { link in
            path.append(Screen(link))
        }
    }

    @ViewBuilder private var content: some View {
        switch step {
        case .welcome: WelcomeView { step = .offer }
        case .offer: OfferScreen(placement: "onboarding") { step = .home }
        case .home: HomeView { path.append($0) }
        }
    }
}
