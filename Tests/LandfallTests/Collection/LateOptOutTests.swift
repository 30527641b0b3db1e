// SPDX-License-Identifier: Apache-2.0
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("An opt-out while something is accepted or sent", .timeLimit(.minutes(1)))
struct LateOptOutTests {
    let phone = Phone()

    @Test(
        "What the new mode does not allow is neither sent nor kept",
        arguments: [(CollectionMode.full, ["own", "shown"]), (.essential, ["shown"]), (.off, [])])
    func late(mode: CollectionMode, sent: [String]) async throws {
        try phone.streams(.becomesOrganic)
        phone.takesEvents()
        let client = phone.app()
        client.start()
        let shown = try await client.paywall(for: .onboarding)
        await phone.settle()
        client.collection = mode

        // As callers do that looked at the mode before it changed.
        let outbox = client.launch.outbox
        try outbox.append(.event(Event(id: "own", type: Event.Kind("trial_started"), ageMilliseconds: 0)))
        try outbox.append(.event(Event(.paywallShown, of: shown, id: "shown")))
        client.launch.change { $0.outbox.hasItems = true }
        await phone.pass(.seconds(2))

        #expect(try phone.events.map(\.id) == sent)
        #expect(outbox.pending.isEmpty)
        await client.shutdown()
    }

    @Test("A first open that waits for the network is cancelled, and another one says what the new mode allows", arguments: [CollectionMode.essential, .off])
    func firstOpen(mode: CollectionMode) async throws {
        phone.firstOpen { [phone] in try await phone.never() }
        let client = phone.app()
        client.start()
        await phone.waitForFirstOpen()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).device.osVersion == "26.1.0")

        client.collection = mode
        await phone.waitForFirstOpen(count: 2)
        await phone.eventually { phone.server.openExchanges == 1 }

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).device.osVersion == nil)
        await phone.pass(.seconds(10))
        #expect(phone.firstOpenRequests.count == 2)
        await client.shutdown()
    }

    @Test("A token on its way is cancelled, and none is sent later")
    func token() async throws {
        let tokens = ScriptedAdTokens(.held)
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.server.on("POST", WirePath.adToken) { [phone] _ in try await phone.never() }
        let client = phone.app(tokens: tokens)
        client.start()
        await phone.pass(.seconds(1))
        tokens.release(.token("token-1"))
        await phone.server.waitForRequests("POST", WirePath.adToken)
        #expect(phone.server.openExchanges == 2)

        client.collection = .essential
        await phone.eventually { phone.server.openExchanges == 1 }
        await phone.pass(.seconds(30))

        #expect(phone.server.requests("POST", WirePath.adToken).count == 1)
        await client.shutdown()
    }

    @Test("Events on their way are cancelled, and dropped")
    func events() async throws {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        phone.server.on("POST", WirePath.events) { [phone] _ in try await phone.never() }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        client.record("signed_up")
        await phone.server.waitForRequests("POST", WirePath.events)

        client.collection = .off
        await phone.eventually { phone.server.openExchanges == 0 }
        await phone.pass(.seconds(30))

        #expect(phone.server.requests("POST", WirePath.events).count == 1)
        #expect(client.launch.outbox.pending.isEmpty)
        await client.shutdown()
    }
}
