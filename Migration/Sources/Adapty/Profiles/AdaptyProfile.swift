// SPDX-License-Identifier: Apache-2.0
import Landfall

/// The person and the install, as the server last told. Two profiles are equal when every field is, the sources too.
public struct AdaptyProfile: Hashable, Sendable {
    /// Who says where a user came from.
    public struct AttributionSource: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let appleAds = AttributionSource(rawValue: "apple_search_ads")
    }

    public let profileId: String
    /// What `identify` attached; nil for an anonymous profile.
    public let customerUserId: String?
    /// The sources that say this user came from somewhere, the winner first. Empty while none has answered, and for good
    /// when nobody claims the user: `Adapty.client?.attribution` tells the two apart.
    public let appliedAttributionSources: [AttributionSource]
    let attributes: [String: AttributeValue]

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
    }
}
