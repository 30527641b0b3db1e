// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What an attribution names by an id.
package enum AppleAdsKind: String, CaseIterable, Sendable {
    case campaign, adGroup, keyword, ad

    /// Of an audience, whose values are such ids.
    var attribute: String {
        switch self {
        case .campaign: AudienceAttribute.attributionCampaign.rawValue
        case .adGroup: AudienceAttribute.attributionAdGroup.rawValue
        case .keyword: AudienceAttribute.attributionKeyword.rawValue
        case .ad: AudienceAttribute.attributionAd.rawValue
        }
    }

    /// Nil if the values of this attribute are no ids of Apple Ads.
    package init?(attribute: String) {
        guard let kind = Self.allCases.first(where: { $0.attribute == attribute }) else { return nil }
        self = kind
    }

    /// In Apple's paths.
    var path: String {
        switch self {
        case .campaign: "campaigns"
        case .adGroup: "adgroups"
        case .keyword: "keywords"
        case .ad: "ads"
        }
    }
}

/// A campaign, an ad group, a keyword or an ad, as Apple lists it.
struct AppleAdsEntity: Hashable, Sendable {
    /// Where an ad leads.
    enum Landing: Hashable, Sendable {
        /// What the store knows stays. Entities that are not ads have it too.
        case unknown
        case usualPage
        case page(AppleAdsProductPage)
    }

    /// In bytes of UTF-8.
    static let longestName = 1_024

    let kind: AppleAdsKind
    let id: Int64
    /// Of a keyword its text.
    let name: String
    /// The campaign of an ad group, the ad group of a keyword or an ad; nil for a campaign.
    var parent: Int64?
    /// Nil for a campaign.
    var campaign: Int64?
    /// `BROAD` or `EXACT`, of a keyword.
    var matchType: String?
    /// The App Store id of a campaign's app.
    var promotedID: String?
    var isDeleted = false
    /// Of an ad.
    var creative: Int64?
    var landing = Landing.unknown
}

extension AppleAdsEntity {
    /// - Returns: nil if the answer lacks the id or the name.
    init?(_ answer: AppleAdsAnswered, _ kind: AppleAdsKind) {
        guard let id = answer.id, let name = (kind == .keyword ? answer.text : answer.name)?.storable(toBytes: Self.longestName) else { return nil }
        self.init(kind: kind, id: id, name: name)
        campaign = kind == .campaign ? nil : answer.campaignId
        parent =
            switch kind {
            case .campaign: nil
            case .adGroup: answer.campaignId
            case .keyword, .ad: answer.adGroupId
            }
        matchType = answer.matchType?.storable(toBytes: 32)
        promotedID = answer.promotedObjectId?.storable(toBytes: 32)
        isDeleted = answer.deleted ?? false
        creative = kind == .ad ? answer.creativeId : nil
    }
}

extension AppleAdsEntity {
    /// The same ad with the page that its creative has.
    func leading(to pages: [Int64: AppleAdsProductPage]?) -> AppleAdsEntity {
        guard kind == .ad, let pages, let creative else { return self }
        var entity = self
        entity.landing = pages[creative].map { .page($0) } ?? .usualPage
        return entity
    }
}

extension String {
    /// Without U+0000, which no database stores.
    func storable(toBytes limit: Int) -> String {
        (utf8.contains(0) ? String(unicodeScalars.filter { $0.value != 0 }.map { Character($0) }) : self).cut(toBytes: limit)
    }
}
