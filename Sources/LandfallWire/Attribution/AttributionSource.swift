// SPDX-License-Identifier: Apache-2.0
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
