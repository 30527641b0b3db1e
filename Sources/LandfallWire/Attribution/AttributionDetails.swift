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

/// The tapped link that attributed the user.
public struct AttributedLink: Hashable, Sendable, Codable {
    /// Host and path of a stored link, for example `links.example.com/beach`; nil for a long link.
    public var code: String?
    /// The value of the link's `lf_t`, `adj_t` or `adjust_t`.
    public var tracker: String?
    public var label: String?
    /// The time of the tap: Unix milliseconds, by the server's clock.
    public var clickedAtMilliseconds: Int64
    /// True if the tap brought the user back after an absence; false if it came before the first open.
    public var isReattribution: Bool

    public init(clickedAtMilliseconds: Int64, isReattribution: Bool = false) {
        self.clickedAtMilliseconds = clickedAtMilliseconds
        self.isReattribution = isReattribution
    }
}

/// The party that attributed the user.
public struct AttributionSource: WireIdentifier, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    /// Apple Ads, queried by the server itself.
    public static let appleAds = AttributionSource("apple_search_ads")
    /// A link of the team's own brand domain, recorded by the server itself.
    public static let link = AttributionSource("link")

    /// The sources that only the server may state; a claim that names one is refused with `reserved_source`.
    public static let reserved: Set<AttributionSource> = [
        .appleAds, .link, AttributionSource("apple_ads"), AttributionSource("landfall"),
    ]
}
