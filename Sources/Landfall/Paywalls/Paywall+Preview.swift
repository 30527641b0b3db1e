// SPDX-License-Identifier: Apache-2.0
// Values for previews of the app's screens, one for every state.

extension Paywall {
    public static let preview = Paywall(
        name: "preview", variationID: "preview",
        remoteConfig: ["title": "Unlock everything", "subtitle": "Seven days free", "trialDays": 7],
        productIDs: ["com.example.app.yearly", "com.example.app.monthly"]
    )
}

extension PaywallResult {
    /// A result as a call would return it; without a paywall it is one that shows nothing.
    public static func preview(
        _ paywall: Paywall? = .preview, at placement: PlacementID = "preview", origin: Origin = .matchingAudience,
        attribution: Attribution = .notAttributed, assignment: Assignment? = nil
    ) -> PaywallResult {
        PaywallResult(
            paywall: paywall, placement: placement, audience: .everyone, origin: origin, attribution: attribution,
            elapsed: .milliseconds(300), revision: 1, assignment: assignment
        )
    }
}
