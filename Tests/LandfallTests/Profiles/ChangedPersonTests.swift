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
            try await clock.sleep(until: clock.now.advanced(by: .seconds(9)))
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        try client.setAttributes(["tier": .string("gold")])
        let leaving = Task { try await client.logOut() }
        await phone.server.waitForRequests("POST", WirePath.logout)
        await phone.settle()
        let tries = sent.count

        #expect(try await phone.clock.run(upTo: .seconds(12)) { try await leaving.value }.id == "nobody")
        #expect(sent.count == tries)
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("A flush that hangs with an attribute is cancelled before the log-out is sent")
    func hanging() async throws {
        let client = try await annasClient()
        await phone.server.waitUntilIdle()
        phone.server.on("POST", WirePath.attributes) { [phone] _ in try await phone.never() }
        try client.setAttributes(["tier": .string("gold")])
        await phone.server.waitForRequests("POST", WirePath.attributes)
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        phone.server.on("POST", WirePath.logout) { [phone] _ in
            await phone.eventually { phone.server.openExchanges == 1 }
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }

        _ = try await client.logOut()

        #expect(sent.count == 2)
        await client.shutdown()
    }

    @Test("A change names the person for whom it was set; nobody while a call about the person has no answer")
    func named() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        try client.setAttributes(["tier": .string("gold")])
        let isLost = Locked(true)
        phone.server.on("POST", WirePath.logout) { _ in
            if isLost.withLock(\.self) { throw TransportError(.connectionFailed) }
            try client.setAttributes(["tier": .string("silver")])
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        await #expect(throws: LandfallError.self) { try await client.logOut() }
        try client.setAttributes(["tier": .string("lead")])
        #expect(waiting(client) == ["gold": 1, "lead": nil])

        isLost.withLock { $0 = false }
        _ = try await client.logOut()
        try client.setAttributes(["tier": .string("none")])

        #expect(waiting(client) == ["silver": nil, "none": 2])
        await client.shutdown()
    }

    /// The tiers that wait, with the epoch of their person.
    private func waiting(_ client: LandfallClient) -> [String: Int64?] {
        let changes = client.launch.outbox.pending.compactMap(\.attributeChanges)
        return Dictionary(
            changes.map { change in
                guard case .string(let tier)?? = change.attributes["tier"] else { return ("", change.epoch) }
                return (tier, change.epoch)
            }, uniquingKeysWith: { _, last in last })
    }

    @Test("A log-out that the server refuses leaves the person known")
    func refused() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        phone.server.on("POST", WirePath.logout) { _ in try .problem(400, .invalidValue) }

        let refusal = await #expect(throws: LandfallError.self) { try await client.logOut() }
        #expect(refusal?.kind == .refused(.invalidValue))
        try client.setAttributes(["tier": .string("gold")])

        #expect(waiting(client) == ["gold": 1])
        await client.shutdown()
    }

    @Test("After a call with an unclear end only a later epoch says who is here; an answer that was not stored never does")
    func knownPerson() {
        var person = KnownPerson()
        func shows(_ profile: WireProfile) -> Int64? {
            person.shown(profile)
            return person.epoch
        }

        #expect(shows(.anna(epoch: 3, version: 0)) == nil)
        #expect(shows(.anna(epoch: 3)) == 3)
        #expect(shows(.anna(epoch: 4)) == 4)
        person.isUnclear()
        #expect(person.epoch == nil)
        #expect(shows(.anna(epoch: 4, version: 9)) == nil)
        #expect(shows(.anna(epoch: 5, version: 0)) == nil)
        #expect(shows(.anna(epoch: 5)) == 5)
        // The second call may have changed the person again.
        person.isUnclear()
        person.isUnclear()
        #expect(shows(.anna(epoch: 6)) == nil)
    }

    @Test("After a log-out whose answer was lost, the next launch still names the person of then, and nobody before its first answer")
    func nextLaunch() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        phone.server.on("POST", WirePath.logout) { _ in throw TransportError(.connectionFailed) }
        try client.setAttributes(["tier": .string("gold")])
        await #expect(throws: LandfallError.self) { try await client.logOut() }
        await client.shutdown()

        let next = phone.app()
        try next.setAttributes(["tier": .string("none")])
        next.start()
        await phone.waitForFirstOpen(count: 2)

        let changes = try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).attributeChanges
        #expect(changes.map(\.epoch) == [1, nil])
        await next.shutdown()
    }

    @Test("Attributes that are set while a person is identified arrive afterwards, in their order")
    func order() async throws {
        let client = try await annasClient()
        let identified = Locked(false)
        phone.server.on("POST", WirePath.identify) { [phone] _ in
            await phone.eventually { identified.withLock(\.self) }
            return try .json(ProfileAnswer(profile: .anna(version: 2), attribution: .notAttributed))
        }
        // The event is answered after the person: a flush that began before goes on after.
        phone.server.on("POST", WirePath.events) { [phone] request in
            identified.withLock { $0 = true }
            await phone.eventually { client.profile?.version == 2 }
            await phone.settle()
            let batch = try WireCoding.decode(EventBatch.self, from: request.body ?? Data())
            return try .json(EventBatchAnswer(results: batch.events.map { .init(id: $0.id, status: .accepted) }))
        }
        phone.server.on("POST", WirePath.attributes) { _ in
            try .json(ProfileAnswer(profile: .anna(version: 3), attribution: .notAttributed))
        }
        let identifying = Task { try await client.identify("anna") }
        await phone.server.waitForRequests("POST", WirePath.identify)

        try client.setAttributes(["tier": .string("gold")])
        client.record("signed_up")
        try client.setAttributes(["tier": .string("platinum")])
        _ = try await identifying.value
        await phone.server.waitForRequests("POST", WirePath.attributes, count: 2)

        let tiers = try sent.map { try phone.sent(AttributeChanges.self, $0).attributes["tier"] }
        #expect(tiers == [.some(.string("gold")), .some(.string("platinum"))])
        await client.shutdown()
    }

    @Test("Two calls about the person are sent one after the other, in the order of asking")
    func turns() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.logout) { [clock = phone.clock] _ in
            try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        phone.server.on("POST", WirePath.identify) { _ in
            try .json(ProfileAnswer(profile: .anna(epoch: 3, id: "ben"), attribution: .notAttributed))
        }
        let leaving = Task { try await client.logOut() }
        await phone.server.waitForRequests("POST", WirePath.logout)
        let coming = Task { try await client.identify("ben") }
        await phone.settle()

        #expect(phone.server.requests("POST", WirePath.identify).isEmpty)
        #expect(try await phone.clock.run(upTo: .seconds(3)) { try await leaving.value }.id == "nobody")
        #expect(try await coming.value.id == "ben")
        #expect(client.profile?.id == "ben")
        await client.shutdown()
    }

    @Test("A first open that waits for the network with an attribute is cancelled before the log-out is sent, and the next one goes without it")
    func firstOpen() async throws {
        phone.firstOpen { [phone] in try await phone.never() }
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(503, .busy) }
        phone.server.on("POST", WirePath.logout) { [phone] _ in
            // The log-out itself, and the next first open.
            await phone.eventually { phone.firstOpenRequests.count == 2 && phone.server.openExchanges == 2 }
            return try .json(ProfileAnswer(profile: .anna(epoch: 2, id: "nobody"), attribution: .notAttributed))
        }
        let client = phone.app()
        try client.setAttributes(["tier": .string("gold")])
        client.start()
        await phone.waitForFirstOpen()

        _ = try await client.logOut()

        let carried = try phone.firstOpenRequests.map { try phone.sent(FirstOpenRequest.self, $0).attributeChanges.count }
        #expect(carried == [1, 0])
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("A person who is identified while the installation is forgotten is not identified for the next one")
    func forgottenMeanwhile() async throws {
        let client = try await annasClient()
        phone.server.on("POST", WirePath.logout) { [clock = phone.clock] _ in
            try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
            throw TransportError(.connectionFailed)
        }
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }
        let leaving = Task { try await client.logOut() }
        await phone.server.waitForRequests("POST", WirePath.logout)
        let coming = Task { try await client.identify("maya") }
        await phone.settle()
        try await client.forget()
        await phone.pass(.seconds(3))

        await #expect(throws: LandfallError.self) { try await leaving.value }
        await #expect(throws: LandfallError(.refused(.profileErased))) { try await coming.value }
        #expect(phone.server.requests("POST", WirePath.identify).isEmpty)
        await client.shutdown()
    }
}
