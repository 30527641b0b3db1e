// SPDX-License-Identifier: Apache-2.0
//
// These files are an app that uses everything public; UsedNamesTests finds a call that is missing. They are compiled twice, with and without the main actor as default
// isolation (the other target links to this folder); what breaks them breaks apps.
import Foundation
import LandfallApple

/// The README's code.
nonisolated let landfall = LandfallClient(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!, preparing: ["onboarding"])

func firstLaunch() async throws {
    landfall.start()
    let shown = try await landfall.paywall(for: "onboarding", within: .seconds(5))
    print(shown.paywall?.name ?? "nothing", shown.origin, shown.attribution)
    landfall.recordExposure(of: shown)
}

/// Code of any isolation uses the client.
nonisolated func elsewhere() { landfall.record("elsewhere") }

/// Every part of a configuration that an app may set.
func configuration(server: URL, bundled: Data, directory: URL) -> LandfallConfiguration {
    var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: server)
    configuration = .live(sdkKey: configuration.sdkKey, server: configuration.server, preparing: configuration.preparing)
    configuration.adTokens = AdServicesTokenSource(limit: .seconds(5), time: .live)
    configuration.deviceIDs = KeychainDeviceIDStore(account: "com.example.app")
    configuration.usedBefore = Date(timeIntervalSince1970: 1_700_000_000)
    configuration.earlierUse = { nil }
    configuration.transport = URLSessionTransport()
    configuration.storage = FileStorage(directory: directory)
    configuration.storage = FileStorage(directory: FileStorage.defaultDirectory)
    configuration.time = LandfallTime(ContinuousClock(), date: { Date() })
    configuration.randomBytes = { count in Array(repeating: 4, count: count) }
    configuration.device = DeviceFacts()
    configuration.device.storeCountry = "FR"
    configuration.platform = [AppLifecycleSignals(), NetworkPathSignals(), StoreCountrySignals()]
    configuration.platform.append(AppLifecycleSignals(isPrewarmed: AppLifecycleSignals.isProcessPrewarmed))
    configuration.transactions = StoreKitTransactions()
    configuration.accessProducts = ["premium": ["com.example.app.yearly", "com.example.app.monthly"]]
    configuration.opensOnActivation = true
    configuration.links = LinkRules()
    configuration.links.domains = LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"])
    configuration.links.longPaths = ["/products/*"]
    configuration.links.wrapperHosts = ["click.mail.example"]
    configuration.links.lifetime = .seconds(86_400)
    configuration.fallback = bundled
    configuration.hold = .seconds(8)
    configuration.attributionLimit = .seconds(5)
    configuration.ownTimer = .seconds(3)
    configuration.matchingCacheAge = .seconds(86_400)
    configuration.collection = .essential
    configuration.log = { line in if line.level >= .warning { print(line.message, line) } }
    configuration.minimumLogLevel = .debug
    configuration.log = LogLine.toStandardError
    return configuration
}

/// The values that an app passes to the client about itself and its user.
func lifecycle(of client: LandfallClient, bundled: Data) async throws {
    try client.setFallback(bundled)
    client.enteredForeground()
    client.enteredBackground()
    client.networkPathChanged(isSatisfied: true)
    client.networkPathChanged(isSatisfied: false, isDenied: true)
    client.networkPathChanged(isSatisfied: true, isConstrained: true)
    if client.collection == .full { client.collection = .off }
    client.setDataCollectionUnlessOptedOut(.essential)
    client.setCollectionUnlessOff(.essential)
    if client.dataCollection == .off { client.resumeCollection() }
    client.prepare(["settings"])
    if let stored = client.cachedPaywall(for: "settings") { client.recordExposure(of: stored) }
    print(client.runningOperations)
    await client.shutdown()
}
