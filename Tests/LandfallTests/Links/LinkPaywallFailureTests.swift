// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// A tap whose click is late, lost, or older than the launch's first request.
@Suite("A tap, its paywall, and a click that fails", .timeLimit(.minutes(1)))
struct LinkPaywallFailureTests {
    let phone = Phone()
    private let person = Person()

    @Test(
        "A click without an answer is waited for until 2.5 s after its tap, or until the deadline: then the earlier answer counts",
        arguments: [
            (URL.short, Duration.seconds(5), Duration.milliseconds(2_500)), (.campaign, .seconds(5), .milliseconds(2_500)),
            (.campaign, .seconds(1), .seconds(1)), (.campaign, .zero, .zero),
        ])
    func hanging(link: URL, limit: Duration, elapsed: Duration) async throws {
        let client = try await running()
        phone.serveClicks(of: person, after: .seconds(1_000)) { 2 }

        client.receive(link)
        async let shown = client.paywall(for: .onboarding, within: limit)
        if limit > .zero { await client.waitForCalls() }
        await phone.pass(.seconds(3))

        let result = try await shown
        #expect(result.paywall?.name == .default)
        #expect(result.elapsed.isAbout(elapsed))
        #expect(phone.plainRequests.isEmpty)
        // Its time is over: the next call does not wait for it.
        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        await client.shutdown()
    }

    @Test(
        "A placement without an answer is requested beside a late click, before the time limit")
    func neverAsked() async throws {
        let client = try await running()
        phone.serveClicks(of: person, after: .seconds(1_000), placement: "settings") { 2 }

        client.receive(.campaign)
        async let shown = client.paywall(for: "settings", within: .seconds(2))
        await client.waitForCalls()
        await phone.pass(.seconds(2))

        let result = try await shown
        #expect(result.paywall?.name == .default)
        #expect(result.origin == .matchingAudience)
        let questions = phone.server.requests("GET", WirePath.paywall(of: "settings"))
        #expect(questions.count { $0.url.query?.contains("audience=matching") == true } == 1)
        await client.shutdown()
    }

    @Test("While attribution is pending too, a certain answer is not requested again: the next would be as certain")
    func noLoop() async throws {
        try phone.answersLinks()
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.serveClicks(of: person, after: .seconds(1_000)) { 2 }
        let client = phone.linkApp { $0.preparing = ["other"] }
        client.start()
        await client.waitForProfile()
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .default)
        let questions = phone.plainRequests.count

        client.receive(.campaign)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(3))

        #expect(try await shown.elapsed.isAbout(.milliseconds(2_500)))
        #expect(phone.plainRequests.count == questions)
        await client.shutdown()
    }

    @Test("A click that is too late for one call counts for the next", arguments: [URL.short, .campaign])
    func late(link: URL) async throws {
        let client = try await running()
        phone.serveClicks(of: person, after: .seconds(3)) { 2 }

        client.receive(link)
        async let first = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(3))
        #expect(try await first.paywall?.name == .default)
        await client.waitForProfile { $0.version == 2 }

        #expect(try await client.paywall(for: .onboarding).paywall?.name == .summer)
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test("A failed click delays no call, and neither does its retry", arguments: [URL.short, .campaign])
    func failing(link: URL) async throws {
        let client = try await running()
        phone.serveClicks(of: person, after: .milliseconds(250)) { throw TransportError(.connectionFailed) }

        client.receive(link)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.milliseconds(500))

        #expect(try await shown.elapsed.isAbout(.milliseconds(250)))
        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("A click that waits behind others for a retry delays no call")
    func backOff() async throws {
        let client = try await running()
        phone.server.isOffline = true
        client.receive(.campaign)
        // Tried at once and after 1 s; then not before 2 s more, a fifth less or more.
        await phone.pass(.milliseconds(2_250))
        phone.server.isOffline = false
        phone.serveClicks(of: person, after: .seconds(1_000)) { 2 }

        client.receive(.long)

        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        #expect(phone.linkRequests.count == 2)
        await client.shutdown()
    }

    @Test("Offline no call waits, whether the phone knows it or finds out", arguments: [true, false], [URL.short, .campaign])
    func offline(isKnown: Bool, link: URL) async throws {
        let client = try await running()
        phone.server.isOffline = true
        if isKnown { client.networkPathChanged(isSatisfied: false, isDenied: true) }

        client.receive(link)
        let shown = try await phone.clock.run(upTo: .seconds(1)) { try await client.paywall(for: .onboarding, within: .seconds(5)) }

        #expect(shown.elapsed.isAbout(.zero))
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("With collection off no click is recorded, and no call waits for one")
    func off() async throws {
        let client = try await running()
        phone.serveClicks(of: person, after: .seconds(1_000)) { 2 }
        client.collection = .off

        client.receive(.campaign)

        #expect(try await client.paywall(for: .onboarding).elapsed == .zero)
        await client.shutdown()
    }

    @Test("A tap before the start is part of the first open: its answer goes before that of an earlier launch")
    func beforeStart() async throws {
        try await storeTargeted()
        let answer = try phone.streams()
        let client = phone.linkApp()

        client.receive(.campaign)
        // The app may ask for consent first: until the start nothing can leave.
        await phone.pass(.seconds(10))
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        // The second of this phone. Until the server has it time stands still: how long a busy machine takes for it does not count.
        await phone.waitForFirstOpen(count: 2)
        await client.waitForCalls()
        phone.clock.advance(by: .milliseconds(250))
        try answer.say([
            .profile(.anna(version: 3, attributionVersion: 2)), .attribution(.byLink), .paywall(.campaign(version: 3)), .end(.final),
        ])

        let result = try await shown
        #expect(result.paywall?.name == .summer)
        #expect(result.elapsed == .milliseconds(250))
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).links.count == 1)
        #expect(phone.linkRequests.isEmpty)
        #expect(phone.plainRequests.isEmpty)
        await client.shutdown()
    }

    @Test("The first open with a tap hangs: after 2.5 s the answer of an earlier launch counts")
    func beforeStartHanging() async throws {
        try await storeTargeted()
        phone.firstOpen { [phone] in try await phone.never() }
        phone.plain { [phone] _ in try await phone.never() }
        let client = phone.linkApp()

        client.receive(.campaign)
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.pass(.seconds(3))

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed.isAbout(.milliseconds(2_500)))
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

    /// An earlier launch of a user from Apple Ads, whose own paywall answers later launches at once.
    private func storeTargeted() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app()
        client.start()
        #expect(try await client.paywall(for: .onboarding).paywall?.name == .appleAds)
        await phone.filesHold { $0.contains("\"attributionVersion\":1") }
        await phone.storageHolds(.profile) { $0.contains("\"version\":2") }
        await client.shutdown()
    }
}
