// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import Testing

@Suite("Profiles that an app keeps", .timeLimit(.minutes(1)))
struct AdaptyProfileCodableTests {
    @Test("What is read again is what was written")
    func roundTrip() throws {
        let profile = AdaptyProfile(
            .ada(
                customerID: "lovelace", sources: [.appleAds],
                attributes: ["plan": .string("pro"), "seats": .number(3), "trial": .bool(true)]))

        #expect(try JSONDecoder().decode(AdaptyProfile.self, from: JSONEncoder().encode(profile)) == profile)
    }

    @Test("A source is its text")
    func source() throws {
        #expect(
            String(decoding: try JSONEncoder().encode([AdaptyProfile.AttributionSource.appleAds]), as: UTF8.self)
                == #"["apple_search_ads"]"#)
    }

    /// As the original writes it, with every field of an access level, a subscription and a purchase.
    private static let original = """
        {"profile_id": "p", "customer_user_id": "lovelace", "segment_hash": "s", "is_test_user": false, "timestamp": 1,
         "custom_attributes": {"plan": "pro"}, "applied_attribution_sources": ["apple_search_ads"],
         "paid_access_levels": {"premium": {
           "id": "premium", "is_active": true, "vendor_product_id": "year", "store": "app_store",
           "activated_at": "2026-01-01T00:00:00Z", "renewed_at": "2026-02-01T00:00:00Z", "expires_at": "2026-12-01T00:00:00Z",
           "starts_at": "2026-01-01T00:00:00Z", "is_lifetime": false, "active_introductory_offer_type": "free_trial",
           "active_promotional_offer_type": "pay_up_front", "active_promotional_offer_id": "spring", "offer_id": "o",
           "will_renew": true, "is_in_grace_period": true, "unsubscribed_at": "2026-03-01T00:00:00Z",
           "billing_issue_detected_at": "2026-03-02T00:00:00Z", "cancellation_reason": "billing_error", "is_refund": false}},
         "subscriptions": {"year": {
           "store": "app_store", "vendor_product_id": "year", "vendor_transaction_id": "2", "vendor_original_transaction_id": "1",
           "is_active": true, "is_lifetime": false, "activated_at": "2026-01-01T00:00:00Z", "is_in_grace_period": false,
           "is_sandbox": true, "is_refund": false, "will_renew": true}},
         "non_subscriptions": {"coins": [{
           "purchase_id": "c", "store": "app_store", "vendor_product_id": "coins", "vendor_transaction_id": "3",
           "purchased_at": "2026-01-05T00:00:00Z", "is_sandbox": false, "is_refund": false, "is_consumable": true}]}}
        """

    private func read() throws -> AdaptyProfile {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(AdaptyProfile.self, from: Data(Self.original.utf8))
    }

    @Test("A profile that the original wrote is read, with every field of its access levels")
    func accessLevel() throws {
        let level = try #require(try read().accessLevels["premium"])

        #expect(level.id == "premium" && level.isActive && level.vendorProductId == "year" && level.store == "app_store")
        #expect(level.activatedAt == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(level.renewedAt != nil && level.expiresAt != nil && level.startsAt == level.activatedAt)
        #expect(!level.isLifetime && level.willRenew && level.isInGracePeriod && !level.isRefund)
        #expect(level.activeIntroductoryOfferType == "free_trial" && level.activePromotionalOfferType == "pay_up_front")
        #expect(level.activePromotionalOfferId == "spring" && level.offerId == "o")
        #expect(level.unsubscribedAt != nil && level.billingIssueDetectedAt != nil)
        #expect(level.cancellationReason == "billing_error")
    }

    @Test("… of its subscriptions and purchases")
    func purchases() throws {
        let profile = try read()
        let subscription = try #require(profile.subscriptions["year"])
        let purchase = try #require(profile.nonSubscriptions["coins"]?.first)

        #expect(profile.appliedAttributionSources == [.appleAds] && profile.customerUserId == "lovelace")
        #expect(profile.customAttributes["plan"] as? String == "pro")
        #expect(subscription.vendorTransactionId == "2" && subscription.vendorOriginalTransactionId == "1")
        #expect(subscription.isSandbox && subscription.willRenew && subscription.renewedAt == nil)
        #expect(subscription.expiresAt == nil && subscription.offerId == nil && subscription.cancellationReason == nil)
        #expect(purchase.purchaseId == "c" && purchase.isConsumable && !purchase.isRefund && !purchase.isSandbox)
        #expect(purchase.vendorTransactionId == "3" && purchase.store == "app_store")
    }

    @Test("… and is written again as it was read")
    func again() throws {
        let profile = try read()

        #expect(try JSONDecoder().decode(AdaptyProfile.self, from: JSONEncoder().encode(profile)) == profile)
    }
}
