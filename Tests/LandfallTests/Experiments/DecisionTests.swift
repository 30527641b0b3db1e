// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Decisions of experiments", .timeLimit(.minutes(1)))
struct DecisionTests {
    let phone = Phone()

    init() { phone.takesEvents() }

    @Test("Every variation reports its decision once, before the exposure; nothing is shown without one", arguments: ["A", "B", "C"] as [VariationName])
    func everyVariation(variation: VariationName) async throws {
        try phone.streams(.assigned(variation))
        let client = phone.app()
        client.start()

        let shown = try await client.paywall(for: .onboarding)
        client.recordExposure(of: shown)
        let again = try await client.paywall(for: .onboarding)
        client.recordExposure(of: again)
        await phone.pass(.seconds(2))

        let events = try phone.events
        let expected: [Event.Kind] = variation == "C" ? [.paywallDecided] : [.paywallDecided, .paywallShown, .paywallShown]
        #expect(events.map(\.type) == expected)
        #expect(events.allSatisfy { $0.assignment == .spring(variation) && $0.variationId == VariationID("spring-price:\(variation)") })
        #expect(events.first?.paywall == (variation == "C" ? nil : .default))
        #expect(events.first?.origin == "matchingAudience" && events.first?.revision == 7)
        #expect(shown.assignment == .spring(variation) && again.assignment == .spring(variation))
        #expect((shown.paywall == nil) == (variation == "C"))
        await client.shutdown()
    }

    @Test("Calls that return together report one decision")
    func together() async throws {
        let body = try phone.streams()
        let client = phone.app()
        client.start()

        async let calls = withThrowingTaskGroup(of: Assignment?.self) { group in
            for _ in 0..<8 { group.addTask { try await client.paywall(for: .onboarding).assignment } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await phone.waitForFirstOpen()
        try body.say(.profile(.anna()), .attribution(.notAttributed), .paywall(.assigned("B")), .end(.final))
        let assignments = try await calls
        await phone.pass(.seconds(2))

        #expect(assignments == Array(repeating: .spring("B"), count: 8))
        #expect(try phone.events.map(\.type) == [.paywallDecided])
        await client.shutdown()
    }

    @Test("A call whose deadline passes before the assignment is in no experiment; a later call is")
    func deadline() async throws {
        let body = try phone.streams()
        let client = phone.app { $0.fallback = .bundle }
        client.start()

        let late = try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        await phone.pass(.seconds(1))
        let before = try phone.events
        try body.say(.profile(.anna()), .attribution(.notAttributed), .paywall(.assigned("B")), .end(.final))
        await client.waitForProfile()
        let shown = try await client.paywall(for: .onboarding)
        await phone.pass(.seconds(2))

        #expect(late.origin == .bundled && late.assignment == nil)
        #expect(before.isEmpty)
        #expect(shown.assignment == .spring("B"))
        #expect(try phone.events.map(\.assignment) == [.spring("B")])
        await client.shutdown()
    }

    @Test("A placement that showed the bundled paywall keeps it for the launch, and reports no decision")
    func bundledStays() async throws {
        let body = try phone.streams()
        let client = phone.app { $0.fallback = .bundle }
        client.start()
        let late = try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(1)) }
        client.recordExposure(of: late)
        try body.say(.profile(.anna()), .attribution(.notAttributed), .paywall(.assigned("B")), .end(.final))
        await client.waitForProfile()

        let again = try await client.paywall(for: .onboarding)
        await phone.pass(.seconds(2))

        #expect(again.origin == .bundled && again.assignment == nil)
        #expect(try phone.events.map(\.type) == [.paywallShown])
        #expect(try phone.events.first?.assignment == nil)
        // How long the person waited.
        #expect(try phone.events.first?.elapsedMilliseconds == late.elapsed.wholeMilliseconds)
        await client.shutdown()
    }

    @Test("The answer for everyone is in no experiment")
    func everyone() async throws {
        try phone.streams()
        phone.plain { _ in
            var answer = PaywallAnswer.everyone()
            answer.assignment = .spring("B")
            return try .json(answer)
        }
        let client = phone.app()
        client.start()

        let shown = try await client.defaultPaywall(for: .onboarding)

        #expect(shown.paywall?.name == .default && shown.assignment == nil)
        #expect(!phone.text(of: .outbox).contains("paywall_decided"))
        await client.shutdown()
    }

    @Test("Decisions are sent in each mode but off", arguments: [(CollectionMode.full, 2), (.essential, 2), (.off, 0)])
    func modes(mode: CollectionMode, count: Int) async throws {
        try phone.streams(.assigned("B"))
        let client = phone.app { $0.collection = mode }
        client.start()

        let shown = try await client.paywall(for: .onboarding)
        client.recordExposure(of: shown)
        await phone.pass(.seconds(2))

        #expect(shown.assignment == .spring("B"))
        #expect(try phone.events.count == count)
        #expect(phone.text(of: .outbox).contains("paywall_decided") == (mode != .off))
        await client.shutdown()
    }

    @Test("A decision that collection dropped is reported by a call after collection is on again")
    func onAgain() async throws {
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.offline) }
        try phone.streams(.assigned("B"))
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        await phone.pass(.seconds(1))
        client.collection = .off
        await phone.pass(.seconds(1))
        let lost = Set(try phone.events.map(\.id))
        phone.takesEvents()
        client.collection = .full

        _ = try await client.paywall(for: .onboarding)
        client.enteredForeground()
        await phone.pass(.seconds(2))

        let arrived = try phone.events.filter { !lost.contains($0.id) }
        #expect(lost.count == 1)
        #expect(arrived.map(\.type) == [.paywallDecided] && arrived.first?.assignment == .spring("B"))
        await client.shutdown()
    }

    @Test("A later launch reports no second decision, and its exposure carries the assignment")
    func nextLaunch() async throws {
        try phone.streams(.assigned("B"))
        let first = phone.app()
        first.start()
        _ = try await first.paywall(for: .onboarding)
        await phone.pass(.seconds(2))
        await first.shutdown()
        let second = phone.app()
        second.start()

        second.recordExposure(of: try await second.paywall(for: .onboarding))
        await phone.pass(.seconds(2))

        #expect(try phone.events.map(\.type) == [.paywallDecided, .paywallShown])
        #expect(try phone.events.map(\.assignment) == [.spring("B"), .spring("B")])
        await second.shutdown()
    }

    @Test("A launch that was killed before it stored what it had reported leaves one decision")
    func killed() async throws {
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.offline) }
        try phone.streams(.assigned("B"))
        let first = phone.app()
        first.start()
        _ = try await first.paywall(for: .onboarding)
        await phone.outboxHolds("paywall_decided")
        await first.shutdown()
        try phone.storage.remove(.experiments)
        phone.takesEvents()
        let second = phone.app()
        second.start()

        let shown = try await second.paywall(for: .onboarding)
        await phone.pass(.seconds(2))

        #expect(shown.assignment == .spring("B"))
        #expect(Set(try phone.events.filter { $0.type == .paywallDecided }.map(\.id)).count == 1)
        await second.shutdown()
    }

    @Test("A decision that waits offline arrives before its exposure in a later launch")
    func offline() async throws {
        try phone.streams(.assigned("B"))
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.offline) }
        let first = phone.app()
        first.start()
        first.recordExposure(of: try await first.paywall(for: .onboarding))
        await phone.outboxHolds("paywall_decided")
        await first.shutdown()
        phone.takesEvents()
        let asked = phone.server.requests("POST", WirePath.events).count
        let second = phone.app()
        second.start()

        await phone.pass(.seconds(2))

        let arrived = try phone.server.requests("POST", WirePath.events).dropFirst(asked)
            .flatMap { try phone.sent(EventBatch.self, $0).events }
        #expect(arrived.map(\.type) == [.paywallDecided, .paywallShown])
        await second.shutdown()
    }
}
