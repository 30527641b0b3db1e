// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A launch that is not visible yet", .timeLimit(.minutes(1)))
struct ActivationTests {
    let phone = Phone()
    let tokens = ScriptedAdTokens(.token("token-1"))

    @Test("is not an open: it requests no token and sends nothing until the app is visible, hours later")
    func gate() async throws {
        try phone.streams(.undecided)
        let client = phone.app(tokens: tokens) { $0.opensOnActivation = true }
        client.start()

        await phone.pass(.seconds(2))
        phone.clock.advance(by: .seconds(3 * 3600))
        await phone.settle()
        #expect(phone.server.requests.isEmpty)
        #expect(tokens.askCount == 0)

        client.enteredForeground()
        await phone.waitForFirstOpen()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).adToken == .value("token-1"))
        await client.shutdown()
    }

    @Test("is an open once, however often the app comes to the foreground")
    func once() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app(tokens: tokens) { $0.opensOnActivation = true }
        client.enteredForeground()
        client.start()
        client.enteredForeground()
        await phone.waitForFirstOpen()

        client.enteredForeground()
        try body.say(.becomesOrganic)
        await client.waitForProfile { $0.attribution == .notAttributed }
        client.enteredForeground()
        await phone.settle()

        #expect(phone.firstOpenRequests.count == 1)
        #expect(tokens.askCount == 1)
        await client.shutdown()
    }

    @Test("still answers calls for a paywall before their deadlines")
    func call() async throws {
        phone.plain { kind in try .json(kind == .default ? PaywallAnswer.everyone() : .untargeted(final: true)) }
        let client = phone.app(tokens: tokens) { $0.opensOnActivation = true }
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(2)) }

        await phone.pass(.seconds(2))

        let result = try await phone.clock.run(upTo: .seconds(2)) { try await shown.value }
        #expect(result.paywall?.name == .default)
        #expect(phone.firstOpenRequests.isEmpty)
        await client.shutdown()
    }

    @Test("uses none of the launches that send a fresh token after one that brought no attribution")
    func freshTokens() async throws {
        try phone.streams([.profile(.anna()), .attribution(.unavailable(.notFound)), .end(.final)])
        let first = phone.app(tokens: tokens)
        first.start()
        await first.waitForProfile { $0.attribution == .unavailable(.notFound) }
        await phone.storageHolds(.profile) { $0.contains("freshTokenLaunchesLeft") }
        await first.shutdown()
        let before = phone.storage.files[.profile]

        let background = phone.app(tokens: tokens) { $0.opensOnActivation = true }
        background.start()
        await background.waitForProfile()
        await phone.settle()

        #expect(before != nil)
        #expect(phone.storage.files[.profile] == before)
        #expect(tokens.askCount == 1)
        await background.shutdown()
    }
}
