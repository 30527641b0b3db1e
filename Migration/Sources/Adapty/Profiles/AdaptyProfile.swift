// SPDX-License-Identifier: Apache-2.0
import Landfall

/// The person and the install, as the server last told. Two profiles are equal when every field is, the sources too.
public struct AdaptyProfile: Hashable, Sendable {
    /// The party that attributed the user.
    public struct AttributionSource: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let appleAds = AttributionSource(rawValue: "apple_search_ads")
    }

    public let profileId: String
    /// What `identify` attached; nil for an anonymous profile.
    public let customerUserId: String?
    /// Sources that name an origin of this user, the winner first. Empty both while there is no answer and for an organic user:
    /// `Adapty.client?.attribution` distinguishes the two.
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
