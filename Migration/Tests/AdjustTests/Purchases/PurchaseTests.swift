// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Revenue", .timeLimit(.minutes(1)))
struct PurchaseTests {
    private let app = StartedApp(StartedApp.info)

    @Test("of an ad is the own event ad_revenue")
    func ad() async throws {
        app.connection.begin(StartedApp.config())
        let revenue = try #require(ADJAdRevenue(source: ADJAdRevenueSourceAdMob))
        revenue.setRevenue(0.05, currency: "USD")
        revenue.setAdImpressionsCount(3)
        revenue.setAdRevenueNetwork("network")
        revenue.setAdRevenueUnit("unit")
        revenue.setAdRevenuePlacement("home")
        revenue.addCallbackParameter("screen", value: "start")
        revenue.addPartnerParameter("id", value: "7")

        app.connection.track(revenue)

        #expect(
            await app.events(1) == [
                RecordedEvent(
                    "ad_revenue", value: 0.05, currency: "USD",
                    properties: [
                        "source": .string("admob_sdk"), "network": .string("network"), "unit": .string("unit"),
                        "placement": .string("home"), "impressions": .string("3"), "screen": .string("start"),
                        "partner.id": .string("7"),
                    ])
            ])
        #expect(ADJAdRevenue(source: "") == nil)
        await app.connection.client?.shutdown()
    }

    @Test("of a subscription is the own event subscription, once a transaction")
    func subscription() async throws {
        app.connection.begin(StartedApp.config())
        let subscription = try #require(
            ADJAppStoreSubscription(price: NSDecimalNumber(string: "49.99"), currency: "EUR", transactionId: "t1"))
        subscription.setTransactionDate(Date(timeIntervalSince1970: 1_700_000_000))
        subscription.setSalesRegion("DE")

        app.connection.track(subscription)
        app.connection.track(subscription)
        app.connection.track(ADJEvent(eventToken: "end"))

        let events = await app.events(2)
        #expect(events.map(\.type) == ["subscription", "end"])
        #expect(
            events[0]
                == RecordedEvent(
                    "subscription", value: 49.99, currency: "EUR",
                    properties: [
                        "transaction_id": .string("t1"), "transaction_time": .string("1700000000"), "sales_region": .string("DE"),
                    ]))
        #expect(app.lines.texts().isEmpty)
        await app.connection.client?.shutdown()
    }
}
