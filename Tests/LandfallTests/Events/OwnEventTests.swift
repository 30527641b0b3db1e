// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Own events", .timeLimit(.minutes(1)))
struct OwnEventTests {
    let clock = ManualClock()
    let server: ScriptedServer
    let log = LogNotebook()

    init() {
        server = ScriptedServer(clock: clock)
        server.shows("default", at: "onboarding")
        server.userIsOrganic()
    }

    private func client(storage: MemoryStorage = MemoryStorage(), mode: CollectionMode? = nil) -> LandfallClient {
        server.client(preparing: ["onboarding"], storage: storage) { [log] configuration in
            configuration.log = { log.note($0) }
            if let mode { configuration.collection = mode }
        }
    }

    @Test("reach the server as they were recorded, in order, with exact decimals")
    func sent() async throws {
        let landfall = client()
        landfall.start()

        landfall.record("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year", "seats": 3, "gift": true])
        landfall.record("onboarding_done")
        landfall.record("score", value: 0.1 + 0.2)
        try await clock.run { [server] in await server.waitForEvents(3) }

        #expect(
            server.events == [
                RecordedEvent("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year", "seats": 3, "gift": true]),
                RecordedEvent("onboarding_done"),
                RecordedEvent("score", value: 0.3),
            ])
        #expect(server.exposures.isEmpty)
        await landfall.shutdown()
    }

    @Test("wait for the network across launches")
    func offline() async throws {
        let storage = MemoryStorage()
        server.isOffline = true
        let first = client(storage: storage)
        first.start()
        first.record("onboarding_done")
        await first.shutdown()

        server.isOffline = false
        let second = client(storage: storage)
        second.start()
        try await clock.run { [server] in await server.waitForEvents() }

        #expect(server.events.map(\.type) == ["onboarding_done"])
        await second.shutdown()
    }

    @Test(
        "that no server would take are not kept, and the log says why",
        arguments: [
            ("Trial started", nil, nil, [:], "'Trial started' must have 1 to 64 of [a-z0-9_.]"),
            ("paywall_shown", nil, nil, [:], "are recorded by the SDK itself"),
            ("trial", 1_000_000_000_000, nil, [:], "The value is not a number"),
            ("trial", .nan, nil, [:], "The value is not a number"),
            ("trial", 1, "euro", [:], "The currency 'euro'"),
            ("trial", nil, "EUR", [:], "a currency and no value"),
            ("trial", nil, nil, ["a b": 1], "The name of the property 'a b'"),
            ("trial", nil, nil, ["a": .string(String(repeating: "x", count: 257))], "The value of the property 'a'"),
            ("trial", nil, nil, ["a": .string("e" + String(repeating: "\u{301}", count: 120))], "The value of the property 'a'"),
        ] as [(String, Decimal?, String?, [String: AttributeValue], String)])
    func refused(type: String, value: Decimal?, currency: String?, properties: [String: AttributeValue], text: String) async throws {
        let landfall = client()
        landfall.start()

        landfall.record(type, value: value, currency: currency, properties: properties)
        landfall.record("good")
        try await clock.run { [server] in await server.waitForEvents() }

        #expect(server.events.map(\.type) == ["good"])
        #expect(log.count(text) == 1, "\(log.texts)")
        await landfall.shutdown()
    }

    @Test(
        "are sent in full collection alone; exposures also in essential",
        arguments: [(CollectionMode.full, 1, 1), (.essential, 0, 1), (.off, 0, 0)])
    func modes(mode: CollectionMode, events: Int, exposures: Int) async throws {
        let landfall = client(mode: mode)
        landfall.start()
        let shown = try await clock.run { try await landfall.paywall(for: "onboarding") }

        landfall.record("onboarding_done")
        landfall.recordExposure(of: shown)
        try await clock.run { [server] in await server.waitForExposures(exposures) }
        await landfall.shutdown()

        #expect((server.events.count, server.exposures.count) == (events, exposures))
    }

    @Test("that wait are dropped when collection becomes essential; exposures stay")
    func dropped() async throws {
        let storage = MemoryStorage()
        let first = client(storage: storage)
        first.start()
        let shown = try await clock.run { try await first.paywall(for: "onboarding") }
        server.isOffline = true
        first.record("onboarding_done")
        first.recordExposure(of: shown)

        first.collection = .essential
        // A request that is under way finds no network either.
        await first.shutdown()
        server.isOffline = false
        let second = client(storage: storage)
        second.start()
        try await clock.run { [server] in await server.waitForExposures() }

        #expect(server.events.isEmpty)
        await second.shutdown()
    }
}
