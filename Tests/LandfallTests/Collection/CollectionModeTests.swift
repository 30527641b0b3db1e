// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Collection modes", .timeLimit(.minutes(1)))
struct CollectionModeTests {
    var phone = Phone()

    init() { phone.deviceIDs = MemoryDeviceIDs("device-1") }

    @Test("The first open's content in each mode", arguments: [CollectionMode.full, .essential, .off])
    func firstOpen(mode: CollectionMode) async throws {
        try phone.streams([.profile(.anna()), .attribution(.unavailable(.collectionOff)), .paywall(.untargeted(final: true))])
        let client = phone.app(tokens: ScriptedAdTokens(.token("t"))) { $0.collection = mode }
        client.start()

        let result = try await client.paywall(for: .onboarding)

        let request = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first)
        #expect(result.paywall?.name == .default, "Paywalls work in every mode.")
        #expect(request.adToken == (mode == .full ? .value("t") : .none(.collectionOff)))
        #expect(request.device.deviceId == (mode == .full ? "device-1" : nil))
        #expect(request.device.osVersion == (mode == .full ? "26.1.0" : nil))
        #expect(request.device.appVersion == "1.2.0")
        await client.shutdown()
    }

    @Test("A call for a paywall names the device only where the first open does", arguments: [CollectionMode.full, .essential, .off])
    func call(mode: CollectionMode) async throws {
        try phone.streams([.profile(.anna()), .attribution(.pending)])
        phone.plain { _ in try .json(PaywallAnswer.untargeted(final: true)) }
        let client = phone.app(preparing: ["other"]) { $0.collection = mode }
        client.start()
        await client.waitForProfile()

        let call = Task { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        await phone.waitForPlain()

        let sent = phone.server.requests.compactMap { $0.headers["landfall-device"] }
        #expect(Set(sent) == (mode == .full ? ["device-1"] : []))
        call.cancel()
        await client.shutdown()
    }

    @Test(
        "Off: exposures are neither sent nor kept; otherwise each result counts once",
        arguments: [
            (CollectionMode.full, 1), (.essential, 1), (.off, 0),
        ])
    func exposures(mode: CollectionMode, count: Int) async throws {
        phone.server.on("POST", WirePath.events) { request in
            let batch = try WireCoding.decode(EventBatch.self, from: request.body ?? .init())
            return try .json(EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) }))
        }
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        let client = phone.app { $0.collection = mode }
        client.start()
        let result = try await client.paywall(for: .onboarding)

        client.recordExposure(of: result)
        client.recordExposure(of: result)
        await phone.server.waitForRequests("POST", WirePath.events, count: count)
        await phone.settle()

        let events = try phone.server.requests("POST", WirePath.events).flatMap { try phone.sent(EventBatch.self, $0).events }
        #expect(events.count == count)
        #expect(
            events.allSatisfy { $0.type == .paywallShown && $0.placement == .onboarding && $0.origin == "matchingAudience" })
        await client.shutdown()
    }

    @Test("The mode is kept for the next launch; a mode that is set before start wins")
    func persisted() async throws {
        try phone.streams(.undecided)
        let first = phone.app()
        first.start()
        await first.waitForProfile()
        first.collection = .essential
        await phone.storageHolds(.profile) { $0.contains("essential") }
        await first.shutdown()

        let second = phone.app()
        second.start()
        await second.waitForProfile()
        #expect(second.collection == .essential)
        await second.shutdown()

        let third = phone.app()
        third.collection = .off
        third.start()
        await phone.storageHolds(.profile) { $0.contains("\"off\"") }
        #expect(third.collection == .off)
        await third.shutdown()
    }
}
