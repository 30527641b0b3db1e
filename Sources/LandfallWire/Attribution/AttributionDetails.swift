// SPDX-License-Identifier: Apache-2.0
/// Where the user came from, once it is known.
public struct AttributionDetails: Hashable, Sendable, Codable {
    public var source: AttributionSource
    /// False for an app's claim about another provider, and for a link that was guessed by network address; true for what the
    /// server found out or received with a server key.
    public var verified: Bool
    /// True for Apple's developer-mode answer: never counted as a real user.
    public var test: Bool
    /// When the server learned it: Unix milliseconds, by the server's clock.
    public var attributedAtMilliseconds: Int64
    public var channel: String?
    public var campaign: String?
    public var adGroup: String?
    public var adSet: String?
    public var creative: String?
    /// All of Apple's fields, if the source is Apple Ads.
    public var appleAds: AppleAdsAnswer?
    /// The link, if the source is ``AttributionSource/link``; nil from servers that do not send it.
    public var link: AttributedLink?

    public init(source: AttributionSource, verified: Bool, test: Bool = false, attributedAtMilliseconds: Int64) {
        self.source = source
        self.verified = verified
        self.test = test
        self.attributedAtMilliseconds = attributedAtMilliseconds
    }
}
