// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("An app with a timer of its own", .timeLimit(.minutes(1)))
struct OwnTimerTests {
    private let phone = Phone()

    /// Apple is silent, and the server knows everyone's paywall.
    private func app(_ change: (inout LandfallConfiguration) -> Void = { _ in }) throws -> LandfallClient {
        try phone.streams(.undecided)
        phone.server.on("GET", WirePath.paywall(of: .onboarding)) { [phone] request in
            let query = request.url.query ?? ""
            if query.contains("audience=default") { return try .json(PaywallAnswer.everyone()) }
            return query.contains("after=-1") ? try .json(PaywallAnswer.untargeted(final: false)) : try await phone.never()
        }
        return phone.app {
            $0.attributionLimit = .seconds(5)
            $0.ownTimer = .seconds(3)
            change(&$0)
        }
    }

    private func elapsed(_ client: LandfallClient, within limit: Duration = .seconds(10)) async throws -> Duration {
        try await phone.clock.run { try await client.paywall(for: .onboarding, within: limit).elapsed }
    }

    @Test(
        "A call waits for attribution if it comes before the shortest timer is over, and not if it comes then or later",
        arguments: [(Duration.zero, Duration.seconds(5)), (.milliseconds(2_900), .milliseconds(2_100)), (.seconds(3), .zero), (.seconds(4), .zero)])
    func asked(at time: Duration, waits: Duration) async throws {
        let client = try app()
        client.start()
        await client.waitForProfile()
        await phone.pass(time)

        #expect(try await elapsed(client) == waits)
        await client.shutdown()
    }

    @Test("The timer counts from the moment at which the app is visible: a launch ahead of time is not its beginning")
    func prewarmed() async throws {
        let client = try app { $0.opensOnActivation = true }
        client.start()
        await phone.pass(.seconds(3_600), in: .seconds(600))

        client.enteredForeground()
        await client.waitForProfile()

        #expect(try await elapsed(client) == .seconds(5))
        await client.shutdown()
    }

    @Test("A view that repeats its call while it appears gives nothing up")
    func restartedView() async throws {
        let client = try app()
        client.start()
        await client.waitForProfile()
        try await giveUp(client, after: .milliseconds(50))

        #expect(try await elapsed(client) == .milliseconds(4_950))
        await client.shutdown()
    }

    @Test(
        "The call that follows gets the best available paywall; a later one waits again, as does every call without a timer",
        arguments: [
            (Duration.seconds(3), Duration.zero, Duration.zero), (.seconds(3), .seconds(1), .zero),
            (.seconds(3), .milliseconds(1_001), .milliseconds(2_499)), (nil, .zero, .milliseconds(3_500)),
        ] as [(Duration?, Duration, Duration)])
    func followUp(timer: Duration?, pause: Duration, waits: Duration) async throws {
        let client = try app { $0.ownTimer = timer }
        client.start()
        await client.waitForProfile()
        try await giveUp(client, after: .milliseconds(1_500))
        await phone.pass(pause)

        #expect(try await elapsed(client) == waits)
        await client.shutdown()
    }

    @Test("A change of attributes is awaited by the call that follows too")
    func change() async throws {
        let client = try app()
        client.start()
        await client.waitForProfile()
        phone.server.on("POST", WirePath.attributes) { [phone] _ in
            try await phone.clock.sleep(until: phone.clock.now.advanced(by: .milliseconds(250)))
            return try .json(ProfileAnswer(profile: .anna(version: 2), attribution: .pending))
        }
        try await giveUp(client, after: .seconds(2))

        try client.setAttributes(["plan": "pro"])

        #expect(try await elapsed(client) >= .milliseconds(250))
        await client.shutdown()
    }

    private func giveUp(_ client: LandfallClient, after time: Duration) async throws {
        let call = Task { try await client.paywall(for: .onboarding, within: .seconds(10)) }
        await client.waitForCalls()
        await phone.pass(time)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
