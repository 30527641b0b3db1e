// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A method of the delegate that an app may have and that is never called: what the log says about it, once.
enum UncalledMethod: String, CaseIterable, Sendable {
    case sessionFailed = "adjustSessionTrackingFailed:"
    case eventSucceeded = "adjustEventTrackingSucceeded:"
    case eventFailed = "adjustEventTrackingFailed:"
    case skanUpdated = "adjustSkanUpdatedWithConversionData:"
    case conversionValueUpdated = "adjustConversionValueUpdated:"
    case conversionValuesUpdated = "adjustConversionValueUpdated:coarseValue:lockWindow:"
    case remoteTriggerReceived = "adjustRemoteTriggerReceived:"
    case sharingSettingsChanged = "adjustThirdPartySharingSettingsChanged:"

    var selector: String { rawValue }

    /// Why, and what replaces it.
    var instead: String {
        switch self {
        case .sessionFailed:
            "A request that fails is sent again; nothing is needed. adjustSessionTrackingSucceeded(_:) is called as soon as the installation is known."
        case .eventSucceeded, .eventFailed:
            "Events are kept on the phone and sent in batches until the server has them. To wait for that, call client.flush(within:)."
        case .skanUpdated, .conversionValueUpdated, .conversionValuesUpdated:
            "Landfall sets no conversion values. Call SKAdNetwork.updatePostbackConversionValue yourself; its completion gets the result."
        case .remoteTriggerReceived: "A Landfall server triggers nothing in the app. Use a push notification."
        case .sharingSettingsChanged: "Landfall passes nothing on to third parties, so no settings change."
        }
    }

    /// The methods that this delegate has. Empty if no runtime can be asked.
    static func of(_ delegate: any AdjustDelegate) -> [UncalledMethod] {
        #if canImport(ObjectiveC)
        allCases.filter { delegate.responds(to: NSSelectorFromString($0.selector)) }
        #else
        []
        #endif
    }
}
