// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// A link is tapped in a running app, after everything about its paywall was final.
@Suite("A tap and the paywall requested with it", .timeLimit(.minutes(1)))
struct LinkPaywallTests {
    let phone = Phone()
    private let person = Person()

    @Test(
        "The paywall requested with a tap is the one for its campaign: one click, one question",
        arguments: [URL.short, .long, .campaign])
    func campaign(link: URL) async throws {
        let client = try await running()
        serveClicks()

        client.receive(link)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .summer)
        #expect(result.elapsed.isAbout(.milliseconds(250)))
        #expect(phone.linkRequests.count == 1)
        #expect(phone.plainRequests.count == 1)
        #expect(phone.server.requests("GET", WirePath.profile).isEmpty)
        await client.shutdown()
    }

    @Test("Calls that wait for one click share the question after it")
    func shared() async throws {
        let client = try await running()
        serveClicks()

        client.receive(.campaign)
        async let first = client.paywall(for: .onboarding, within: .seconds(5))
        async let second = client.paywall(for: .onboarding, within: .seconds(3))
        await phone.pass(.seconds(2))

        #expect(try await [first.paywall?.name, second.paywall?.name] == [.summer, .summer])
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("A tap that changes nothing costs the time of its click, and no question", arguments: [URL.short, .campaign])
    func nothingNew(link: URL) async throws {
        let client = try await running()
        serveClicks(isNews: false)

        client.receive(link)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed.isAbout(.milliseconds(250)))
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A link without a campaign, and one tapped inside the app, delay no call")
    func noCampaign() async throws {
        let client = try await running()
        serveClicks(after: .seconds(100))

        client.receive(.universal)
        client.receive(.scheme)
        let opening = Task { await client.open(.short, from: .app) }
        await phone.settle()

        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        #expect(phone.plainRequests.isEmpty)
        opening.cancel()
        await client.shutdown()
    }

    @Test("A tap never changes what a placement has shown")
    func shown() async throws {
        let client = try await running()
        client.recordExposure(of: try await client.paywall(for: .onboarding))
        serveClicks()

        client.receive(.campaign)
        let result = try await client.paywall(for: .onboarding)
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .zero)

        await phone.pass(.seconds(2))
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A caller that accepts a stored paywall gets it, although a click is on its way")
    func hurry() async throws {
        let client = try await running()
        serveClicks()

        client.receive(.campaign)
        let result = try await client.paywall(for: .onboarding, cache: .returnCacheElseLoad)

        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("A placement without an answer is requested once, after the click")
    func neverAsked() async throws {
        let client = try await running()
        serveClicks(placement: "settings")

        client.receive(.campaign)
        async let shown = client.paywall(for: "settings", within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        #expect(try await shown.paywall?.name == .summer)
        #expect(phone.server.requests("GET", WirePath.paywall(of: "settings")).count == 1)
        await client.shutdown()
    }

    @Test("A call that already waits when the tap comes waits for its click too")
    func waitingAlready() async throws {
        try phone.answersLinks()
        let body = try phone.streams(.undecided)
        let client = phone.linkApp()
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForFirstOpen()
        await phone.settle()
        serveClicks(version: 3)

        client.receive(.short)
        await phone.settle()
        try body.say(.becomesOrganic)
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .summer)
        #expect(result.elapsed.isAbout(.milliseconds(250)))
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("A click whose wrapper's server is silent does not delay the paywall of a later tap any longer")
    func silentWrapper() async throws {
        let client = try await running()
        serveClicks()
        phone.server.on("GET", "/abc") { _ in try await phone.never() }
        client.recordClick(LinkUnwrapperTests.mail)
        await phone.server.waitForRequests("GET", "/abc")
        // As long as calls wait for that click itself.
        await phone.pass(.seconds(3))

        client.receive(.campaign)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .summer)
        #expect(result.elapsed.isAbout(.milliseconds(250)))
        await client.shutdown()
    }

    /// The first open is over, and its paywall final.
    private func running() async throws -> LandfallClient {
        try phone.answersLinks()
        let client = await phone.startedLinkApp()
        await phone.settle()
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        return client
    }

    private func serveClicks(
        after delay: Duration = .milliseconds(250), isNews: Bool = true, version: Int64 = 2,
        placement: PlacementID = .onboarding
    ) {
        phone.serveClicks(of: person, after: delay, placement: placement) { isNews ? version : 1 }
    }
}

/// The server's state of the person who taps.
actor Person {
    private(set) var version: Int64 = 1
    func tapped(_ version: Int64) { self.version = version }
}

extension Phone {
    /// From now on a click takes a while, and the server's answers depend on whether the click has arrived.
    /// - Parameter version: of the profile with that click; 1 if it changes nothing. It may throw, like a broken network.
    func serveClicks(
        of person: Person, after delay: Duration, placement: PlacementID = .onboarding,
        _ version: @escaping @Sendable () throws -> Int64
    ) {
        opens { [clock] request in
            try await clock.sleep(until: clock.now.advanced(by: delay))
            let version = try version()
            await person.tapped(version)
            let profile = WireProfile.anna(version: version, attributionVersion: version - 1)
            return LinkOpenAnswer(
                status: .passedThrough, original: request.url,
                person: .init(profile: profile, attribution: version == 1 ? .notAttributed : .byLink))
        }
        // A question whose answer is final is answered at once, however long it may be held.
        plain(placement) { kind in
            guard kind == .matching else { return try .json(PaywallAnswer.everyone()) }
            let version = await person.version
            return try .json(version == 1 ? PaywallAnswer.untargeted(final: true) : .campaign(version: version))
        }
    }
}

extension Duration {
    /// Time passes in steps of 250 ms here, and a busy machine may need one more of them.
    func isAbout(_ expected: Duration) -> Bool { (expected...expected + .milliseconds(500)).contains(self) }
}

extension URL {
    static let campaign = URL(string: "https://example.com/summer-clothes?promo=beach&lf_campaign=summer")!
}

extension PaywallID {
    static let summer = PaywallID("summer")
}

extension PaywallAnswer {
    /// The paywall for people who tapped the campaign's link.
    static func campaign(version: Int64) -> PaywallAnswer {
        var answer = PaywallAnswer.targeted(version: version, attributionVersion: version - 1)
        answer.audience = AudienceID("summer-link")
        answer.paywall = WirePaywall(name: .summer, variationId: VariationID("summer"), productIds: ["year"])
        return answer
    }
}
