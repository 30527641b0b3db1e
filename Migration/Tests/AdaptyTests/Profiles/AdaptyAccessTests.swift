// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import Testing

@Suite("What a profile of the server says in these names", .timeLimit(.minutes(1)))
struct AdaptyAccessTests {
    private static func day(_ number: Double) -> Date { Date(timeIntervalSince1970: 1_790_000_000 + number * 86_400) }

    private func year(
        _ state: Access.State = .active, trial: Bool = false, offer: String? = nil, intent: Int? = nil, renewed: Bool = true,
        endsAt: Date = day(30)
    ) -> Profile.Subscription {
        Profile.Subscription(
            productID: "year", transactionID: "2", originalTransactionID: "1", isActive: state == .active || state == .grace,
            state: state, startedAt: Self.day(-30), startsAt: renewed ? Self.day(0) : Self.day(-30), endsAt: endsAt, willRenew: true,
            isTrial: trial, offerID: offer, expirationIntent: intent)
    }

    private func access(
        _ state: Access.State = .active, from start: Date? = day(0), until end: Date? = day(30), product: String? = "year", trial: Bool = false
    ) -> Access {
        Access(
            isActive: [.active, .grace, .granted].contains(state), state: state, productID: product, startsAt: start, endsAt: end,
            willRenew: true, isTrial: trial)
    }

    private func level(_ access: Access, _ bought: Profile.Subscription...) throws -> AdaptyProfile.AccessLevel {
        let profile = AdaptyProfile(.ada(access: ["premium": access], subscriptions: bought))
        return try #require(profile.accessLevels["premium"])
    }

    @Test("An open level has its product, its times and whether it renews")
    func open() throws {
        let level = try level(access(), year())

        #expect(level.id == "premium" && level.isActive && level.vendorProductId == "year" && level.store == "app_store")
        #expect(level.activatedAt == Self.day(-30) && level.renewedAt == Self.day(0) && level.expiresAt == Self.day(30))
        #expect(level.startsAt == Self.day(0) && !level.isLifetime && level.willRenew)
        #expect(!level.isInGracePeriod && !level.isRefund && level.billingIssueDetectedAt == nil && level.cancellationReason == nil)
        #expect(level.activeIntroductoryOfferType == nil && level.activePromotionalOfferId == nil)
        #expect(level.offerId == nil && level.unsubscribedAt == nil, "Not known here.")
    }

    @Test("A first period was not renewed, and a level without a subscription begins with its own start")
    func first() throws {
        #expect(try level(access(), year(renewed: false)).renewedAt == nil)
        #expect(try level(access()).activatedAt == Self.day(0))
        #expect(try level(access(product: "other"), year()).activatedAt == Self.day(0), "Another product's subscription.")
    }

    @Test("What never ends is for a lifetime; what a backend gave has the word that code knows")
    func lifetime() throws {
        let level = try level(access(.granted, until: nil, product: nil))

        #expect(level.isActive && level.isLifetime && level.expiresAt == nil)
        #expect(level.store == "adapty" && level.vendorProductId.isEmpty)
    }

    @Test("In grace and while the store tries again, the payment is missing since the end of what was paid", arguments: [Access.State.grace, .billingRetry])
    func unpaid(_ state: Access.State) throws {
        // What is open began with grace; what is closed says from when to when it was open.
        let level = try level(state == .grace ? access(state) : access(state, from: Self.day(-30), until: Self.day(0)), year(state))

        #expect(level.isActive == (state == .grace) && level.isInGracePeriod == (state == .grace))
        #expect(level.billingIssueDetectedAt == Self.day(0))
        #expect(level.expiresAt == (state == .grace ? Self.day(30) : Self.day(0)))
    }

    @Test("A level that ended has its end; it is not for a lifetime")
    func ended() throws {
        let level = try level(access(.expired), year(.expired, intent: 1))

        #expect(!level.isActive && !level.isLifetime && level.expiresAt == Self.day(30) && level.startsAt == nil)
        #expect(level.activatedAt == Self.day(-30) && level.cancellationReason == "voluntarily_cancelled")
    }

    @Test("What was revoked counts as a refund, from that moment")
    func revoked() throws {
        let level = try level(access(.revoked, from: Self.day(0), until: Self.day(5)), year(.revoked, intent: 1))

        #expect(!level.isActive && level.isRefund && level.cancellationReason == "refund" && level.expiresAt == Self.day(5))
    }

    @Test(
        "Apple's number of why it does not renew is a word",
        arguments: [
            (1, "voluntarily_cancelled"), (2, "billing_error"), (3, "price_increase"), (4, "product_was_not_available"), (5, "unknown"),
            (99, "unknown"),
        ])
    func reasons(intent: Int, word: String) throws {
        #expect(try level(access(), year(intent: intent)).cancellationReason == word)
    }

    @Test("A free trial is an introductory offer, or one with an id; one that is over counts no more")
    func offers() throws {
        let first = try level(access(trial: true), year(trial: true))
        #expect(first.activeIntroductoryOfferType == "free_trial" && first.activePromotionalOfferType == nil)
        let code = try level(access(trial: true), year(trial: true, offer: "spring"))
        #expect(code.activeIntroductoryOfferType == nil && code.activePromotionalOfferType == "free_trial")
        #expect(code.activePromotionalOfferId == "spring")
        let paid = try level(access(), year(offer: "spring"))
        #expect(paid.activePromotionalOfferId == "spring" && paid.activePromotionalOfferType == nil, "Its price is not known.")
        let over = try level(access(.expired, trial: true), year(.expired, trial: true, offer: "spring"))
        #expect(over.activePromotionalOfferId == nil && over.activePromotionalOfferType == nil)
    }

    @Test("A subscription is by its product: of two the one that is active, then the one that ends last")
    func subscriptions() throws {
        let profile = AdaptyProfile(
            .ada(subscriptions: [year(.expired, endsAt: Self.day(90)), year(.grace), year(.expired, endsAt: Self.day(60))]))

        let bought = try #require(profile.subscriptions["year"])
        #expect(profile.subscriptions.count == 1)
        #expect(bought.isActive && bought.isInGracePeriod && bought.billingIssueDetectedAt == Self.day(30))
        #expect(bought.vendorTransactionId == "2" && bought.vendorOriginalTransactionId == "1" && bought.store == "app_store")
        #expect(bought.activatedAt == Self.day(-30) && bought.renewedAt == Self.day(0) && bought.expiresAt == Self.day(30))
        #expect(bought.willRenew && !bought.isLifetime && !bought.isSandbox && !bought.isRefund && bought.unsubscribedAt == nil)
    }

    @Test("Other purchases are lists by their product, and say what the server knows of their kind")
    func others() throws {
        func coins(_ id: String, refunded: Bool = false, consumable: Bool?) -> Profile.OneTimePurchase {
            Profile.OneTimePurchase(
                transactionID: id, productID: "coins", quantity: 3, purchasedAt: Self.day(1), isRefunded: refunded, isConsumable: consumable,
                isSandbox: refunded)
        }
        let profile = AdaptyProfile(
            .ada(oneTimePurchases: [coins("5", consumable: true), coins("6", refunded: true, consumable: nil)]))

        let bought = try #require(profile.nonSubscriptions["coins"])
        #expect(bought.map(\.purchaseId) == ["5", "6"] && bought.map(\.vendorTransactionId) == ["5", "6"])
        #expect(bought.map(\.isConsumable) == [true, false] && bought.map(\.isRefund) == [false, true])
        #expect(bought.map(\.isSandbox) == [false, true] && bought.allSatisfy { $0.purchasedAt == Self.day(1) })
    }

    @Test("A profile that has bought something is another one, and is read as it was written")
    func equality() throws {
        let payer = AdaptyProfile(.ada(access: ["premium": access()], subscriptions: [year()]))

        #expect(payer != AdaptyProfile(.ada()))
        #expect(try JSONDecoder().decode(AdaptyProfile.self, from: JSONEncoder().encode(payer)) == payer)
    }
}
