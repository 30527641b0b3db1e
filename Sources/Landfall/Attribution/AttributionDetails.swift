// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// Where the user came from, once it is known. Dates are by the server's clock.
public struct AttributionDetails: Hashable, Sendable {
    public var source: AttributionSource
    /// False for an app's claim about another provider, and for a link that was guessed by network address; true for what the
    /// server found out or received with a server key.
    public var isVerified: Bool
    /// True for Apple's developer-mode answer: never counted as a real user.
    public var isTest: Bool
    /// When the server learned it.
    public var attributedAt: Date
    public var channel: String?
    public var campaign: String?
    public var adGroup: String?
    public var adSet: String?
    public var creative: String?
    /// Apple's own fields, if the source is Apple Ads.
    public var appleAds: AppleAdsDetails?
    /// The link, if the source is ``AttributionSource/link``; nil from servers that do not send it.
    public var link: AttributedLink?

    public init(source: AttributionSource, isVerified: Bool = true, isTest: Bool = false, attributedAt: Date) {
        self.source = source
        self.isVerified = isVerified
        self.isTest = isTest
        self.attributedAt = attributedAt
    }

    init(_ wire: LandfallWire.AttributionDetails) {
        source = wire.source
        isVerified = wire.verified
        isTest = wire.test
        attributedAt = Date(unixMilliseconds: wire.attributedAtMilliseconds)
        channel = wire.channel
        campaign = wire.campaign
        adGroup = wire.adGroup
        adSet = wire.adSet
        creative = wire.creative
        appleAds = wire.appleAds.map(AppleAdsDetails.init)
        link = wire.link.map(AttributedLink.init)
    }
}

/// The tapped link that attributed the user.
public struct AttributedLink: Hashable, Sendable {
    /// Host and path of a stored link, for example `links.example.com/beach`; nil for a long link.
    public var code: String?
    /// The value of the link's `lf_t`, `adj_t` or `adjust_t`.
    public var tracker: String?
    public var label: String?
    public var clickedAt: Date
    /// True if the tap brought the user back after an absence; false if it came before the first open.
    public var isReattribution: Bool

    public init(clickedAt: Date, isReattribution: Bool = false) {
        self.clickedAt = clickedAt
        self.isReattribution = isReattribution
    }

    init(_ wire: LandfallWire.AttributedLink) {
        code = wire.code
        tracker = wire.tracker
        label = wire.label
        clickedAt = Date(unixMilliseconds: wire.clickedAtMilliseconds)
        isReattribution = wire.isReattribution
    }
}

/// The answer of Apple's attribution service about an install from an ad.
public struct AppleAdsDetails: Hashable, Sendable {
    public var orgID: Int64?
    public var campaignID: Int64?
    public var adGroupID: Int64?
    public var keywordID: Int64?
    public var adID: Int64?
    /// ISO 3166-1 alpha-2.
    public var countryOrRegion: String?
    /// `Download` or `Redownload`.
    public var conversionType: String?
    /// `Click` or `Impression`.
    public var claimType: String?
    /// To the minute; nil without the person's consent to tracking.
    public var clickedAt: Date?
    /// To the minute; nil without the person's consent to tracking.
    public var seenAt: Date?
    public var supplyPlacement: String?

    public init() {}

    init(_ wire: AppleAdsAnswer) {
        orgID = wire.orgId
        campaignID = wire.campaignId
        adGroupID = wire.adGroupId
        keywordID = wire.keywordId
        adID = wire.adId
        countryOrRegion = wire.countryOrRegion
        conversionType = wire.conversionType
        claimType = wire.claimType
        clickedAt = wire.clickDate.flatMap(Self.date)
        seenAt = wire.impressionDate.flatMap(Self.date)
        supplyPlacement = wire.supplyPlacement
    }

    /// Apple writes `2026-10-08T17:17Z`.
    private static func date(_ text: String) -> Date? {
        guard text.utf8.count == 17, text.hasSuffix("Z") else { return try? Date(text, strategy: .iso8601) }
        return try? Date("\(text.dropLast()):00Z", strategy: .iso8601)
    }
}

extension Date {
    init(unixMilliseconds milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
