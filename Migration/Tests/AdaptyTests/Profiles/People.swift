// SPDX-License-Identifier: Apache-2.0
import Landfall

extension Profile {
    /// An anonymous user without attribution.
    static func ada(
        version: Int64 = 1, customerID: String? = nil, sources: [AttributionSource] = [],
        attributes: [String: AttributeValue] = [:], access: [String: Access] = [:], subscriptions: [Subscription] = [],
        oneTimePurchases: [OneTimePurchase] = []
    ) -> Profile {
        Profile(
            id: "ada", installID: "ada", version: version, attributionVersion: Int64(sources.count), customerID: customerID,
            appliedAttributionSources: sources, customAttributes: attributes, access: access, subscriptions: subscriptions,
            oneTimePurchases: oneTimePurchases, attribution: .pending
        )
    }
}
