// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Attributes and a person who leaves", .timeLimit(.minutes(1)))
struct ChangedPersonTests {
    let phone = Phone()
    private var sent: [TransportRequest] { phone.server.requests("POST", WirePath.attributes) }

    private func annasClient() async throws -> LandfallClient {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        phone.server.on("POST", WirePath.logout) { _ in
            try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        let client = phone.app()
        client.start()
        _ = try await client.paywall(for: .onboarding)
        return client
    }

    @Test("What was set just before a log-out reaches the server before it")
    func before() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in
            try .json(ProfileAnswer(profile: .anna(version: 2), attribution: .notAttributed))
        }

        try client.setAttributes(["tier": .string("gold")])
        _ = try await client.logOut()

        let paths = phone.server.requests.map(\.url.path).filter { [WirePath.attributes, WirePath.logout].contains($0) }
        #expect(paths.first == WirePath.attributes && paths.contains(WirePath.logout))
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("What could not be sent is not applied to the next person")
    func leftOver() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        try client.setAttributes(["tier": .string("gold")])
        _ = try await client.logOut()
        let tries = sent.count

        phone.server.on("POST", WirePath.attributes) { _ in
            try .json(ProfileAnswer(profile: .anna(epoch: 2, version: 2, id: "nobody"), attribution: .notAttributed))
        }
        await phone.pass(.seconds(120), in: .seconds(1))
        #expect(sent.count == tries)

        try client.setAttributes(["tier": .string("none")])
        await phone.server.waitForRequests("POST", WirePath.attributes, count: tries + 1)
        #expect(try phone.sent(AttributeChanges.self, sent.last).attributes["tier"] == .some(.string("none")))
        await client.shutdown()
    }

    @Test("While a log-out is under way, no flush sends what was set before it")
    func meanwhile() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        phone.server.on("POST", WirePath.logout) { [clock = phone.clock] _ in
            try await clock.sleep(until: clock.now.advanced(by: .seconds(10)))
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        try client.setAttributes(["tier": .string("gold")])
        let leaving = Task { try await client.logOut() }
        await phone.server.waitForRequests("POST", WirePath.logout)
        await phone.settle()
        let tries = sent.count

        await phone.pass(.seconds(12))

        #expect(try await leaving.value.id == "nobody")
        #expect(sent.count == tries)
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("A flush that hangs with an attribute is cancelled before the log-out is sent")
    func hanging() async throws {
        let client = try await annasClient()
        await phone.settle()
        let open = phone.server.openExchanges
        phone.server.on("POST", WirePath.attributes) { [phone] _ in try await phone.never() }
        try client.setAttributes(["tier": .string("gold")])
        await phone.server.waitForRequests("POST", WirePath.attributes)
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }

        _ = try await client.logOut()

        await phone.eventually { phone.server.openExchanges == open }
        #expect(sent.count == 2)
        await client.shutdown()
    }
}
