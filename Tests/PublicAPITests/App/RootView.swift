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
