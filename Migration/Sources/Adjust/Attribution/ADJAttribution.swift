// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// Where the user came from.
#if canImport(ObjectiveC)
@objc(ADJAttribution) @objcMembers
#endif
public final class ADJAttribution: NSObject, Sendable {
    /// nil: Landfall's links have codes, which the server's reports name.
    public let trackerToken: String?
    /// The names below, as far as they are known, joined by `::`.
    public let trackerName: String?
    /// The link's channel, `Apple Search Ads`, another provider's name, or `Organic`.
    public let network: String?
    public let campaign: String?
    public let adgroup: String?
    public let creative: String?
    public let clickLabel: String?
    /// nil: Landfall knows no cost.
    public let costType: String?
    public let costAmount: NSNumber?
    public let costCurrency: String?

    /// nil while nobody knows yet, and where nobody will.
    init?(_ attribution: Attribution) {
        switch attribution {
        case .attributed(let details):
            network = details.channel ?? Self.network(of: details.source)
            campaign = details.campaign ?? details.appleAds?.campaignId.map(String.init)
            adgroup = details.adGroup ?? details.appleAds?.adGroupId.map(String.init)
            creative = details.creative
        case .notAttributed:
            (network, campaign, adgroup, creative) = ("Organic", nil, nil, nil)
        case .pending, .unavailable: return nil
        }
        trackerName = [network, campaign, adgroup, creative].compactMap(\.self).joined(separator: "::")
        (trackerToken, clickLabel, costType, costAmount, costCurrency) = (nil, nil, nil, nil, nil)
    }

    private static func network(of source: AttributionSource) -> String {
        source == .appleAds ? "Apple Search Ads" : source.rawValue
    }

    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ADJAttribution else { return false }
        return [network, campaign, adgroup, creative] == [other.network, other.campaign, other.adgroup, other.creative]
    }

    override public var hash: Int { [network, campaign, adgroup, creative].hashValue }

    override public var description: String { trackerName ?? "" }
}
