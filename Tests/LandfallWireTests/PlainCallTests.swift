// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The bodies of the plain calls", .timeLimit(.minutes(1)))
struct PlainCallTests {
    @Test("A claim of another provider is pinned by its golden file")
    func claim() throws {
        var claim = AttributionClaim(
            key: IdempotencyKey("k-2"), source: AttributionSource("appsflyer"), status: .nonOrganic, ageMilliseconds: 10
        )
        claim.channel = "social"
        claim.campaign = "summer"
        claim.adGroup = "g"
        claim.adSet = "s"
        claim.creative = "c"

        try expectGolden(claim, "attribution-claim")
    }

    @Test("An event batch and its answer are pinned by their golden files")
    func events() throws {
        var event = Event(id: "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", type: .paywallShown, ageMilliseconds: 250)
        event.placement = "onboarding"
        event.paywall = PaywallID("apple-ads")
        event.variationId = VariationID("apple-ads")
        event.audience = AudienceID("apple-ads-users")
        event.revision = 7
        event.origin = "matchingAudience"
        event.elapsedMilliseconds = 561

        try expectGolden(EventBatch(events: [event]), "event-batch")
        try expectGolden(
            EventBatchAnswer(results: [
                .init(id: "a", status: .accepted), .init(id: "b", status: .duplicate),
                .init(id: "c", status: .rejected, code: .invalidValue),
            ]),
            "event-batch-answer"
        )
    }

    @Test("A null removes an attribute, which differs from an absent key")
    func attributeRemoval() throws {
        try expectGolden(
            AttributeChanges(key: IdempotencyKey("k-3"), attributes: ["plan": .string("pro"), "trial": AttributeValue?.none]),
            "attribute-changes"
        )
        try expectGolden(
            AttributeChanges(key: IdempotencyKey("k-3"), attributes: ["plan": .string("pro")], epoch: 1_790_000_000_001),
            "attribute-changes-of-a-profile"
        )
    }

    @Test("Identify, log-out and errors are pinned by their golden files")
    func identity() throws {
        try expectGolden(
            IdentifyRequest(key: IdempotencyKey("k-4"), customerId: "customer-7", identityToken: "header.body.signature"),
            "identify"
        )
        try expectGolden(LogoutRequest(key: IdempotencyKey("k-5")), "logout")
        try expectGolden(
            ErrorBody(error: .init(code: .profileMismatch, message: "Another secret.", requestId: "r-1")), "error"
        )
    }

    @Test("A call without a key never repeats another")
    func withoutKey() throws {
        let first = try WireCoding.decode(LogoutRequest.self, from: Data("{}".utf8))
        let second = try WireCoding.decode(LogoutRequest.self, from: Data("{}".utf8))
        let identify = try WireCoding.decode(IdentifyRequest.self, from: Data(#"{"customerId":"customer-7"}"#.utf8))

        #expect(first.key != second.key)
        #expect(identify.key != first.key)
    }

    @Test("A placement has a path of its own")
    func paths() {
        #expect(WirePath.paywall(of: "onboarding") == "/v1/placements/onboarding/paywall")
    }
}
