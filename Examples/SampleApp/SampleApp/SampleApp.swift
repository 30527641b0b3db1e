// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import SwiftUI

@main
struct SampleApp: App {
    init() {
        landfall.observePurchases()  // What the person has bought before, and elsewhere.
        landfall.start()
    }

    var body: some Scene {
        WindowGroup {
            RootView().landfallClient(landfall)
        }
    }
}
