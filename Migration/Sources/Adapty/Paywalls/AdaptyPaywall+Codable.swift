// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// For an app that keeps a paywall by itself. The form is Landfall's: a paywall that the original wrote is refused, so ask for the
/// paywall again.
extension AdaptyPaywall: Codable {
    private enum CodingKeys: String, CodingKey {
        case placement, instanceIdentity = "paywall_id", variationId = "variation_id", remoteConfig = "remote_config"
        case vendorProductIds = "product_ids", assignment
    }

    /// The paywall counts as a stored one: `result.origin` is the cache's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let placement = try container.decode(AdaptyPlacement.self, forKey: .placement)
        let config = try container.decodeIfPresent(AdaptyRemoteConfig.self, forKey: .remoteConfig)
        let paywall = Paywall(
            name: PaywallID(try container.decode(String.self, forKey: .instanceIdentity)),
            variationID: VariationID(try container.decode(String.self, forKey: .variationId)),
            remoteConfig: try config.map { config in
                RemoteConfig(
                    locale: config.locale,
                    value: try JSONDecoder().decode(JSONValue.self, from: Data(config.jsonString.utf8))
                )
            },
            productIDs: try container.decode([String].self, forKey: .vendorProductIds)
        )
        try self.init(
            PaywallResult(
                paywall: paywall, placement: PlacementID(placement.id), audience: AudienceID(placement.audienceName),
                origin: .cache(age: .zero), attribution: .pending, elapsed: .zero, revision: Int64(placement.revision),
                assignment: try container.decodeIfPresent(Assignment.self, forKey: .assignment)
            )
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(placement, forKey: .placement)
        try container.encode(instanceIdentity, forKey: .instanceIdentity)
        try container.encode(variationId, forKey: .variationId)
        try container.encodeIfPresent(remoteConfig, forKey: .remoteConfig)
        try container.encode(vendorProductIds, forKey: .vendorProductIds)
        try container.encodeIfPresent(result.assignment, forKey: .assignment)
    }
}

extension AdaptyPaywall {
    @available(*, deprecated, renamed: "placement.id")
    public var placementId: String { placement.id }
    @available(*, deprecated, renamed: "placement.audienceName")
    public var audienceName: String { placement.audienceName }
    @available(*, deprecated, renamed: "placement.revision")
    public var revision: Int { placement.revision }
    @available(*, deprecated, renamed: "placement.abTestName")
    public var abTestName: String { placement.abTestName }
}
