// SPDX-License-Identifier: Apache-2.0
import Landfall

/// The person and the install, as the server last reported them. Two profiles are equal if all their fields are equal, also the sources.
public struct AdaptyProfile: Hashable, Sendable {
    /// The party that attributed the user.
    public struct AttributionSource: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let appleAds = AttributionSource(rawValue: "apple_search_ads")
    }

    public let profileId: String
    /// The id that `identify` attached; nil for an anonymous profile.
    public let customerUserId: String?
    /// Sources that name an origin of this user, the winner first. Empty both while there is no answer and for an organic user:
    /// `Adapty.client?.attribution` distinguishes the two.
    public let appliedAttributionSources: [AttributionSource]
    let attributes: [String: AttributeValue]
    let purchases: Purchases

    /// The custom attributes that the server holds: `String`, `Double` or `Bool`.
    public var customAttributes: [String: any Sendable] {
        attributes.mapValues { value -> any Sendable in
            switch value {
            case .string(let text): text
            case .number(let number): number
            case .bool(let flag): flag
            }
        }
    }

    init(_ profile: Profile) {
        profileId = profile.id.rawValue
        customerUserId = profile.customerID
        appliedAttributionSources = profile.appliedAttributionSources.map { AttributionSource(rawValue: $0.rawValue) }
        attributes = profile.customAttributes
        purchases = Purchases(profile)
    }
}

extension AdaptyProfile: Codable {
    private enum CodingKeys: String, CodingKey {
        case profileId = "profile_id", customerUserId = "customer_user_id"
        case appliedAttributionSources = "applied_attribution_sources"
        case attributes = "custom_attributes"
        case accessLevels = "paid_access_levels", subscriptions, nonSubscriptions = "non_subscriptions"
    }

    /// Reads what ``encode(to:)`` wrote, and the fields that it shares with profiles which the original wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        profileId = try container.decode(String.self, forKey: .profileId)
        customerUserId = try container.decodeIfPresent(String.self, forKey: .customerUserId)
        appliedAttributionSources =
            try container.decodeIfPresent([AttributionSource].self, forKey: .appliedAttributionSources) ?? []
        attributes = try container.decodeIfPresent([String: AttributeValue].self, forKey: .attributes) ?? [:]
        purchases = Purchases(
            accessLevels: try container.decodeIfPresent([String: AccessLevel].self, forKey: .accessLevels) ?? [:],
            subscriptions: try container.decodeIfPresent([String: Subscription].self, forKey: .subscriptions) ?? [:],
            nonSubscriptions: try container.decodeIfPresent([String: [NonSubscription]].self, forKey: .nonSubscriptions) ?? [:]
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(profileId, forKey: .profileId)
        try container.encodeIfPresent(customerUserId, forKey: .customerUserId)
        try container.encode(appliedAttributionSources, forKey: .appliedAttributionSources)
        try container.encode(attributes, forKey: .attributes)
        try container.encode(purchases.accessLevels, forKey: .accessLevels)
        try container.encode(purchases.subscriptions, forKey: .subscriptions)
        try container.encode(purchases.nonSubscriptions, forKey: .nonSubscriptions)
    }
}

extension AdaptyProfile: CustomStringConvertible {
    public var description: String {
        "\(profileId), sources: \(appliedAttributionSources.map(\.rawValue)), attributes: \(attributes.keys.sorted())"
    }
}
