// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Testing

@Suite("A name that does nothing here", .timeLimit(.minutes(1)))
struct NoticeTests {
    @Test("says so once, with what replaces it", arguments: IdleName.allCases)
    func once(_ name: IdleName) {
        let lines = Lines()
        let notices = Notices { lines.add($0) }

        notices.say(name)
        notices.say(name)

        #expect(lines.texts() == ["\(name.name) does nothing here. \(name.instead)"])
        #expect(name.instead.hasSuffix("."))
        #expect(name.name.hasPrefix("ADJ") || name.name.hasPrefix("Adjust."))
    }

    @Test("Every setting of ADJConfig without an effect is noted")
    func settings() {
        let config = StartedApp.config {
            $0.sdkPrefix = "a"
            $0.defaultTracker = "a"
            $0.externalDeviceId = "a"
            $0.attConsentWaitingInterval = 1
            $0.storeInfo = ADJStoreInfo(storeName: "a")
            $0.eventBufferingEnabled = true
            $0.sendInBackground = true
            $0.delayStart = 1
            $0.userAgent = "a"
            $0.isDeviceKnown = true
            $0.needsCost = true
            $0.urlStrategy = ADJUrlStrategyChina
            $0.linkMeEnabled = true
            $0.coppaCompliantEnabled = true
            $0.readDeviceInfoOnceEnabled = true
            $0.allowIdfaReading = false
            $0.allowiAdInfoReading = false
        }
        #expect(
            config.idle == [
                .sdkPrefix, .defaultTracker, .externalDeviceId, .attConsentWaitingInterval, .storeInfo, .eventBufferingEnabled,
                .sendInBackground, .delayStart, .userAgent, .isDeviceKnown, .needsCost, .urlStrategy, .linkMe, .coppa,
                .deviceIdsReadingOnce, .idfaReading, .iAd,
            ])

        let methods = StartedApp.config {
            $0.enableSendingInBackground()
            $0.enableCostDataInAttribution()
            $0.enableLinkMe()
            $0.enableDeviceIdsReadingOnce()
            $0.enableCoppaCompliance()
            $0.enableFirstSessionDelay()
            $0.disableIdfaReading()
            $0.disableIdfvReading()
            $0.disableSkanAttribution()
            $0.deactivateSKAdNetworkHandling()
            $0.disableAppTrackingTransparencyUsage()
            $0.setUrlStrategy(["a"], useSubdomains: true, isDataResidency: false)
        }
        #expect(
            methods.idle == [
                .sendInBackground, .needsCost, .linkMe, .deviceIdsReadingOnce, .coppa, .firstSessionDelay, .idfaReading,
                .idfvReading, .skan, .skan, .trackingAuthorization, .urlStrategy,
            ])
        #expect(config.isValid())
    }

    @Test("Each static says its own")
    func statics() {
        let sharing = ADJThirdPartySharing(isEnabled: 1)!
        sharing.addGranularOption("partner", key: "a", value: "b")
        sharing.addPartnerSharingSetting("partner", key: "a", value: true)
        let calls: [(IdleName, () -> Void)] = [
            (.subsessions, { Adjust.trackSubsessionStart() }), (.subsessions, { Adjust.trackSubsessionEnd() }),
            (.firstSessionDelay, { Adjust.sendFirstPackages() }), (.firstSessionDelay, { Adjust.endFirstSessionDelay() }),
            (.coppa, { Adjust.enableCoppaCompliance() }), (.coppa, { Adjust.disableCoppaCompliance() }),
            (.coppa, { Adjust.enableCoppaComplianceInDelay() }), (.coppa, { Adjust.disableCoppaComplianceInDelay() }),
            (.externalDeviceId, { Adjust.setExternalDeviceIdInDelay("a") }),
            (.idfa, { _ = Adjust.idfa() }), (.idfv, { _ = Adjust.idfv() }),
            (.idfa, { Adjust.idfa { _ in } }), (.idfv, { Adjust.idfv { _ in } }),
            (.thirdPartySharing, { Adjust.trackThirdPartySharing(sharing) }),
            (.thirdPartySharing, { Adjust.disableThirdPartySharing() }),
            (.trackingAuthorization, { Adjust.requestAppTrackingAuthorization { _ in } }),
            (.trackingAuthorization, { Adjust.requestTrackingAuthorization { _ in } }),
            (.trackingAuthorization, { #expect(Adjust.appTrackingAuthorizationStatus() == -1) }),
            (.trackingAuthorization, { Adjust.checkForNewAttStatus() }),
            (.offlineMode, { Adjust.switchToOfflineMode() }), (.offlineMode, { Adjust.switchBackToOnlineMode() }),
            (.offlineMode, { Adjust.setOfflineMode(true) }),
            (.pushToken, { Adjust.setPushToken(Data()) }), (.pushToken, { Adjust.setPushToken("a") }),
            (.pushToken, { Adjust.setPushTokenAs("a") }), (.pushToken, { Adjust.setPushTokenAsString("a") }),
            (.pushToken, { Adjust.setDeviceToken(Data()) }),
            (.skan, { Adjust.updateConversionValue(1) }),
            (.skan, { Adjust.updateSkanConversionValue(1, coarseValue: nil, lockWindow: nil, withCompletionHandler: nil) }),
            (.skan, { Adjust.updatePostbackConversionValue(1, completionHandler: nil) }),
            (.skan, { Adjust.updatePostbackConversionValue(1, coarseValue: "low", completionHandler: nil) }),
            (.skan, { Adjust.updatePostbackConversionValue(1, coarseValue: "low", lockWindow: true, completionHandler: nil) }),
        ]
        for (name, call) in calls {
            let app = StartedApp()

            Connection.$standIn.withValue(app.connection) {
                call()
                call()
            }

            #expect(app.lines.texts() == ["\(name.name) does nothing here. \(name.instead)"])
        }
        let silent = Set(IdleName.allCases).subtracting(calls.map(\.0))
        #expect(silent.allSatisfy { $0.name.hasPrefix("ADJ") })
    }

    @Test("The statics answer at once: nil, -1 and 0 where nothing is known")
    @MainActor
    func answers() async {
        let answers = Completions()

        #expect(Adjust.idfa() == nil)
        #expect(Adjust.idfv() == nil)
        #expect(Adjust.sdkVersion() == "landfall")
        #expect(Adjust.appTrackingAuthorizationStatus() == -1)
        Adjust.idfa { answers.call("idfa \($0 ?? "nil")") }
        await answers.wait()
        Adjust.idfv { answers.call("idfv \($0 ?? "nil")") }
        await answers.wait(2)
        Adjust.sdkVersion { answers.call($0 ?? "nil") }
        await answers.wait(3)
        Adjust.requestAppTrackingAuthorization { answers.call("\($0)") }
        await answers.wait(4)
        Adjust.requestTrackingAuthorization { answers.call("first \($0)") }
        await answers.wait(5)

        #expect(answers.links == ["idfa nil", "idfv nil", "landfall", "0", "first 0"])
        #expect(await Adjust.requestAppTrackingAuthorization() == 0)
    }
}
