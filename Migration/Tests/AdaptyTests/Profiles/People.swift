// SPDX-License-Identifier: Apache-2.0
import Landfall

extension Profile {
    /// An anonymous user whom nobody claims yet.
    static func ada(
        version: Int64 = 1, customerID: String? = nil, sources: [AttributionSource] = [],
        attributes: [String: AttributeValue] = [:]
    ) -> Profile {
        var wire = WireProfile(
            id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: version,
            attributionVersion: Int64(sources.count)
        )
        wire.customerId = customerID
        wire.appliedAttributionSources = sources
        wire.customAttributes = attributes
        return Profile(wire, attribution: .pending(nextAnswerNotBefore: 0))
    }
}
