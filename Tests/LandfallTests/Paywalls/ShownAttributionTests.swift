// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// What a result says of where the person came from belongs to the answer that it shows.
@Suite("The attribution and the origin of a shown paywall", .timeLimit(.minutes(1)))
struct ShownAttributionTests {
    private let phone = Phone()

    @Test("If the plain call overtakes a silent stream, they are those of the plain answer")
    func overtaken() async throws {
        let client = try await overtaking(.targeted(), .appleAds)

        let result = try await shown(client)

        #expect(result.paywall?.name == .appleAds)
        #expect(result.attribution == .appleAds)
        #expect(result.origin == .matchingAudience)
        #expect(client.attribution == .pending, "The stream has said nothing yet.")
        await client.shutdown()
    }

    @Test("The same is true for a person whom no ad brought")
    func organic() async throws {
        let client = try await overtaking(.untargeted(final: true, version: 2, attributionVersion: 1), .notAttributed)

        let result = try await shown(client)

        #expect(result.attribution == .notAttributed)
        #expect(result.origin == .matchingAudience)
        await client.shutdown()
    }

    @Test("The exposure carries that origin, and explain() that attribution")
    func carried() async throws {
        let client = try await overtaking(.untargeted(final: true, version: 2, attributionVersion: 1), .notAttributed)
        let result = try await shown(client)

        client.recordExposure(of: result)

        let rungs = try #require(client.explain().placements.first).rungs
        #expect(rungs.first { $0.name == "shown" }?.attribution == "not attributed (organic)")
        #expect(rungs.first { $0.name == "matching" }?.attribution == "not attributed (organic)")
        #expect(phone.text(of: .outbox).contains(#""origin":"matchingAudience""#))
        await client.shutdown()
    }

    @Test("If the server does not say them, they are what the phone knows")
    func earlierServer() async throws {
        let client = try await overtaking(.targeted(), nil)

        #expect(try await shown(client).attribution == .pending)
        await client.shutdown()
    }

    @Test("An answer that is shown at the deadline says what was known when it was given, not what has become known since")
    func older() async throws {
        let body = try phone.streams(.undecided)
        phone.plain { [phone] _ in try await phone.never() }
        let client = phone.app()
        client.start()
        async let waiting = client.paywall(for: .onboarding, within: .seconds(2))
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        await client.waitForProfile()
        try body.say(.profile(.anna(version: 2, attributionVersion: 1)), .attribution(.appleAds))
        await client.waitForProfile { $0.version == 2 }
        await phone.pass(.seconds(2))

        let result = try await waiting
        #expect(result.paywall?.name == .default)
        #expect(result.attribution == .pending)
        #expect(result.origin == .defaultAudience)
        await client.shutdown()
    }

    @Test("A placement that has shown a paywall repeats what it said then")
    func pinned() async throws {
        let body = try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        let first = Task { try await client.paywall(for: .onboarding, within: .zero) }
        client.recordExposure(of: try await first.value)
        try body.say(.becomesTargeted)
        await client.waitForProfile { $0.version == 2 }

        let again = try await client.paywall(for: .onboarding)

        #expect(again.paywall?.name == .default)
        #expect(again.attribution == .pending)
        await client.shutdown()
    }

    /// The stream is silent, and the plain call answers after its grace.
    private func overtaking(_ answer: PaywallAnswer, _ attribution: LandfallWire.Attribution?) async throws -> LandfallClient {
        try phone.streams()
        phone.plain { _ in
            var answer = answer
            answer.attribution = attribution
            return try .json(answer)
        }
        let client = phone.app()
        client.start()
        return client
    }

    private func shown(_ client: LandfallClient) async throws -> PaywallResult {
        let call = Task { try await client.paywall(for: .onboarding, within: .seconds(4)) }
        await client.waitForCalls()
        await phone.waitForFirstOpen()
        await phone.pass(.seconds(1))
        let result = try await call.value
        #expect(phone.plainRequests.contains { $0.url.query?.contains("attribution=true") == true })
        return result
    }
}
