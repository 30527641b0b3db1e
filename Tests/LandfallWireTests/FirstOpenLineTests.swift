// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The lines of a first-open stream", .timeLimit(.minutes(1)))
struct FirstOpenLineTests {
    @Test("A profile line is pinned by its golden file")
    func profile() throws {
        var profile = WireProfile(
            id: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"),
            installId: InstallID("0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"),
            epoch: 1_764_000_000_000, version: 3, attributionVersion: 1
        )
        profile.customerId = "customer-7"
        profile.appliedAttributionSources = [.appleAds, AttributionSource("appsflyer")]
        profile.customAttributes = ["plan": .string("free")]
        profile.isReinstall = true

        try expectGolden(FirstOpenLine.profile(profile), "line-profile")
    }

    @Test("The profile of a person whom a link brought back is pinned too; without such a link the field is absent")
    func engagement() throws {
        var profile = WireProfile(
            id: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"),
            installId: InstallID("0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"),
            epoch: 1_764_000_000_000, version: 3, attributionVersion: 2
        )
        profile.appliedAttributionSources = [.appleAds, .link]
        var details = AttributionDetails(source: .link, verified: true, attributedAtMilliseconds: 1_764_000_060_000)
        details.campaign = "summer"
        details.link = AttributedLink(clickedAtMilliseconds: 1_764_000_000_000, isReattribution: true)
        details.link?.code = "brandname.go.link/beach"
        details.link?.tracker = "abc123"
        details.link?.label = "poster"
        profile.engagement = details

        try expectGolden(FirstOpenLine.profile(profile), "line-profile-engagement")
        guard case .profile(let older) = try Golden("line-profile").value(FirstOpenLine.self) else { throw Missing() }
        #expect(older.engagement == nil)
    }

    @Test("The profile of a person who bought something is pinned too; an older server's says nothing of purchases")
    func purchases() throws {
        let bought: Int64 = 1_764_000_000_000, ends: Int64 = 1_766_592_000_000
        var profile = WireProfile(
            id: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"),
            installId: InstallID("0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"), epoch: bought, version: 4, attributionVersion: 1)
        profile.asOfMilliseconds = bought + 500
        profile.purchaseToken = "5a6b7c8d-1111-4222-8333-444455556666"
        profile.purchasesKnown = true
        var premium = WireAccessLevel(
            state: .active, isActive: true, store: .appStore, startsAtMilliseconds: bought, endsAtMilliseconds: ends)
        premium.productId = "com.example.app.yearly"
        (premium.willRenew, premium.isTrial, premium.isSandbox) = (true, true, true)
        let support = WireAccessLevel(
            state: .granted, isActive: true, store: .grant, startsAtMilliseconds: bought, endsAtMilliseconds: nil)
        profile.accessLevels = ["premium": premium, "support": support]
        var subscription = WireSubscription(
            productId: "com.example.app.yearly", transactionId: "2000000123456789", originalTransactionId: "2000000123456789",
            state: .active, isActive: true, startedAtMilliseconds: bought, startsAtMilliseconds: bought, endsAtMilliseconds: ends)
        (subscription.renewsAs, subscription.offerId, subscription.expirationIntent) = ("com.example.app.monthly", "week", 1)
        (subscription.willRenew, subscription.isTrial, subscription.isSandbox) = (true, true, true)
        profile.subscriptions = [subscription]
        var coins = WireOneTimePurchase(
            transactionId: "2000000123456790", productId: "com.example.app.coins", quantity: 3, purchasedAtMilliseconds: bought,
            isRefunded: false, isSandbox: false)
        coins.type = .consumable
        profile.oneTimePurchases = [coins]

        try expectGolden(FirstOpenLine.profile(profile), "line-profile-purchases")
        guard case .profile(let older) = try Golden("line-profile").value(FirstOpenLine.self) else { throw Missing() }
        #expect(older.accessLevels == nil && older.purchaseToken == nil && older.purchasesKnown == nil)
    }

    private struct Missing: Error {}

    @Test(
        "An attribution line is pinned for each state", arguments: ["pending", "attributed", "not-attributed", "unavailable"])
    func attribution(state: String) throws {
        var details = AttributionDetails(source: .appleAds, verified: true, attributedAtMilliseconds: 1_764_000_000_000)
        var answer = AppleAdsAnswer(attribution: true)
        answer.orgId = 40_669_820
        answer.campaignId = 542_370_539
        answer.adGroupId = 542_317_095
        answer.keywordId = 87_675_432
        answer.adId = 542_317_136
        answer.countryOrRegion = "US"
        answer.conversionType = "Download"
        answer.claimType = "Click"
        answer.clickDate = "2026-10-08T17:17Z"
        answer.supplyPlacement = "APPSTORE_SEARCH_RESULTS"
        details.appleAds = answer
        let attributions: [String: Attribution] = [
            "pending": .pending(nextAnswerNotBefore: 5000), "attributed": .attributed(details),
            "not-attributed": .notAttributed,
            "unavailable": .unavailable(.notFound),
        ]

        try expectGolden(FirstOpenLine.attribution(try #require(attributions[state])), "line-attribution-" + state)
    }

    @Test("A paywall line is pinned by its golden file")
    func paywall() throws {
        let paywall = WirePaywall(
            name: PaywallID("apple-ads"), variationId: VariationID("apple-ads"),
            remoteConfig: .init(
                locale: "en", value: .object(["title": .string("Hello"), "steps": .array([.integer(1), .number(2.5), .null])])),
            productIds: ["com.example.app.year", "com.example.app.month"]
        )
        let answer = PaywallAnswer(
            placement: "onboarding", locale: "en-us", kind: .matching, audience: AudienceID("apple-ads-users"), revision: 7,
            profileId: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"), epoch: 1_764_000_000_000, profileVersion: 3,
            attributionVersion: 1, final: true, paywall: paywall
        )

        try expectGolden(FirstOpenLine.paywall(answer), "line-paywall")
    }

    @Test("A line that shows nothing is pinned too; it differs from a missing paywall")
    func nothing() throws {
        let answer = PaywallAnswer(
            placement: "onboarding", locale: "en-us", kind: .matching, audience: AudienceID("apple-ads-users"), revision: 7,
            profileId: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"), epoch: 1_764_000_000_000, profileVersion: 3,
            attributionVersion: 1, final: true, paywall: nil
        )
        let text = String(decoding: try WireCoding.encode(answer), as: UTF8.self)
        let broken = text.replacingOccurrences(of: #""nothing":true"#, with: #""nothing":false"#)

        try expectGolden(FirstOpenLine.paywall(answer), "line-paywall-nothing")
        #expect(throws: DecodingError.self) { try WireCoding.decode(PaywallAnswer.self, from: Data(broken.utf8)) }
    }

    @Test("A problem line and an end line are pinned by their golden files")
    func problemAndEnd() throws {
        let problem = PlacementProblem(placement: "nowhere", code: .placementUnknown, message: "No such placement.")

        try expectGolden(FirstOpenLine.problem(problem), "line-problem")
        try expectGolden(FirstOpenLine.end(.holdOver), "line-end")
    }

    @Test("A line of a newer server is skipped, not an error")
    func unknownLine() throws {
        let line = try WireCoding.decode(FirstOpenLine.self, from: Data(#"{"type":"confetti","colour":"red"}"#.utf8))

        #expect(line == .unknown(type: "confetti"))
    }

    @Test("Fields of a newer server are ignored")
    func unknownFields() throws {
        let text = #"{"type":"end","reason":"final","padding":"   ","later":{"a":[1]}}"#

        #expect(try WireCoding.decode(FirstOpenLine.self, from: Data(text.utf8)) == .end(.final))
    }

    @Test("An attribution state of a newer server counts as no answer")
    func unknownState() throws {
        let attribution = try WireCoding.decode(Attribution.self, from: Data(#"{"state":"dreaming"}"#.utf8))

        #expect(attribution == .unavailable(UnavailableReason("dreaming")))
    }

    @Test("A paywall without its optional fields, or with an unreadable one, is still shown")
    func partialPaywall() throws {
        let text = #"{"name":"p","remoteConfig":"not an object","productIds":7}"#

        let paywall = try WireCoding.decode(WirePaywall.self, from: Data(text.utf8))

        #expect(paywall == WirePaywall(name: PaywallID("p"), variationId: VariationID("p")))
    }
}
