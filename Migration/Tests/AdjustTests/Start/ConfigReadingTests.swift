// SPDX-License-Identifier: Apache-2.0
import Adjust
import Foundation
import Testing

@Suite("Reading ADJConfig", .timeLimit(.minutes(1)))
struct ConfigReadingTests {
    /// By the second generation's names.
    private static func flags(_ config: ADJConfig) -> [String: Bool] {
        [
            "sendingInBackground": config.isSendingInBackgroundEnabled, "adServices": config.isAdServicesEnabled,
            "idfa": config.isIdfaReadingEnabled, "idfv": config.isIdfvReadingEnabled, "skan": config.isSkanAttributionEnabled,
            "cost": config.isCostDataInAttributionEnabled, "linkMe": config.isLinkMeEnabled,
            "deviceIdsOnce": config.isDeviceIdsReadingOnceEnabled, "coppa": config.isCoppaComplianceEnabled,
            "tracking": config.isAppTrackingTransparencyUsageEnabled, "delay": config.isFirstSessionDelayEnabled,
            "subdomains": config.useSubdomains, "residency": config.isDataResidency,
            "skAdNetwork": config.isSKAdNetworkHandlingActive,
        ]
    }

    private static let untouched: [String: Bool] = [
        "sendingInBackground": false, "adServices": true, "idfa": true, "idfv": true, "skan": true, "cost": false, "linkMe": false,
        "deviceIdsOnce": false, "coppa": false, "tracking": true, "delay": false, "subdomains": false, "residency": false,
        "skAdNetwork": true,
    ]

    struct Call: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changed: Set<String>
        let call: @Sendable (ADJConfig) -> Void
    }

    static let calls = [
        Call(testDescription: "nothing", changed: []) { _ in },
        Call(testDescription: "enableSendingInBackground", changed: ["sendingInBackground"]) { $0.enableSendingInBackground() },
        Call(testDescription: "sendInBackground", changed: ["sendingInBackground"]) { $0.sendInBackground = true },
        Call(testDescription: "disableAdServices", changed: ["adServices"]) { $0.disableAdServices() },
        Call(testDescription: "disableIdfaReading", changed: ["idfa"]) { $0.disableIdfaReading() },
        Call(testDescription: "allowIdfaReading", changed: ["idfa"]) { $0.allowIdfaReading = false },
        Call(testDescription: "disableIdfvReading", changed: ["idfv"]) { $0.disableIdfvReading() },
        Call(testDescription: "disableSkanAttribution", changed: ["skan", "skAdNetwork"]) { $0.disableSkanAttribution() },
        Call(testDescription: "deactivateSKAdNetworkHandling", changed: ["skan", "skAdNetwork"]) {
            $0.deactivateSKAdNetworkHandling()
        },
        Call(testDescription: "enableCostDataInAttribution", changed: ["cost"]) { $0.enableCostDataInAttribution() },
        Call(testDescription: "enableLinkMe", changed: ["linkMe"]) { $0.enableLinkMe() },
        Call(testDescription: "enableDeviceIdsReadingOnce", changed: ["deviceIdsOnce"]) { $0.enableDeviceIdsReadingOnce() },
        Call(testDescription: "enableCoppaCompliance", changed: ["coppa"]) { $0.enableCoppaCompliance() },
        Call(testDescription: "isCoppaComplianceEnabled", changed: ["coppa"]) { $0.isCoppaComplianceEnabled = true },
        Call(testDescription: "disableAppTrackingTransparencyUsage", changed: ["tracking"]) {
            $0.disableAppTrackingTransparencyUsage()
        },
        Call(testDescription: "enableFirstSessionDelay", changed: ["delay"]) { $0.enableFirstSessionDelay() },
        Call(testDescription: "setUrlStrategy", changed: ["subdomains", "residency"]) {
            $0.setUrlStrategy(["eu.example.com"], useSubdomains: true, isDataResidency: true)
        },
    ]

    @Test("gives what the app has set, by whichever name, and nothing else", arguments: calls)
    func flags(_ call: Call) throws {
        let config = try #require(ADJConfig(appToken: "abc123", environment: ADJEnvironmentSandbox))

        call.call(config)

        let flags = Self.flags(config)
        #expect(Set(flags.keys.filter { flags[$0] != Self.untouched[$0] }) == call.changed)
    }

    @Test("gives the domains and the store as they were set")
    func values() throws {
        let config = try #require(ADJConfig(appToken: "abc123", environment: ADJEnvironmentSandbox))
        #expect(config.urlStrategyDomains == nil)

        config.setUrlStrategy(["eu.example.com", "example.com"], useSubdomains: false, isDataResidency: false)
        config.storeInfo = ADJStoreInfo(storeName: "app_store")
        config.storeInfo?.storeAppId = "123"

        #expect(config.urlStrategyDomains as? [String] == ["eu.example.com", "example.com"])
        #expect(config.storeInfo?.storeName == "app_store")
        #expect(config.storeInfo?.storeAppId == "123")
        #expect(ADJStoreInfo(storeName: "") == nil)
    }

    @Test(
        "A level is known by its name",
        arguments: [
            ("verbose", ADJLogLevel.verbose), ("debug", .debug), ("info", .info), ("warn", .warn), ("error", .error),
            ("assert", .assert), ("suppress", .suppress), ("loud", .info), ("", .info),
        ])
    func level(_ name: String, _ level: ADJLogLevel) {
        #expect(ADJLogger.logLevel(from: name) == level)
    }
}
