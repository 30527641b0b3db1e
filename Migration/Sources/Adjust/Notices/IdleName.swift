// SPDX-License-Identifier: Apache-2.0

/// A name that exists and does nothing, or less than it says; the log says so once.
enum IdleName: String, CaseIterable, Sendable {
    case sdkPrefix, defaultTracker, externalDeviceId, attConsentWaitingInterval, storeInfo, eventBufferingEnabled
    case sendInBackground, delayStart, userAgent, isDeviceKnown, needsCost, urlStrategy, linkMe, coppa, deviceIdsReadingOnce
    case idfaReading, idfvReading, iAd, firstSessionDelay, skan, trackingAuthorization
    case idfa, idfv, subsessions, offlineMode, pushToken, thirdPartySharing, receipt, eventAnswers

    /// The name as an app's code writes it.
    var name: String {
        switch self {
        case .idfa, .idfv: "Adjust.\(rawValue)"
        case .linkMe: "ADJConfig.enableLinkMe"
        case .coppa: "ADJConfig.enableCoppaCompliance"
        case .deviceIdsReadingOnce: "ADJConfig.enableDeviceIdsReadingOnce"
        case .idfaReading: "ADJConfig.disableIdfaReading"
        case .idfvReading: "ADJConfig.disableIdfvReading"
        case .iAd: "ADJConfig.allowiAdInfoReading"
        case .firstSessionDelay: "ADJConfig.enableFirstSessionDelay"
        case .skan: "Adjust.updateSkanConversionValue"
        case .trackingAuthorization: "Adjust.requestAppTrackingAuthorization"
        case .subsessions: "Adjust.trackSubsessionStart"
        case .offlineMode: "Adjust.switchToOfflineMode"
        case .pushToken: "Adjust.setPushToken"
        case .thirdPartySharing: "Adjust.trackThirdPartySharing"
        case .receipt: "ADJEvent.setReceipt"
        case .eventAnswers: "ADJEvent.setCallbackId"
        default: "ADJConfig.\(rawValue)"
        }
    }

    /// What replaces it, or that nothing is needed.
    var instead: String {
        switch self {
        case .sdkPrefix, .userAgent, .storeInfo, .isDeviceKnown: "Nothing is needed: delete it."
        case .defaultTracker: "People without a link are 'Organic'. Give a preinstalled build a key of its own."
        case .externalDeviceId: "Attach your own id to the person: client.identify(_:token:)."
        case .attConsentWaitingInterval, .trackingAuthorization:
            "Landfall uses no tracking identifier and asks for nothing. If another SDK needs the permission, ask for it with ATTrackingManager."
        case .eventBufferingEnabled, .sendInBackground: "Nothing is needed: events are sent in batches, also when the app leaves the screen."
        case .delayStart, .firstSessionDelay: "Start later instead: nothing is sent before the start, and links and events are kept."
        case .needsCost: "Cost is not known here: import it into your own reports."
        case .urlStrategy: "The address is your own server's: LandfallServerURL in Info.plist."
        case .linkMe: "Show a paste control and pass its text to client.claimDeferredLink(_:)."
        case .coppa: "No advertising id is read for anybody. To send less, set client.collection to .essential."
        case .deviceIdsReadingOnce, .idfaReading, .idfvReading: "Nothing is needed: no device identifier is read."
        case .iAd: "Nothing is needed: iAd has ended, and Apple Ads tokens are read by AdServices."
        case .skan: "Call SKAdNetwork.updatePostbackConversionValue yourself."
        case .idfa: "It is always nil: the advertising id is not read. Ask ASIdentifierManager if another SDK needs it."
        case .idfv: "It is always nil: no device identifier is read. Ask UIDevice.current.identifierForVendor."
        case .subsessions: "Nothing is needed: the system reports when the app becomes active and inactive."
        case .offlineMode: "Everything waits on the phone until there is a network. To send nothing, set client.collection to .off."
        case .pushToken: "Uninstalls are not measured by push, and nothing is pushed. Keep the token for your own push service."
        case .thirdPartySharing: "Landfall passes nothing on to third parties: nothing is needed."
        case .receipt: "Receipts stay on the phone: transactions are verified by what the App Store signed. Leave it out."
        case .eventAnswers:
            "adjustEventTrackingSucceeded and …Failed are never called. The id goes with the event as callback_id."
        }
    }
}
