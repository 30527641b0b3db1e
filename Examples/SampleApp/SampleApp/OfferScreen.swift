// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import SwiftUI

/// Loads a placement's paywall and shows it. It continues without one if the server says "show nothing" or there is no paywall.
struct OfferScreen: View {
    let placement: PlacementID
    let close: @MainActor () -> Void

    @Environment(\.landfallClient) private var landfall
    @State private var shown: PaywallResult?

    var body: some View {
        VStack {
            if let shown, let paywall = shown.paywall {
                PaywallView(paywall: paywall, shown: shown, close: close).recordsExposure(shown)
            } else {
                ProgressView()
            }
        }
        .task {
            shown = try? await landfall?.paywall(for: placement, within: .seconds(5))
            if shown?.paywall == nil { close() }
        }
    }
}
