// SPDX-License-Identifier: Apache-2.0
import AdjustSdk
import UIKit

// Site: what apps seldom read.
func describe(_ event: ADJEvent, _ ad: ADJAdRevenue, _ subscription: ADJAppStoreSubscription) -> [Any?] {
    [
        event.eventToken, event.revenue, event.currency, event.deduplicationId, event.callbackId, event.transactionId,
        event.productId, event.callbackParameters, event.partnerParameters, ad.source, ad.adImpressionsCount,
        ad.adRevenueNetwork, ad.adRevenueUnit, ad.adRevenuePlacement, subscription.price, subscription.transactionDate,
        subscription.salesRegion, event.receipt, event.emptyReceipt, subscription.receipt, subscription.billingStore,
    ]
}

// Site: a delegate with what is never called.
final class Logger: NSObject, AdjustDelegate {
    nonisolated func adjustSessionTrackingSucceeded(_ session: ADJSessionSuccess?) { print(session?.timestamp ?? "") }
    nonisolated func adjustEventTrackingSucceeded(_ event: ADJEventSuccess?) { print(event?.callbackId ?? "") }
    nonisolated func adjustRemoteTriggerReceived(_ trigger: ADJRemoteTrigger) { print(trigger.payload) }
    nonisolated func adjustThirdPartySharingSettingsChanged(_ result: ADJThirdPartySharingResult?) {
        print(result?.thirdPartySharingSettingsJson ?? "")
    }
    nonisolated func adjustConversionValueUpdated(_ fineValue: NSNumber?, coarseValue: String?, lockWindow: NSNumber?) {}
}

// Site: the network that an ad came from, as a table.
func source(of mediation: String) -> String? {
    [
        "mopub": ADJAdRevenueSourceMopub, "ironsource": ADJAdRevenueSourceIronSource, "admost": ADJAdRevenueSourceAdMost,
        "unity": ADJAdRevenueSourceUnity, "helium": ADJAdRevenueSourceHeliumChartboost, "adx": ADJAdRevenueSourceAdx,
        "topon": ADJAdRevenueSourceTopOn, "tradplus": ADJAdRevenueSourceTradplus, "publisher": ADJAdRevenueSourcePublisher,
    ][mediation]
}

// Site: where the data is kept, as a table.
func strategy(for country: String) -> String? {
    [
        "IN": ADJUrlStrategyIndia, "CN": ADJUrlStrategyCn, "CN-only": ADJUrlStrategyCnOnly, "TR": ADJDataResidencyTR,
        "US": ADJDataResidencyUS,
    ][country]
}

// Site: an attribution that the app keeps, and a store's info and a choice that it shows.
func keep(_ attribution: ADJAttribution, _ info: ADJStoreInfo, _ sharing: ADJThirdPartySharing) throws -> Data {
    print(info.storeName, info.storeAppId, sharing.enabled ?? 0, sharing.granularOptions, sharing.partnerSharingSettings)
    return try NSKeyedArchiver.archivedData(withRootObject: attribution, requiringSecureCoding: true)
}

// Site: a result of the app's own.
func unverified() -> ADJPurchaseVerificationResult { ADJPurchaseVerificationResult() }

// Site: a purchase with its receipt, as code for StoreKit 1 has it.
func bought(_ transaction: String, receipt: Data) -> [Any?] {
    [
        ADJAppStoreSubscription(price: 9, currency: "EUR", transactionId: transaction, andReceipt: receipt)?.currency,
        ADJAppStorePurchase(transactionId: transaction, productId: "year", andReceipt: receipt)?.receipt,
        ADJRemoteTrigger(label: "offer", payload: ["id": 7]).payload,
    ]
}

// Site: whether a build is a test's.
func isTest(_ config: ADJConfig) -> Bool { config.environment == ADJEnvironmentSandbox }

// Site: the settings that a diagnosis screen shows.
func settings(of config: ADJConfig) -> [String: Bool] {
    [
        "background": config.isSendingInBackgroundEnabled, "ads": config.isAdServicesEnabled,
        "idfa": config.isIdfaReadingEnabled, "idfv": config.isIdfvReadingEnabled, "skan": config.isSkanAttributionEnabled,
        "cost": config.isCostDataInAttributionEnabled, "link me": config.isLinkMeEnabled,
        "once": config.isDeviceIdsReadingOnceEnabled, "coppa": config.isCoppaComplianceEnabled,
        "tracking": config.isAppTrackingTransparencyUsageEnabled, "delay": config.isFirstSessionDelayEnabled,
        "residency": config.isDataResidency, "subdomains": config.useSubdomains,
    ]
}

// Site: the domains that the data goes to.
func domains(of config: ADJConfig) -> [String] { config.urlStrategyDomains?.compactMap { $0 as? String } ?? [] }

// Site: completions that are kept by their types.
struct Values {
    let adid: ADJAdidGetterBlock
    let attribution: ADJAttributionGetterBlock
    let idfa: ADJIdfaGetterBlock
    let idfv: ADJIdfvGetterBlock
    let version: ADJSdkVersionGetterBlock
    let link: ADJLastDeeplinkGetterBlock
    let resolved: ADJResolvedDeeplinkBlock
    let isEnabled: ADJIsEnabledGetterBlock
    let verified: ADJVerificationResultBlock

    func ask(_ deeplink: ADJDeeplink, _ purchase: ADJAppStorePurchase) {
        Adjust.adid(completionHandler: adid)
        Adjust.attribution(completionHandler: attribution)
        Adjust.idfa(completionHandler: idfa)
        Adjust.idfv(completionHandler: idfv)
        Adjust.sdkVersion(completionHandler: version)
        Adjust.lastDeeplink(completionHandler: link)
        Adjust.isEnabled(completionHandler: isEnabled)
        Adjust.processAndResolve(deeplink, withCompletionHandler: resolved)
        Adjust.verifyAppStorePurchase(purchase, withCompletionHandler: verified)
    }
}

// Site: an attribution of the app's own tests.
func example() -> ADJAttribution? { ADJAttribution(jsonDict: ["network": "newsletter", "tracker_token": "abc123"]) }

// Site: the log's level from a file of settings.
func level(_ name: String) -> ADJLogLevel { ADJLogger.logLevel(from: name) }
