// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("How a call joins what is under way", .timeLimit(.minutes(1)))
struct JoiningTests {
    let phone = Phone()

    @Test("Nothing prepared: a call right after start is part of the first open")
    func ridesInTheFirstOpen() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app(preparing: [])
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .appleAds)
        #expect(phone.server.requests.count == 1)
        await client.shutdown()
    }

    @Test("A placement that is not in the stream: one call for the present match, then one held call")
    func plainThenHeld() async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        let client = phone.app(preparing: ["other"])
        client.start()
        await client.waitForProfile()
        let held = ScriptedBody()
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { request in
            if request.url.query?.contains("after=-1") == true { return try .json(PaywallAnswer.untargeted(final: false)) }
            return ScriptedAnswer(body: held)
        }

        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForPlain(count: 2)
        held.send(try WireCoding.encode(PaywallAnswer.targeted()))
        held.finish()

        #expect(try await shown.paywall?.name == .appleAds)
        let queries = phone.plainRequests.map { $0.url.query ?? "" }
        #expect(queries.map { $0.contains("wait=5000") } == [true, true])
        #expect(queries.last?.contains("after=1") == true)
        await client.shutdown()
    }

    @Test("A server that does not hold is not asked in a loop")
    func noLoop() async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: false)) }
        let client = phone.app(preparing: ["other"])
        client.start()
        await client.waitForProfile()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForPlain(count: 2)

        await phone.pass(.seconds(5))

        #expect(try await shown.value.origin == .defaultAudience)
        #expect(phone.plainRequests.count <= 5)
        await client.shutdown()
    }

    @Test("If the profile changed before the answer came, the SDK asks again at once")
    func overtaken() async throws {
        let body = try phone.streams([.profile(.anna()), .attribution(.pending)])
        let client = phone.app(preparing: ["other"])
        client.start()
        await client.waitForProfile()
        let slow = ScriptedBody()
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { [count = phone.server.requests.count] _ in
            if phone.server.requests.count > count + 1 { return try .json(PaywallAnswer.targeted()) }
            return ScriptedAnswer(body: slow)
        }
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForPlain()

        try body.say(.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds))
        await client.waitForProfile { $0.attribution == .appleAds }
        slow.send(try WireCoding.encode(PaywallAnswer.untargeted(final: true)))
        slow.finish()

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("A final answer is certain as soon as the stream has said that nothing is pending")
    func finalBeforeTheStream() async throws {
        let tokens = ScriptedAdTokens(.token("token"))
        let body = try phone.streams()
        let held = ScriptedBody()
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { request in
            if request.url.query?.contains("after=-1") == true { return try .json(PaywallAnswer.targeted()) }
            return ScriptedAnswer(body: held)
        }
        let client = phone.app(tokens: tokens, preparing: ["other"])
        client.start()
        await phone.waitForFirstOpen()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForPlain(count: 2)

        try body.say(.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds))

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("A change of the profile ends the pause after a hold that brought no change")
    func newsEndsPause() async throws {
        let body = try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.plain { [answers = phone.server] _ in
            let isFirst = answers.requests("GET", WirePath.paywall(of: .onboarding)).count < 3
            return try .json(isFirst ? PaywallAnswer.untargeted(final: false) : .targeted())
        }
        let client = phone.app(preparing: ["other"])
        client.start()
        await client.waitForProfile()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await phone.waitForPlain(count: 2)
        await phone.settle()

        try body.say(.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds))

        let result = try await shown
        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .zero)
        await client.shutdown()
    }

    @Test("What was prepared answers later calls without a request")
    func prepared() async throws {
        try phone.streams(.undecided + .becomesTargeted)
        let client = phone.app()
        client.start()
        await client.waitForProfile { $0.attribution == .appleAds }
        await phone.pass(.seconds(60))

        let result = try await client.paywall(for: .onboarding, within: .seconds(5), locale: "en_us")

        #expect(result.paywall?.name == .appleAds)
        #expect(result.elapsed == .zero)
        #expect(phone.server.requests.count == 1)
        await client.shutdown()
    }

    @Test(
        "Cache policies",
        arguments: [
            (CachePolicy.returnCacheElseLoad, true), (.returnCacheIfNotExpired(maxAge: .seconds(61)), true),
            (.returnCacheIfNotExpired(maxAge: .seconds(60)), false), (.reload, false),
        ])
    func policies(policy: CachePolicy, answersFromCache: Bool) async throws {
        phone.plain { _ in try .json(PaywallAnswer.everyone()) }
        try phone.streams()
        let before = phone.app()
        before.start()
        _ = try await before.defaultPaywall(for: .onboarding)
        await phone.filesHold { $0.contains("default") }
        await before.shutdown()
        phone.clock.advance(by: .seconds(60))
        // A newer answer may be faster than the files, and would be as right.
        let phone = phone
        if answersFromCache { phone.plain { _ in try await phone.never() } }
        let client = phone.app()
        client.start()

        let result = try await client.defaultPaywall(for: .onboarding, cache: policy)

        #expect(result.origin == (answersFromCache ? .cache(age: .seconds(60)) : .defaultAudience))
        await client.shutdown()
    }
}
