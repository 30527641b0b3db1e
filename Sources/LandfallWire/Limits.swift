// SPDX-License-Identifier: Apache-2.0

/// The longest texts, the same for phone and server. All in bytes of UTF-8: one visible character may have any number of bytes,
/// so a limit on characters would not limit memory.
public enum Limits {
    /// The team's own id of a person: at least 128 characters of any script.
    public static let customerID = 512
    public static let identityToken = 8192
    public static let idempotencyKey = 64
    /// The id of a placement, a paywall or an audience.
    public static let name = 64
    /// The id of an experiment.
    public static let experimentName = 48
    /// The id of a variation.
    public static let variationName = 32
    public static let attributeKey = 30
    /// At least 50 characters of any script.
    public static let attributeText = 200
    /// Each value about where a user came from: channel, campaign, ad group, ad set, creative.
    public static let attributionText = 200
    /// The name of a provider.
    public static let source = 64
    /// Why a phone has no ad token.
    public static let reason = 64
    /// A label that a link's clicks are counted under.
    public static let label = 200
    /// Each value of a phone's report: versions, locale, time zone. Longer ones are cut.
    public static let deviceText = 128
    /// Each text of an event.
    public static let eventText = 128
    /// The name of a property of an own event, and its text.
    public static let eventPropertyName = 64
    public static let eventPropertyText = 256
    /// Each text of Apple's answer to a token.
    public static let appleAdsText = 128
    /// The destination of a link, and the addresses of its page.
    public static let address = 2048
    public static let linkPath = 512
    public static let previewTitle = 1024
    public static let previewDescription = 4096
    /// A value of the server's configuration without a limit of its own.
    public static let configurationText = 255
    /// Campaigns in App Store addresses: Apple reads no more.
    public static let appStoreCampaign = 40

    /// The most attributes of a profile.
    public static let attributes = 30
    /// The most assignments that a first open brings. A phone with more sends the newest.
    public static let assignments = 32
    /// The most properties of an own event.
    public static let eventProperties = 16
    /// The most transactions of one report of purchases, the bytes of its body, and those of one signed transaction.
    public static let purchases = 50
    public static let purchaseBody = 1024 * 1024
    public static let signedTransaction = 64 * 1024
    /// The most features and products that the ready paywall draws.
    public static let paywallFeatures = 50
    public static let paywallProducts = 20
}

extension String {
    /// The longest beginning that fits into this number of bytes of UTF-8. It never cuts a Unicode scalar in two.
    public func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit))
        // Bytes 10xxxxxx continue a scalar.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
