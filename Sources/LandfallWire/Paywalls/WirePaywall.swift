// SPDX-License-Identifier: Apache-2.0
/// The content of a paywall: products and the team's own remote config for one locale.
public struct WirePaywall: Hashable, Sendable, Codable {
    public struct RemoteConfig: Hashable, Sendable, Codable {
        /// The locale that was found by ``LocaleFallback``, else the paywall's default.
        public var locale: String
        public var value: JSONValue

        public init(locale: String, value: JSONValue) {
            self.locale = locale
            self.value = value
        }
    }

    public var name: PaywallID
    public var variationId: VariationID
    public var remoteConfig: RemoteConfig?
    /// Store product ids in display order.
    public var productIds: [String]

    public init(name: PaywallID, variationId: VariationID, remoteConfig: RemoteConfig? = nil, productIds: [String] = []) {
        self.name = name
        self.variationId = variationId
        self.remoteConfig = remoteConfig
        self.productIds = productIds
    }

    private enum CodingKeys: String, CodingKey { case name, variationId, remoteConfig, productIds }

    /// A missing optional field never makes the paywall invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(PaywallID.self, forKey: .name)
        variationId = try container.decodeIfPresent(VariationID.self, forKey: .variationId) ?? VariationID(name.rawValue)
        remoteConfig = try? container.decodeIfPresent(RemoteConfig.self, forKey: .remoteConfig)
        productIds = (try? container.decodeIfPresent([String].self, forKey: .productIds)) ?? []
    }
}
