// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("How long a paywall took", .timeLimit(.minutes(1)))
struct ElapsedTests {
    let phone = Phone()

    init() { phone.takesEvents() }

    private static func result(_ elapsed: Duration) -> PaywallResult {
        PaywallResult(
            paywall: Paywall(name: .default, variationID: VariationID("v")), placement: .onboarding, audience: .everyone,
            origin: .bundled, attribution: .pending, elapsed: elapsed, revision: 1)
    }

    @Test("goes with the exposure, and with no decision")
    func told() async throws {
        let body = try phone.streams()
        let client = phone.app()
        client.start()
        let shown = Task { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        await phone.clock.waitForSleeper()
        phone.clock.advance(by: .milliseconds(800))
        try body.say(.profile(.anna()), .attribution(.notAttributed), .paywall(.assigned("B")), .end(.final))
        let result = try await shown.value

        client.recordExposure(of: result)
        await phone.pass(.seconds(2))

        #expect(result.elapsed >= .milliseconds(800))
        #expect(try phone.events.map(\.type) == [.paywallDecided, .paywallShown])
        #expect(try phone.events.map(\.elapsedMilliseconds) == [nil, Int64(result.elapsed / .milliseconds(1))])
        await client.shutdown()
    }

    @Test(
        "is from 0 to a day, whatever duration the app made up",
        arguments: [
            (.zero, 0), (.microseconds(999), 0), (.milliseconds(561), 561), (.seconds(-1), 0), (.seconds(86_401), 86_400_000),
            (.seconds(Int64.max), 86_400_000), (.seconds(Int64.min), 0),
        ] as [(Duration, Int64)])
    func bounded(elapsed: Duration, milliseconds: Int64) async throws {
        try phone.streams(.untargeted(final: true))
        let client = phone.app()
        client.start()

        client.recordExposure(of: Self.result(elapsed))
        await phone.pass(.seconds(2))

        #expect(try phone.events.map(\.elapsedMilliseconds) == [milliseconds])
        await client.shutdown()
    }

    @Test("is unknown for an exposure that an earlier release left in the file")
    func earlier() async throws {
        let line = #"{"acceptedAt":5,"body":{"ageMilliseconds":0,"id":"1","placement":"onboarding","type":"paywall_shown"},"kind":"event"}"#
        let outbox = Outbox(storage: MemoryStorage([.outbox: Data("\(line)\n".utf8)]), date: phone.clock.time.date) { _ in }
        try await outbox.open()
        try outbox.append(.event(Event(.paywallShown, of: Self.result(.seconds(2)), id: "2")))

        let events = outbox.pending.compactMap { item in if case .event(let event) = item { event } else { nil } }

        #expect(events.map(\.elapsedMilliseconds) == [nil, 2_000])
    }
}
