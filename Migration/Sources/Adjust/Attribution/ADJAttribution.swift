// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// Where the user came from: the link that brought them back after an absence, else the acquisition.
#if canImport(ObjectiveC)
@objc(ADJAttribution) @objcMembers
#endif
public final class ADJAttribution: NSObject, Sendable {
    /// The link's tracker (`adj_t`); without one a short link's host and path. nil if no link brought the user.
    public let trackerToken: String?
    /// The names below, as far as they are known, joined by `::`.
    public let trackerName: String?
    /// The link's channel, `Apple Search Ads`, another provider's name, or `Organic`.
    public let network: String?
    public let campaign: String?
    public let adgroup: String?
    public let creative: String?
    /// The link's label.
    public let clickLabel: String?
    /// nil: Landfall knows no cost.
    public let costType: String?
    public let costAmount: NSNumber?
    public let costCurrency: String?
    /// As ``Adjust/adid()``.
    public let adid: String?

    /// nil while attribution is not known, and if it never will be.
    convenience init?(_ profile: Profile) {
        let adid = profile.installID.rawValue
        if let engagement = profile.engagement, engagement.link?.isReattribution == true {
            self.init(engagement, adid: adid)
            return
        }
        switch profile.attribution {
        case .attributed(let details): self.init(details, adid: adid)
        case .notAttributed: self.init(nil, adid: adid)
        case .pending, .unavailable: return nil
        }
    }

    /// - Parameter details: nil for organic.
    private init(_ details: AttributionDetails?, adid: String) {
        self.adid = adid
        network = details.map { $0.channel ?? Self.network(of: $0.source) } ?? "Organic"
        campaign = details?.campaign ?? details?.appleAds?.campaignID.map(String.init)
        adgroup = details?.adGroup ?? details?.appleAds?.adGroupID.map(String.init)
        creative = details?.creative
        trackerToken = details?.link?.tracker ?? details?.link?.code
        clickLabel = details?.link?.label
        trackerName = [network, campaign, adgroup, creative].compactMap(\.self).joined(separator: "::")
        (costType, costAmount, costCurrency) = (nil, nil, nil)
    }

    /// From a server's dictionary, as ``jsonResponse`` has it: for an app's own tests.
    public convenience init?(jsonDict: [AnyHashable: Any]) {
        self.init(
            costType: jsonDict["cost_type"] as? String, costAmount: jsonDict["cost_amount"] as? NSNumber,
            costCurrency: jsonDict["cost_currency"] as? String
        ) { jsonDict[$0.inJSON] as? String }
    }

    /// The first generation's initialiser.
    public convenience init?(jsonDict: [AnyHashable: Any], adid: String) {
        self.init(jsonDict: jsonDict.merging([Name.adid.inJSON: adid]) { $1 })
    }

    /// From an archive.
    public convenience init?(coder: NSCoder) {
        self.init { name in
            guard coder.containsValue(forKey: name.rawValue) else { return nil }
            return coder.decodeObject(of: NSString.self, forKey: name.rawValue).map { "\($0)" }
        }
    }

    private init(
        costType: String? = nil, costAmount: NSNumber? = nil, costCurrency: String? = nil, text: (Name) -> String?
    ) {
        trackerToken = text(.trackerToken)
        trackerName = text(.trackerName)
        network = text(.network)
        campaign = text(.campaign)
        adgroup = text(.adgroup)
        creative = text(.creative)
        clickLabel = text(.clickLabel)
        adid = text(.adid)
        (self.costType, self.costAmount, self.costCurrency) = (costType, costAmount, costCurrency)
    }

    private static func network(of source: AttributionSource) -> String {
        source == .appleAds ? "Apple Search Ads" : source.rawValue
    }

    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ADJAttribution else { return false }
        return parts == other.parts
    }

    override public var hash: Int { parts.hashValue }

    fileprivate var parts: [String?] { [network, campaign, adgroup, creative, trackerToken, clickLabel] }

    override public var description: String { trackerName ?? "" }
}
