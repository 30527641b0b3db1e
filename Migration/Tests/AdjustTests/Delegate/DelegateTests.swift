// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The delegate", .timeLimit(.minutes(1)))
@MainActor
struct DelegateTests {
    let calls = DelegateCalls()
    let profiles = AsyncStream.makeStream(of: Profile.self)

    @Test("gets each attribution once, in order, and nothing while it is unknown")
    func order() async {
        let observer = Observer()
        calls.delegate = observer
        for attribution in [Landfall.Attribution.pending, .notAttributed, .notAttributed, .summer] {
            profiles.continuation.yield(.ada(attribution))
        }
        profiles.continuation.finish()

        await calls.follow(profiles.stream)

        #expect(observer.attributions.map(\.trackerName) == ["Organic", "newsletter::summer::beach::poster"])
    }

    @Test("set late gets the known attribution")
    func late() async {
        profiles.continuation.yield(.ada(.summer))
        profiles.continuation.finish()
        await calls.follow(profiles.stream)
        let observer = Observer()

        calls.delegate = observer
        await observer.wait()

        #expect(observer.attributions.map(\.campaign) == ["summer"])
        #expect(calls.attribution?.network == "newsletter")
    }

    @Test("gets the link that brought the user back, and nothing new about a link from before the install")
    func reattribution() async {
        let observer = Observer()
        calls.delegate = observer
        profiles.continuation.yield(.ada(.summer, engagement: .link("winter", isReattribution: false)))
        profiles.continuation.yield(.ada(.summer, engagement: .link("winter", isReattribution: true)))
        profiles.continuation.yield(.ada(.pending, engagement: .link("spring", isReattribution: true)))
        profiles.continuation.finish()

        await calls.follow(profiles.stream)

        #expect(observer.attributions.map(\.campaign) == ["summer", "winter", "spring"])
        #expect(observer.attributions.map(\.clickLabel) == [nil, "poster", "poster"])
        #expect(observer.attributions.map(\.trackerToken) == [nil, "brandname.go.link/winter", "brandname.go.link/spring"])
    }

    @Test("A link's tracker identifies it before its address does, and counts as a difference")
    func tracker() throws {
        var details = Landfall.AttributionDetails.link("summer", isReattribution: false)
        let without = try #require(ADJAttribution(.ada(.attributed(details))))
        details.link?.tracker = "abc123"
        let with = try #require(ADJAttribution(.ada(.attributed(details))))

        #expect(with.trackerToken == "abc123")
        #expect(with.clickLabel == "poster")
        #expect(with != without)
        #expect(with == ADJAttribution(.ada(.attributed(details))))
    }

    @Test("is held weakly")
    func weak() {
        calls.delegate = Observer()

        #expect(calls.delegate == nil)
    }

    @Test("gets the deferred link; the link is opened if the delegate says so", arguments: [true, false])
    func deferred(_ opens: Bool) async throws {
        let server = AdjustServer()
        server.transport.on("POST", WirePath.firstOpen) { _ in
            let profile = WireProfile(
                id: ProfileID("ada"), installId: InstallID("ada"), epoch: 1, version: 1, attributionVersion: 1)
            return try .lines([.profile(profile), .deferred(.link(.beach)), .attribution(.notAttributed), .end(.final)])
        }
        let observer = Observer()
        observer.opensDeferred = opens
        let opened = Completions()
        let client = server.client()
        client.start()

        server.connection.delegateCalls.delegate = observer
        server.connection.start(with: client, opening: Connection.always { opened.call($0.absoluteString) })
        await server.pass(.seconds(1))
        await observer.waitForLink()

        #expect(observer.links == [DeferredLink.beach.resolved])
        #expect(opened.links == (opens ? [DeferredLink.beach.resolved] : []))
        await client.shutdown()
    }
}

/// Keeps the calls of the delegate.
@MainActor
private final class Observer: NSObject, @preconcurrency AdjustDelegate {
    private(set) var attributions: [ADJAttribution] = []
    private(set) var links: [String] = []
    var opensDeferred = true
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func adjustAttributionChanged(_ attribution: ADJAttribution?) {
        if let attribution { attributions.append(attribution) }
        arrivals.continuation.yield()
    }

    func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool {
        if let deeplink { links.append(deeplink.absoluteString) }
        arrivals.continuation.yield()
        return opensDeferred
    }

    func wait() async { for await _ in arrivals.stream { return } }

    func waitForLink() async {
        if links.isEmpty { for await _ in arrivals.stream where !links.isEmpty { return } }
    }
}

extension DeferredLink {
    static let beach = DeferredLink(
        original: "https://brandname.go.link/beach", resolved: "https://brandname.go.link/summer-clothes?promo=beach",
        matchedBy: .pasteboard, ageMilliseconds: 1000)
}

extension Landfall.Attribution {
    static var summer: Self {
        var details = Landfall.AttributionDetails(source: .link, attributedAt: Date(timeIntervalSince1970: 0))
        (details.channel, details.campaign, details.adGroup, details.creative) = ("newsletter", "summer", "beach", "poster")
        return .attributed(details)
    }
}

extension Landfall.AttributionDetails {
    fileprivate static func link(_ campaign: String, isReattribution: Bool) -> Self {
        var details = Self(source: .link, attributedAt: Date(timeIntervalSince1970: 0))
        details.campaign = campaign
        details.link = .init(clickedAt: Date(timeIntervalSince1970: 0), isReattribution: isReattribution)
        details.link?.code = "brandname.go.link/\(campaign)"
        details.link?.label = "poster"
        return details
    }
}

extension Profile {
    fileprivate static func ada(
        _ attribution: Landfall.Attribution, engagement: Landfall.AttributionDetails? = nil
    ) -> Profile {
        Profile(id: "ada", installID: "ada", engagement: engagement, attribution: attribution)
    }
}
