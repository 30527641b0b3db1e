// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// What to show: products, and the team's own remote config for one locale.
public struct Paywall: Hashable, Sendable {
    /// The paywall's id in the configuration.
    public let name: PaywallID
    /// What exactly was shown: the paywall itself, or one arm of an experiment.
    public let variationID: VariationID
    public let remoteConfig: RemoteConfig?
    /// Store product ids in display order.
    public let productIDs: [String]

    public init(name: PaywallID, variationID: VariationID, remoteConfig: RemoteConfig? = nil, productIDs: [String] = []) {
        self.name = name
        self.variationID = variationID
        self.remoteConfig = remoteConfig
        self.productIDs = productIDs
    }

    init(_ wire: WirePaywall) {
        self.init(
            name: wire.name, variationID: wire.variationId, remoteConfig: wire.remoteConfig.map(RemoteConfig.init),
            productIDs: wire.productIds
        )
    }
}
