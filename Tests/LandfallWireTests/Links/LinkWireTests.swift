// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The bodies of links", .timeLimit(.minutes(1)))
struct LinkWireTests {
    @Test("A link that was opened, and its answer, are pinned by their golden files")
    func open() throws {
        try expectGolden(
            LinkOpenRequest(url: "https://brandname.go.link/beach", key: IdempotencyKey("k-6"), ageMilliseconds: 1200),
            "link-open")
        try expectGolden(
            LinkOpenRequest(url: "https://brandname.go.link/beach", key: IdempotencyKey("k-7"), recordsClick: false),
            "link-open-inside-the-app")
        try expectGolden(
            LinkOpenAnswer(
                status: .resolved, original: "https://brandname.go.link/beach",
                resolved: "https://brandname.go.link/summer-clothes?promo=beach"),
            "link-open-answer")
        var profile = WireProfile(
            id: ProfileID("i-1"), installId: InstallID("i-1"), epoch: 3, version: 8, attributionVersion: 2)
        profile.appliedAttributionSources = [.link]
        let details = AttributionDetails(source: .link, verified: true, attributedAtMilliseconds: 1_790_000_000_000)
        try expectGolden(
            LinkOpenAnswer(
                status: .passedThrough, original: "https://example.com/summer-clothes?lf_campaign=summer",
                person: ProfileAnswer(profile: profile, attribution: .attributed(details))),
            "link-open-answer-with-click")
    }

    @Test("Optional fields have their defaults")
    func defaults() throws {
        let request = try WireCoding.decode(LinkOpenRequest.self, from: Data(#"{"url":"x://"}"#.utf8))
        let other = try WireCoding.decode(LinkOpenRequest.self, from: Data(#"{"url":"x://"}"#.utf8))
        let answer = try WireCoding.decode(LinkOpenAnswer.self, from: Data(#"{"status":"new","original":"x://"}"#.utf8))

        #expect(request.recordsClick)
        #expect(request.ageMilliseconds == 0)
        #expect(request.key != other.key, "A call without a key repeats no other.")
        #expect(answer == LinkOpenAnswer(status: LinkStatus("new"), original: "x://"))
    }

    @Test("The deferred link is pinned by its golden files")
    func deferred() throws {
        try expectGolden(DeferredLinkRequest(token: "4f2a"), "deferred-request")
        try expectGolden(DeferredLinkRequest(), "deferred-request-without-token")
        let link = DeferredLink(
            original: "https://brandname.go.link/beach", resolved: "https://brandname.go.link/summer-clothes?promo=beach",
            matchedBy: .pasteboard, ageMilliseconds: 86_000)
        try expectGolden(DeferredLinkAnswer.link(link), "deferred-answer-link")
        try expectGolden(DeferredLinkAnswer.pending, "deferred-answer-pending")
        try expectGolden(DeferredLinkAnswer.none, "deferred-answer-none")
        try expectGolden(FirstOpenLine.deferred(.link(link)), "line-deferred")
    }

    @Test("A first open asks for the deferred link only if it has the field")
    func firstOpen() throws {
        var request = FirstOpenRequest(device: DeviceFacts(), adToken: .none(.noToken), placements: [], holdMilliseconds: 0)
        #expect(!String(decoding: try WireCoding.encode(request), as: UTF8.self).contains("deferred"))

        request.deferred = DeferredLinkRequest()
        let text = String(decoding: try WireCoding.encode(request), as: UTF8.self)

        #expect(text.contains(#""deferred":{}"#))
        #expect(try WireCoding.decode(FirstOpenRequest.self, from: Data(text.utf8)) == request)
    }

    @Test("A state that this version does not know counts as no link: the app need not wait for it")
    func unknownState() throws {
        let answer = try WireCoding.decode(DeferredLinkAnswer.self, from: Data(#"{"state":"later"}"#.utf8))

        #expect(answer == DeferredLinkAnswer.none)
    }
}
