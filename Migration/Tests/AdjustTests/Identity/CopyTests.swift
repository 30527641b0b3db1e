// SPDX-License-Identifier: Apache-2.0
import Adjust
import Foundation
import Testing

@Suite("A copy", .timeLimit(.minutes(1)))
struct CopyTests {
    @Test("of an event has its values, and changes alone")
    func event() throws {
        let event = try #require(ADJEvent(eventToken: "abc123"))
        event.setRevenue(9.99, currency: "EUR")
        event.addCallbackParameter("plan", value: "year")
        event.addPartnerParameter("sku", value: "y1")
        event.setTransactionId("t1")
        event.setDeduplicationId("d1")
        event.setCallbackId("c1")
        event.setProductId("year")
        event.setReceipt(Data([1]))

        let copy = try #require(event.copy() as? ADJEvent)
        copy.setProductId("month")

        #expect([copy.eventToken, copy.currency, copy.transactionId] == ["abc123", "EUR", "t1"])
        #expect([copy.deduplicationId, copy.callbackId, copy.productId] == ["d1", "c1", "month"])
        #expect(copy.revenue == 9.99 && copy.receipt == Data([1]))
        #expect(copy.callbackParameters == ["plan": "year"] && copy.partnerParameters == ["sku": "y1"])
        #expect(event.productId == "year")
    }

    @Test("of an ad's revenue and of a subscription has their values")
    func revenue() throws {
        let ad = try #require(ADJAdRevenue(source: ADJAdRevenueSourceAdMob))
        ad.setRevenue(1, currency: "EUR")
        ad.setAdImpressionsCount(3)
        ad.setAdRevenueNetwork("n")
        ad.setAdRevenueUnit("u")
        ad.setAdRevenuePlacement("p")
        ad.addCallbackParameter("a", value: "1")
        let date = Date(timeIntervalSince1970: 0)
        let bought = try #require(ADJSubscription(price: 9, currency: "EUR", transactionId: "t1", andReceipt: Data([1])))
        bought.setTransactionDate(date)
        bought.setSalesRegion("DE")
        bought.addPartnerParameter("a", value: "1")

        let adCopy = try #require(ad.copy() as? ADJAdRevenue)
        let boughtCopy = try #require(bought.copy() as? ADJAppStoreSubscription)

        #expect([adCopy.source, adCopy.adRevenueNetwork, adCopy.adRevenueUnit, adCopy.adRevenuePlacement] == ["admob_sdk", "n", "u", "p"])
        #expect(adCopy.revenue == 1 && adCopy.adImpressionsCount == 3 && adCopy.callbackParameters == ["a": "1"])
        #expect([boughtCopy.transactionId, boughtCopy.currency, boughtCopy.salesRegion] == ["t1", "EUR", "DE"])
        #expect(boughtCopy.transactionDate == date && boughtCopy.receipt == Data([1]) && boughtCopy.partnerParameters == ["a": "1"])
        #expect(boughtCopy.price == 9)
    }

    @Test("of a delegate's values has them")
    func values() throws {
        let (session, failure) = (ADJSessionSuccess(), ADJSessionFailure())
        (session.adid, failure.timestamp, failure.willRetry) = ("ada", "2026-11-27", false)
        let sharing = ADJThirdPartySharingResult(thirdPartySharingSettings: "{}")
        let store = try #require(ADJStoreInfo(storeName: "app_store"))
        store.storeAppId = "123"

        #expect((session.copy() as? ADJSessionSuccess)?.adid == "ada")
        #expect((failure.copy() as? ADJSessionFailure)?.timestamp == "2026-11-27")
        #expect((failure.copy() as? ADJSessionFailure)?.willRetry == false)
        #expect((sharing.copy() as? ADJThirdPartySharingResult)?.thirdPartySharingSettingsJson == "{}")
        #expect((store.copy() as? ADJStoreInfo)?.storeAppId == "123")
    }

    @Test("of what cannot change, and of the settings of a start, is the object itself")
    func itself() throws {
        let purchase = try #require(ADJAppStorePurchase(transactionId: "t1", productId: "year"))
        let config = try #require(ADJConfig(appToken: "abc123", environment: ADJEnvironmentSandbox))
        let trigger = ADJRemoteTrigger(label: "offer", payload: [:])

        #expect(purchase.copy() as AnyObject === purchase)
        #expect(config.copy() as AnyObject === config)
        #expect(trigger.copy() as AnyObject === trigger)
    }
}
