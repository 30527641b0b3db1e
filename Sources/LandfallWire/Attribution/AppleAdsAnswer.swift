// SPDX-License-Identifier: Apache-2.0
/// The answer of Apple's attribution service about one token; the names are Apple's own.
public struct AppleAdsAnswer: Hashable, Sendable, Codable {
    public var attribution: Bool
    public var orgId: Int64?
    public var campaignId: Int64?
    public var conversionType: String?
    public var claimType: String?
    public var adGroupId: Int64?
    public var countryOrRegion: String?
    public var keywordId: Int64?
    public var adId: Int64?
    public var clickDate: String?
    public var impressionDate: String?
    public var supplyPlacement: String?

    public init(attribution: Bool) { self.attribution = attribution }
}
