// SPDX-License-Identifier: Apache-2.0
import Adjust
import UIKit

// Site: a start with everything that an app can set.
func startWithEverySetting(token: String, isTest: Bool) {
    guard
        let config = ADJConfig(
            appToken: token, environment: isTest ? ADJEnvironmentSandbox : ADJEnvironmentProduction, allowSuppressLogLevel: true)
    else { return }
    config.logLevel = isTest ? ADJLogLevelDebug : ADJLogLevelSuppress
    config.defaultTracker = "preinstalled"
    config.externalDeviceId = "customer-7"
    config.eventBufferingEnabled = true
    config.attConsentWaitingInterval = 30
    config.delayStart = 5
    config.urlStrategy = ADJDataResidencyEU
    config.linkMeEnabled = true
    config.allowIdfaReading = false
    config.allowAdServicesInfoReading = true
    config.allowiAdInfoReading = false
    config.coppaCompliantEnabled = false
    config.deactivateSKAdNetworkHandling()
    Adjust.appDidLaunch(config)
}

// Site: a table of log levels.
func logLevel(_ number: Int) -> ADJLogLevel {
    let levels = [0: ADJLogLevelVerbose, 1: ADJLogLevelInfo, 2: ADJLogLevelWarn, 3: ADJLogLevelError, 4: ADJLogLevelAssert]
    return levels[number] ?? ADJLogLevelInfo
}

// Site: an event by its token.
func trackStart() { Adjust.trackEvent(ADJEvent(eventToken: Keys.started)) }

// Site: a purchase once, with revenue and parameters.
func trackPurchase(of product: String, price: Double, currency: String, transaction: String) {
    let event = ADJEvent(eventToken: Keys.bought)
    event?.setRevenue(price, currency: currency)
    event?.setTransactionId(transaction)
    event?.addCallbackParameter("product", value: product)
    event?.addPartnerParameter("sku", value: product)
    Adjust.trackEvent(event)
}

// Site: the same with an unwrapped event.
func trackScreen(_ name: String, parameters: [String: String]) {
    guard let event = ADJEvent(eventToken: Keys.started) else { return }
    for (key, value) in parameters { event.addCallbackParameter(key, value: value) }
    event.setCallbackId(name)
    Adjust.trackEvent(event)
}

// Site: a subscription of StoreKit 1.
func trackSubscription(price: NSDecimalNumber, currency: String, transaction: String, receipt: Data) {
    guard
        let subscription = ADJSubscription(price: price, currency: currency, transactionId: transaction, andReceipt: receipt)
    else { return }
    subscription.setTransactionDate(Date())
    subscription.setSalesRegion("JP")
    subscription.addCallbackParameter("plan", value: "year")
    Adjust.trackSubscription(subscription)
}

// Site: an ad's revenue, by a constant.
func trackAd(revenue: Double, network: String, unit: String, placement: String) {
    let adRevenue = ADJAdRevenue(source: ADJAdRevenueSourceAppLovinMAX)
    adRevenue?.setRevenue(revenue, currency: "USD")
    adRevenue?.setAdRevenueNetwork(network)
    adRevenue?.setAdRevenueUnit(unit)
    adRevenue?.setAdRevenuePlacement(placement)
    adRevenue?.setAdImpressionsCount(1)
    if let adRevenue { Adjust.trackAdRevenue(adRevenue) }
}

// Site: the id as a value, in an async function too.
func request() async -> [String: String] {
    let adid = Adjust.adid() ?? ""
    if let attribution = Adjust.attribution() { return ["adid": adid, "network": attribution.network ?? "Organic"] }
    return ["adid": adid, "idfa": Adjust.idfa() ?? "", "sdk": Adjust.sdkVersion() ?? ""]
}

// Site: parameters of the session.
func signIn(as id: String) {
    Adjust.addSessionCallbackParameter("user_id", value: id)
    Adjust.addSessionPartnerParameter("user_id", value: id)
}

// Site: and without them.
func signOut() {
    Adjust.removeSessionCallbackParameter("user_id")
    Adjust.removeSessionPartnerParameter("user_id")
    Adjust.resetSessionCallbackParameters()
    Adjust.resetSessionPartnerParameters()
}

// Site: the tracking question, then the app goes on.
@MainActor
func askForTracking(then next: @escaping @MainActor () -> Void) {
    Adjust.requestTrackingAuthorization { status in
        print("status", status)
        next()
    }
}

// Site: consent.
func consent(marketing: Bool, measurement: Bool) {
    if let sharing = ADJThirdPartySharing(isEnabled: NSNumber(value: marketing)) {
        sharing.addGranularOption("google_dma", key: "eea", value: "1")
        sharing.addPartnerSharingSetting("facebook", key: "all", value: marketing)
        Adjust.trackThirdPartySharing(sharing)
    }
    Adjust.trackMeasurementConsent(measurement)
}

// Site: off and on in the settings screen.
func setAnalytics(_ isOn: Bool) {
    if Adjust.isEnabled() != isOn { Adjust.setEnabled(isOn) }
    if !isOn { Adjust.gdprForgetMe() }
}

// Site: offline mode, and the delayed start.
func pause(_ isPaused: Bool) {
    Adjust.setOfflineMode(isPaused)
    Adjust.sendFirstPackages()
    Adjust.disableThirdPartySharing()
}

// Site: a conversion value.
func updateConversion(_ value: Int) {
    Adjust.updateConversionValue(value)
    Adjust.updatePostbackConversionValue(value) { error in print(error?.localizedDescription ?? "done") }
}

// Site: the app's form of a universal link.
func schemeForm(of link: URL) -> URL? { Adjust.convertUniversalLink(link, scheme: "shop") }

// Site: a link in an e-mail.
@MainActor
func open(mailed link: URL) {
    ADJLinkResolution.resolveLink(with: link, resolveUrlSuffixArray: ["email.example.com"]) { resolved in
        if let resolved { Adjust.appWillOpen(resolved) }
    }
}

// Site: the last link, and a verification.
@MainActor
func verify(_ transaction: String, receipt: Data) {
    guard let purchase = ADJPurchase(transactionId: transaction, productId: "year", andReceipt: receipt) else { return }
    Adjust.verifyPurchase(purchase) { result in
        if result.verificationStatus == "success" { Navigation.current.show(Adjust.lastDeeplink()?.path ?? "") }
    }
}

// Site: a wrapper that hides the SDK behind the app's own protocol.
protocol Measuring {
    func measure(_ name: String, _ completion: @escaping @Sendable (String?) -> Void)
}

struct AdjustMeasuring: Measuring {
    func measure(_ name: String, _ completion: @escaping @Sendable (String?) -> Void) {
        Adjust.trackEvent(ADJEvent(eventToken: name))
        completion(Adjust.adid())
    }
}

// Site: the first generation's completions, with await.
func finishLaunch(_ purchase: ADJPurchase, _ event: ADJEvent) async throws -> [String] {
    let status = await Adjust.requestTrackingAuthorization()
    try await Adjust.updatePostbackConversionValue(1)
    try await Adjust.updatePostbackConversionValue(1, coarseValue: "low")
    try await Adjust.updatePostbackConversionValue(1, coarseValue: "low", lockWindow: true)
    let (verified, tracked) = (await Adjust.verifyPurchase(purchase), await Adjust.verifyAndTrack(event))
    return ["\(status)", verified.verificationStatus, tracked.message]
}
