// SPDX-License-Identifier: Apache-2.0
import Adapty
import AdaptyLogger
import AdaptyUI
import Adjust
import Foundation
import Landfall

/// The launch of an app whose code has both names already.
@MainActor
public func launch(openedBy link: URL?, navigate: @escaping @MainActor (String) -> Void) async throws -> String {
    try await Adapty.activate(
        with: AdaptyConfiguration
            .builder(withAPIKey: "pk_demo")
            .with(serverURL: URL(string: "https://api.example.com")!)
            .build())
    if let client = Adapty.client { Adjust.start(with: client) }
    if let link { Adjust.processDeeplink(link) { resolved in navigate(resolved) } }
    let log: AdaptyLog.Handler = { record in print(record) }
    Adapty.setLogHandler(log)
    try await AdaptyUI.activate()
    do {
        let paywall = try await Adapty.getPaywall(placementId: "onboarding")
        return paywall.hasViewConfiguration ? "" : paywall.name
    } catch {
        return "\(error.adaptyErrorCode)"
    }
}
