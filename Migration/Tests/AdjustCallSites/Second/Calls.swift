// SPDX-License-Identifier: Apache-2.0
import AdjustSdk
import UIKit

// Site: a start with every setting of the second generation.
func startWithEverySetting() {
    guard let config = ADJConfig(appToken: Keys.appToken, environment: ADJEnvironmentSandbox, suppressLogLevel: true) else {
        return
    }
    config.logLevel = ADJLogLevel.verbose
    config.externalDeviceId = "customer-7"
    config.defaultTracker = "preinstalled"
    config.attConsentWaitingInterval = 45
    config.eventDeduplicationIdsMaxSize = 20
    config.storeInfo = ADJStoreInfo(storeName: "app_store")
    config.storeInfo?.storeAppId = "123"
    config.enableLinkMe()
    config.enableDeviceIdsReadingOnce()
    config.enableCoppaCompliance()
    config.enableFirstSessionDelay()
    config.disableAdServices()
    config.disableIdfvReading()
    config.disableSkanAttribution()
    config.disableAppTrackingTransparencyUsage()
    config.setUrlStrategy(["eu.example.com"], useSubdomains: true, isDataResidency: true)
    Adjust.initSdk(config)
}

// Site: an event with revenue, counted once.
func trackPurchase(_ price: Decimal, currency: String, transaction: String) {
    let event = ADJEvent(eventToken: Keys.bought)
    event?.setRevenue(NSDecimalNumber(decimal: price).doubleValue, currency: currency)
    event?.setTransactionId(transaction)
    event?.setDeduplicationId(transaction)
    event?.setProductId("year")
    Adjust.trackEvent(event)
}

// Site: the id, with await.
func device() async -> [String: Any] { ["adid": await Adjust.adid() ?? "", "idfv": await Adjust.idfv() ?? ""] }

// Site: the id within a time.
func deviceInTime() async -> String? { await Adjust.adid(withTimeout: 2000) }

// Site: the id in a completion, and what depends on it.
func identify(_ use: @escaping @Sendable (String) -> Void) {
    Adjust.adid { adid in
        if let adid { use(adid) }
    }
}

// Site: the app's own handler is passed through.
@MainActor
func identifyOnMain(_ completion: @escaping (String?) -> Void) { Adjust.adid { completion($0) } }

// Site: where the user came from, with await, for another provider.
func attributionForProvider() async -> [AnyHashable: Any]? { await Adjust.attribution()?.dictionary() }

// Site: the same within a time.
func campaign() async -> String { await Adjust.attribution(withTimeout: 3000)?.campaign ?? "none" }

// Site: and by completion.
@MainActor
func showOrigin() {
    Adjust.attribution { attribution in
        guard let attribution else { return }
        Navigation.current.show(attribution.trackerName ?? "Organic")
    }
}

// Site: on, off and which.
func toggle() async {
    if await Adjust.isEnabled() { Adjust.disable() } else { Adjust.enable() }
}

// Site: the same by completion.
func setAnalytics(_ isOn: Bool) {
    Adjust.isEnabled { isEnabled in
        if isEnabled, !isOn { Adjust.disable() }
    }
}

// Site: the last link.
func reopen() async -> URL? { await Adjust.lastDeeplink() }

// Site: parameters of every event.
func signIn(as id: String) {
    Adjust.addGlobalCallbackParameter(id, forKey: "user_id")
    Adjust.addGlobalPartnerParameter(id, forKey: "user_id")
}

// Site: and none.
func signOut() {
    Adjust.removeGlobalCallbackParameter(forKey: "user_id")
    Adjust.removeGlobalPartnerParameter(forKey: "user_id")
    Adjust.removeGlobalCallbackParameters()
    Adjust.removeGlobalPartnerParameters()
}

// Site: a manager of the main actor that asks off it.
@MainActor
final class Manager: NSObject {
    static let shared = Manager()
    private(set) var adid: String?

    func initialize(_ token: String) {
        guard let config = ADJConfig(appToken: token, environment: ADJEnvironmentSandbox) else { return }
        config.logLevel = ADJLogLevel.verbose
        config.delegate = self
        Adjust.initSdk(config)
        Task {
            if await Adjust.isEnabled(), let adid = await Adjust.adid() { self.adid = adid }
        }
    }

    private func use(_ attribution: ADJAttribution?) {
        guard let attribution else { return }
        Adjust.adid(completionHandler: { [weak self] adid in
            Task { @MainActor in
                self?.adid = adid
                print(attribution.network ?? "")
            }
        })
    }
}

// Site: its delegate methods belong to no actor.
extension Manager: AdjustDelegate {
    nonisolated func adjustAttributionChanged(_ attribution: ADJAttribution?) {
        Task { @MainActor in use(attribution) }
    }

    nonisolated func adjustSessionTrackingSucceeded(_ sessionSuccessResponseData: ADJSessionSuccess?) {
        Adjust.adid { adid in
            Task { @MainActor in
                if adid != nil { print(Manager.shared.adid ?? "") }
            }
        }
    }
}

// Site: the tracking question, with await.
func askForTracking() async -> Bool { await Adjust.requestAppTrackingAuthorization() == 3 }

// Site: and by completion; the first screen waits for it.
@MainActor
func askThenShow() {
    Adjust.requestAppTrackingAuthorization { status in Navigation.current.show("status \(status)") }
    _ = Adjust.appTrackingAuthorizationStatus()
}

// Site: a subscription of StoreKit 2.
func trackSubscription(price: Decimal, currency: String, transaction: String, date: Date) {
    let subscription = ADJAppStoreSubscription(
        price: NSDecimalNumber(decimal: price), currency: currency, transactionId: transaction)
    subscription?.setTransactionDate(date)
    subscription?.setSalesRegion("DE")
    subscription?.addPartnerParameter("plan", value: "year")
    if let subscription { Adjust.trackAppStoreSubscription(subscription) }
}

// Site: an ad's revenue, by a source's name.
func trackAd(_ revenue: Double) {
    guard let adRevenue = ADJAdRevenue(source: "applovin_max_sdk") else { return }
    adRevenue.setRevenue(revenue, currency: "USD")
    adRevenue.addCallbackParameter("screen", value: "home")
    Adjust.trackAdRevenue(adRevenue)
}

// Site: consent.
func consent(_ isGiven: Bool) {
    guard let sharing = ADJThirdPartySharing(isEnabled: isGiven as NSNumber) else { return }
    Adjust.trackThirdPartySharing(sharing)
    Adjust.trackMeasurementConsent(isGiven)
}

// Site: a person who wants to be forgotten.
func forget() { Adjust.gdprForgetMe() }

// Site: offline mode.
func travel(_ isFlying: Bool) { if isFlying { Adjust.switchToOfflineMode() } else { Adjust.switchBackToOnlineMode() } }

// Site: SKAdNetwork.
func updateConversion() async {
    do { try await Adjust.updateSkanConversionValue(6, coarseValue: "low", lockWindow: false) } catch { print(error) }
}

// Site: the same by completion.
func updateConversionLater() {
    Adjust.updateSkanConversionValue(6, coarseValue: "low", lockWindow: nil) { error in print(error as Any) }
}

// Site: a purchase is verified before it is counted.
func verify(_ transaction: String) async -> String {
    guard let purchase = ADJAppStorePurchase(transactionId: transaction, productId: "year") else { return "none" }
    return await Adjust.verifyAppStorePurchase(purchase).verificationStatus
}

// Site: and both in one.
func verifyAndTrack() {
    guard let event = ADJEvent(eventToken: Keys.bought) else { return }
    Adjust.verifyAndTrackAppStorePurchase(event) { result in print(result.code, result.message) }
}

// Site: a link in an e-mail, with await.
func open(mailed link: URL) async -> URL? {
    await ADJLinkResolution.resolveLink(with: link, resolveUrlSuffixArray: ["email.example.com"])
}

// Site: a link by its address, with await.
func open(_ link: URL) async -> String { await Adjust.processDeeplink(link) }

// Site: a universal link in the app's form.
func schemeForm(of link: URL) -> URL? { Adjust.convertUniversalLink(link, withScheme: "player") }

// Site: the end of a delayed first session, and the SDK's version in a support mail.
func support() async -> String {
    Adjust.endFirstSessionDelay()
    return await Adjust.sdkVersion() ?? "unknown"
}

// Site: a service object that apps keep behind a protocol.
protocol AttributionService: AnyObject, Sendable {
    func id() async -> String?
    func track(_ token: String, _ parameters: [String: String])
}

final class AdjustService: AttributionService {
    func id() async -> String? { await Adjust.adid() }

    func track(_ token: String, _ parameters: [String: String]) {
        guard let event = ADJEvent(eventToken: token) else { return }
        parameters.forEach { event.addCallbackParameter($0.key, value: $0.value) }
        Adjust.trackEvent(event)
    }
}
