// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The paywall of a first open", .timeLimit(.minutes(1)))
struct FirstOpenPaywallTests {
    let phone = Phone()

    @Test("Attributed in time: the targeted paywall, at once, with one request")
    func attributedInTime() async throws {
        let body = try phone.streams()
        let client = phone.app()
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        try body.say(.undecided)
        await client.waitForProfile()
        phone.clock.advance(by: .milliseconds(700))

        try body.say(.becomesTargeted)

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.origin == .matchingAudience)
        #expect(result.attribution == .appleAds)
        #expect(result.elapsed == .milliseconds(700))
        #expect(phone.server.requests.count == 1)
        await client.shutdown()
    }

    @Test("Organic and resolved: returns early, without waiting for the limit")
    func organicResolved() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForProfile()

        try body.say(.becomesOrganic)

        let result = try await shown
        #expect(result.paywall?.name == .default)
        #expect(result.attribution == .notAttributed)
        #expect(result.origin == .matchingAudience)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Pending for ever: what matches now, exactly at the deadline")
    func pendingForEver() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        await phone.clock.waitForSleeper()

        phone.clock.advance(by: .seconds(5))

        let result = try await shown.value
        #expect(result.paywall?.name == .default)
        #expect(result.origin == .defaultAudience)
        #expect(result.attribution == .pending)
        #expect(result.elapsed == .seconds(5))
        #expect(phone.server.requests.count == 1)
        await client.shutdown()
    }

    @Test("The next answer is due after the deadline: what matches now, at once")
    func nextAnswerTooLate() async throws {
        try phone.streams([
            .profile(.anna()), .attribution(.pending(nextAnswerNotBefore: 5_001)), .paywall(.untargeted(final: false)),
        ])
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Nothing at this placement depends on attribution: at once")
    func irrelevantPlacement() async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending), .paywall(.untargeted(final: true))])
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .default)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("Late by a little: the default now, the targeted one from the next launch's start")
    func lateByALittle() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await client.waitForProfile()
        await phone.clock.waitForSleeper()
        phone.clock.advance(by: .seconds(5))
        let first = try await shown.value
        client.recordExposure(of: first)

        try body.say(.becomesTargeted)
        await client.waitForProfile { $0.attribution == .appleAds }
        let again = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.filesHold { $0.contains("apple-ads-users") }
        await client.shutdown()

        #expect(first.paywall?.name == .default)
        #expect(again.paywall?.name == .default, "What was shown stays for the rest of the launch.")
        let next = phone.app()
        next.start()
        let upgraded = try await next.paywall(for: .onboarding, within: .seconds(5))
        #expect(upgraded.paywall?.name == .appleAds)
        #expect(upgraded.elapsed == .zero)
        await next.shutdown()
    }

    @Test("A shown paywall stays, even if a default that looked the same was shown before it")
    func lookalikes() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app { $0.fallback = .bundle }
        let everyone = try await client.defaultPaywall(for: .onboarding, within: .zero)
        let matching = try await client.paywall(for: .onboarding, within: .zero)

        client.recordExposure(of: everyone)
        client.recordExposure(of: matching)
        client.start()
        try body.say(.becomesTargeted)
        await client.waitForProfile { $0.attribution == .appleAds }

        #expect(everyone != matching)
        let again = try await client.paywall(for: .onboarding)
        #expect(again.paywall == matching.paywall)
        await client.shutdown()
    }

    @Test("A thousand callers at once make one request")
    func thousandCallers() async throws {
        let body = try phone.streams()
        let client = phone.app()
        client.start()
        let callers = (0..<1_000).map { _ in
            Task { try await client.paywall(for: .onboarding, within: .seconds(5)).paywall?.name }
        }
        await phone.waitForFirstOpen()
        try body.say(.undecided)
        try body.say(.becomesTargeted)

        for caller in callers { #expect(try await caller.value == .appleAds) }

        #expect(phone.server.requests.count == 1)
        #expect(client.runningOperations == 0)
        await client.shutdown()
    }

    @Test("Beside a stream that left late and says nothing, the plain call starts when the stream's own grace is over")
    func silentStream() async throws {
        try phone.streams()
        phone.plain { [phone] _ in try await phone.never() }
        let client = phone.app(tokens: ScriptedAdTokens(.hung))
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        await phone.settle()
        phone.clock.advance(by: .milliseconds(350))
        await phone.waitForFirstOpen()
        await phone.settle()
        phone.clock.advance(by: .milliseconds(999))
        await phone.settle()
        #expect(phone.plainRequests.isEmpty)

        phone.clock.advance(by: .milliseconds(1))
        await phone.waitForPlain()
        await phone.settle()

        #expect(phone.plainRequests.count == 1)
        shown.cancel()
        await client.shutdown()
    }

    @Test("A stream that dies without a word after its first lines: a plain call asks beside it, and has Apple's answer")
    func deadStream() async throws {
        try phone.streams(.undecided)
        phone.plain { _ in try .json(PaywallAnswer.targeted()) }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while client.runningOperations == 0, !Task.isCancelled { await Task.yield() }
        await phone.pass(.milliseconds(3_999))
        #expect(phone.plainRequests.isEmpty)

        await phone.pass(.milliseconds(1))

        #expect(try await shown.value.paywall?.name == .appleAds)
        #expect(phone.plainRequests.count == 1)
        await client.shutdown()
    }

    @Test(
        "An app that has waited by its own timer does not wait a second time: attribution counts from the activation",
        arguments: [(Duration.seconds(5), Duration.zero), (.seconds(3), .seconds(2)), (.seconds(8), .zero)])
    func ownTimer(timer: Duration, waited: Duration) async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { [phone] request in
            let query = request.url.query ?? ""
            if query.contains("audience=default") { return try .json(PaywallAnswer.everyone()) }
            return query.contains("after=-1") ? try .json(PaywallAnswer.untargeted(final: false)) : try await phone.never()
        }
        let client = phone.app(preparing: []) { $0.attributionLimit = .seconds(5) }
        client.start()
        let everyone = Task { try await client.defaultPaywall(for: .onboarding, within: .seconds(5)) }
        _ = try await everyone.value
        await phone.pass(timer)

        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        while phone.plainRequests.count < 2, !Task.isCancelled { await Task.yield() }
        await phone.pass(waited)

        let result = try await shown.value
        #expect(result.elapsed == waited)
        #expect(result.paywall?.name == .default)
        #expect(result.attribution.isPending)
        // The first open, the default, and the matching one: one more while the call still waits.
        #expect(phone.server.requests.count == (waited == .zero ? 3 : 4))
        await client.shutdown()
    }
}
