// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// What to show at a placement.
public struct AdaptyPaywall: Sendable {
    public let placement: AdaptyPlacement
    /// Names the paywall itself, whichever placement shows it.
    public let instanceIdentity: String
    /// Names what exactly was shown: the paywall, or one arm of an experiment.
    public let variationId: String
    public let name: String
    /// The team's own values for the locale; nil if the paywall has none.
    public let remoteConfig: AdaptyRemoteConfig?
    /// Store product ids in the order in which they are shown.
    public let vendorProductIds: [String]
    /// Always false: Landfall draws no paywalls, the app does.
    public var hasViewConfiguration: Bool { false }

    /// Landfall's values beyond these names: the origin of the paywall, the attribution, and the elapsed time.
    public let result: PaywallResult

    /// - Throws: ``AdaptyError`` 3101 if the configuration shows nothing: these names have no paywall for it.
    init(_ result: PaywallResult) throws {
        guard let paywall = result.paywall else {
            throw AdaptyError(
                .fetchTimeoutError,
                "The configuration shows nothing at '\(result.placement)' to this person. Go on without a paywall."
            )
        }
        placement = AdaptyPlacement(
            id: result.placement.rawValue,
            audienceName: result.audience.rawValue,
            revision: Int(clamping: result.revision),
            abTestName: result.assignment?.experiment.rawValue ?? ""
        )
        instanceIdentity = paywall.name.rawValue
        variationId = paywall.variationID.rawValue
        name = paywall.name.rawValue
        remoteConfig = paywall.remoteConfig.map(AdaptyRemoteConfig.init)
        vendorProductIds = paywall.productIDs
        self.result = result
    }
}

extension AdaptyPaywall: Hashable {
    /// Compares what is shown; the loading time makes no difference.
    public static func == (one: Self, other: Self) -> Bool {
        one.placement == other.placement
            && one.instanceIdentity == other.instanceIdentity
            && one.variationId == other.variationId
            && one.remoteConfig == other.remoteConfig
            && one.vendorProductIds == other.vendorProductIds
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(placement)
        hasher.combine(variationId)
    }
}

extension AdaptyPaywall: CustomStringConvertible {
    public var description: String { "\(name), variation: \(variationId), placement: \(placement), products: \(vendorProductIds)" }
}

/// The place in the app for which a paywall was requested, and its audience.
public struct AdaptyPlacement: Hashable, Identifiable, Sendable {
    public let id: String
    /// The audience that the person matched; `everyone` is the last audience of every placement.
    public let audienceName: String
    /// Version of the configuration that decided.
    public let revision: Int
    /// The experiment that chose the paywall; empty if none did. `AdaptyPaywall.result.assignment` names the variation too.
    public let abTestName: String
}

extension AdaptyPlacement: CustomStringConvertible {
    public var description: String { "\(id), audience: \(audienceName), revision: \(revision), experiment: '\(abTestName)'" }
}

extension AdaptyPlacement: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, audienceName = "audience_name", revision, abTestName = "ab_test_name"
    }

    /// A placement that an older release wrote does not name its experiment.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        audienceName = try container.decode(String.self, forKey: .audienceName)
        revision = try container.decode(Int.self, forKey: .revision)
        abTestName = try container.decodeIfPresent(String.self, forKey: .abTestName) ?? ""
    }
}
