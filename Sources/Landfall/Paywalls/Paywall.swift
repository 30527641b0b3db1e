// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import LandfallWire

/// What to show: products, and the team's own remote config for one locale.
public struct Paywall: Hashable, Sendable {
    /// The paywall's id in the configuration.
    public let name: PaywallID
    /// What exactly was drawn: the paywall itself, or one arm of an experiment.
    public let variationID: VariationID
    public let remoteConfig: RemoteConfig?
    /// Store product ids in the order in which they are shown.
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

/// JSON that the team wrote for one paywall and locale.
public struct RemoteConfig: Hashable, Sendable {
    /// The locale that was found: the exact one, else the language, else the paywall's default.
    public let locale: String
    public let value: JSONValue

    public init(locale: String, value: JSONValue) {
        self.locale = locale
        self.value = value
    }

    init(_ wire: WirePaywall.RemoteConfig) { self.init(locale: wire.locale, value: wire.value) }

    /// Compact JSON, keys sorted.
    public var jsonString: String {
        // A JSONValue always encodes: it holds no number that JSON lacks, because it was decoded from JSON.
        (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// The members of the object; nil where the team wrote another kind of value.
    public var dictionary: [String: JSONValue]? {
        if case .object(let members) = value { members } else { nil }
    }
}
