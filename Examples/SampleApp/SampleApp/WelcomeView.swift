// SPDX-License-Identifier: Apache-2.0
import SwiftUI

/// The app's first screen. Meanwhile the SDK finds out where the person came from.
struct WelcomeView: View {
    let goOn: @MainActor () -> Void

    var body: some View {
        VStack(spacing: 16) {
            Text("Welcome").font(.largeTitle)
            Text("This app shows what happens between a tap on an ad or a link and the first screen.")
                .multilineTextAlignment(.center)
            Button("Continue", action: goOn).buttonStyle(.borderedProminent)
        }
        .padding()
    }
}
