// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

extension LandfallConfiguration {
    /// A configuration with this platform's services: AdServices for the ad token, the keychain for the device id, the
    /// preferences file as evidence of an earlier launch, the lifecycle of the app, the network path, the store's country,
    /// products and transactions; it writes to the system's log. Creating it uses none of the SDK's files and no network; it
    /// reads the bundle's Info.plist, the languages and the time zone.
    ///
    /// In an app with UIKit a launch counts as an open once the app is visible. An app extension has no such moment.
    public static func live(sdkKey: String, server: URL, preparing: [PlacementID] = []) -> LandfallConfiguration {
        var configuration = LandfallConfiguration(sdkKey: sdkKey, server: server, preparing: preparing)
        #if canImport(os)
        configuration.log = LogLine.toUnifiedLog
        configuration.minimumLogLevel = .info
        #endif
        #if canImport(AdServices)
        configuration.adTokens = AdServicesTokenSource()
        #endif
        #if canImport(Security)
        configuration.deviceIDs = KeychainDeviceIDStore()
        #endif
        configuration.earlierUse = { PreferencesFile.lastUse() }
        #if canImport(Network)
        configuration.platform.append(NetworkPathSignals())
        #endif
        #if canImport(StoreKit)
        configuration.platform.append(StoreCountrySignals())
        configuration.transactions = StoreKitTransactions()
        configuration.products = StoreKitProducts()
        #endif
        #if canImport(UIKit) && !os(watchOS)
        if Bundle.main.bundleURL.pathExtension != "appex" {
            configuration.platform.append(AppLifecycleSignals())
            configuration.opensOnActivation = true
        }
        #endif
        return configuration
    }
}

extension LandfallClient {
    /// A client for this device. Uses none of the SDK's files and no network until `start()`; reads the bundle's Info.plist, the
    /// languages and the time zone.
    /// - Parameters:
    ///   - sdkKey: the public key of the app, `pk_…`.
    ///   - server: the team's own server.
    ///   - preparing: placements that `start()` asks for at once; at most 32 count.
    public convenience init(sdkKey: String, server: URL, preparing: [PlacementID] = []) {
        self.init(.live(sdkKey: sdkKey, server: server, preparing: preparing))
    }
}
