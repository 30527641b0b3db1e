// SPDX-License-Identifier: Apache-2.0

/// Features that these names promise and Landfall does not have yet. Each has the error code that existing code expects, and a
/// sentence that says what to use.
struct MissingFeature: Hashable, Sendable {
    let code: AdaptyError.ErrorCode
    let text: String

    static let receipts = MissingFeature(
        code: .cantReadReceipt,
        text: "Landfall reads no receipts. Use StoreKit: AppTransaction.shared, and Transaction.currentEntitlements.")
    static let refunds = MissingFeature(
        code: .unsupportedData,
        text: "Landfall answers no refund requests yet. Answer the App Store's CONSUMPTION_REQUEST on your backend.")
    static let webPaywalls = MissingFeature(
        code: .unsupportedData,
        text: "Landfall has no web paywalls. Put the page's address into the paywall's remoteConfig, and open it.")
    static let onboardings = MissingFeature(
        code: .unsupportedData,
        text: "Landfall has no onboardings. Ask getPaywall for a placement of that name, and draw from its remoteConfig.")
    static let drawing = MissingFeature(
        code: .unsupportedData,
        text: "Landfall draws no paywalls: hasViewConfiguration is false. Draw the paywall from its remoteConfig.")
}

extension AdaptyError {
    init(_ missing: MissingFeature) { self.init(missing.code, missing.text) }

    /// For the module that would draw.
    package static var missingDrawing: AdaptyError { AdaptyError(.drawing) }
}

extension Notice {
    /// For the module that would draw.
    package static let adaptyUI = Notice(
        """
        AdaptyUI draws nothing here: hasViewConfiguration is false. Draw each paywall from its remoteConfig, and remove \
        AdaptyUI.activate.
        """)
}
