// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// On a phone whose first connection was bad the token came a second later to the server, and Apple's answer with it.
@Suite("A first failure, and when it is tried again", .timeLimit(.minutes(1)))
struct QuickRetryTests {
    private let phone = Phone()

    @Test("While somebody waits for a paywall, a token that did not arrive is sent again after a quarter of a second")
    func token() async throws {
        let tokens = ScriptedAdTokens(.held)
        let client = try await announced(tokens)
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()

        let pause = await pause(after: tokens)

        #expect(pause < .milliseconds(500))
        await client.shutdown()
        _ = try? await shown
    }

    @Test("If nobody waits, it is sent again after a second")
    func background() async throws {
        let tokens = ScriptedAdTokens(.held)
        let client = try await announced(tokens)

        #expect(await pause(after: tokens) >= .milliseconds(750))
        await client.shutdown()
    }

    @Test("While somebody waits for a paywall, a first open that another server answered is sent again after a quarter of a second")
    func firstOpen() async throws {
        phone.firstOpen { .stranger(200) }
        phone.plain { [phone] _ in try await phone.never() }
        let client = phone.app()
        async let shown = client.paywall(for: .onboarding, within: .seconds(5))
        await client.waitForCalls()
        client.start()
        await phone.waitForFirstOpen()

        let pause = await pause(before: 2, "POST", WirePath.firstOpen)

        #expect(pause < .milliseconds(500))
        await client.shutdown()
        _ = try? await shown
    }

    @Test("If a plain answer comes before the second stream's, the next question follows without that stream's grace")
    func overtaken() async throws {
        let begun = phone.clock.now, first = try phone.streams(), plain = ScriptedBody()
        phone.plain { _ in ScriptedAnswer(body: plain) }
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        await phone.pass(.milliseconds(1_200))
        await phone.waitForPlain()
        phone.firstOpen { [phone] in try await phone.never() }
        first.fail()
        while phone.firstOpenRequests.count < 2, !Task.isCancelled { await phone.pass(.milliseconds(50)) }

        phone.plain { [phone] _ in try await phone.never() }
        plain.send(try WireCoding.encode(PaywallAnswer.untargeted(final: false)))
        plain.finish()
        await phone.waitForPlain(count: 2)

        #expect(begun.duration(to: phone.clock.now) < .seconds(2), "The second stream's grace is not over.")
        shown.cancel()
        await client.shutdown()
    }

    /// A first open that has announced its token.
    private func announced(_ tokens: ScriptedAdTokens) async throws -> LandfallClient {
        try phone.streams(.undecided)
        let client = phone.app(tokens: tokens)
        client.start()
        await tokens.waitForAsks()
        await phone.pass(.milliseconds(350))
        await phone.waitForFirstOpen()
        await client.waitForProfile()
        return client
    }

    /// The token comes and does not arrive at the server: how much time passes until it is sent again.
    private func pause(after tokens: ScriptedAdTokens) async -> Duration {
        phone.server.on("POST", WirePath.adToken) { _ in throw TransportError(.connectionFailed) }
        tokens.release(.token("late"))
        await phone.server.waitForRequests("POST", WirePath.adToken)
        return await pause(before: 2, "POST", WirePath.adToken)
    }

    /// How much time passes until there are so many requests.
    private func pause(before count: Int, _ method: String, _ path: String) async -> Duration {
        let begun = phone.clock.now
        while phone.server.requests(method, path).count < count, !Task.isCancelled { await phone.pass(.milliseconds(50)) }
        return begun.duration(to: phone.clock.now)
    }
}
