// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Calls that wait until something has reached the server", .timeLimit(.minutes(1)))
struct SendingTests {
    private let phone = Phone()

    @Test("setAttributes(within:) returns when the server has them, and the profile has them then")
    func attributes() async throws {
        let client = try await running()
        let answer = ScriptedBody()
        phone.server.on("POST", WirePath.attributes) { _ in ScriptedAnswer(body: answer) }
        async let setting: Void = client.setAttributes(["plan": "pro"], within: .seconds(5))
        await answer.waitForReader()
        #expect(client.profile?.customAttributes.isEmpty == true)

        answer.send(
            try WireCoding.encode(ProfileAnswer(profile: .anna(version: 2).with(plan: "pro"), attribution: .notAttributed)))
        answer.finish()

        try await setting
        #expect(client.profile?.customAttributes == ["plan": "pro"])
        await client.shutdown()
    }

    @Test("Attributes that go with the first open are waited for as well")
    func firstOpen() async throws {
        let body = try phone.streams()
        let client = phone.app()
        async let setting: Void = client.setAttributes(["plan": "pro"], within: .seconds(5))
        await client.waitForCalls()
        client.start()
        await phone.waitForFirstOpen()
        try body.say(.profile(.anna(version: 2).with(plan: "pro")), .attribution(.notAttributed), .end(.final))

        try await setting
        #expect(client.profile?.customAttributes == ["plan": "pro"])
        #expect(phone.server.requests("POST", WirePath.attributes).isEmpty)
        await client.shutdown()
    }

    @Test("An item that the server refuses for good is an error that says so, and is dropped")
    func refused() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.attributes) { _ in try .problem(400, .invalidValue) }

        let error = await #expect(throws: LandfallError.self) {
            try await client.setAttributes(["plan": "pro"], within: .seconds(5))
        }

        #expect(error?.kind == .refused(.invalidValue))
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("Attributes outside their limits are an error at once, and nothing is accepted")
    func invalid() async throws {
        let client = try await running()

        let error = await #expect(throws: LandfallError.self) {
            try await client.setAttributes(["ключ": 1], within: .seconds(5))
        }

        #expect(error?.kind == .invalidArgument)
        #expect(client.explain().queue.attributeChanges == 0)
        await client.shutdown()
    }

    @Test("Without a network the error comes at once, and what waits stays")
    func offline() async throws {
        let client = try await running()
        phone.server.isOffline = true

        let error = await #expect(throws: LandfallError.self) {
            try await client.setAttributes(["plan": "pro"], within: .seconds(5))
        }

        #expect(error?.kind == .network(TransportError(.offline)))
        #expect(client.explain().queue.attributeChanges == 1)
        await client.shutdown()
    }

    @Test("A refused connection is tried again within the time, for the last time in its last quarter")
    func repeated() async throws {
        let client = try await running()
        let begun = phone.clock.now
        phone.server.on("POST", WirePath.attributes) { [clock = phone.clock] _ in
            guard begun.duration(to: clock.now) >= .milliseconds(3_900) else { throw TransportError(.connectionFailed) }
            return try .json(ProfileAnswer(profile: .anna(version: 2).with(plan: "pro"), attribution: .notAttributed))
        }
        async let setting: Void = client.setAttributes(["plan": "pro"], within: .seconds(5))
        await client.waitForCalls()

        await phone.pass(.seconds(5))

        try await setting
        #expect((3...4).contains(phone.server.requests("POST", WirePath.attributes).count))
        await client.shutdown()
    }

    @Test("A silent server is an error at the deadline, and what waits stays")
    func silent() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.attributes) { [phone] _ in try await phone.never() }
        let begun = phone.clock.now
        let setting = Task { try await client.setAttributes(["plan": "pro"], within: .seconds(2)) }
        await client.waitForCalls()

        await phone.pass(.seconds(2))

        let error = await #expect(throws: LandfallError.self) { try await setting.value }
        guard case .network(let network)? = error?.kind else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(network.kind == .timedOut)
        #expect(begun.duration(to: phone.clock.now) == .seconds(2))
        #expect(client.explain().queue.attributeChanges == 1)
        await client.shutdown()
    }

    @Test("flush() sends events, attributes, other providers' attribution and clicks, and returns when all have arrived")
    func everything() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.events) { _ in throw TransportError(.connectionFailed) }
        client.record("trial_started")
        await phone.pass(.seconds(60))
        takesEverything()
        try client.setAttributes(["plan": "pro"])
        try client.reportAttribution(source: "appsflyer", status: .organic)
        client.recordClick(.scheme)

        async let flushed: Void = client.flush()
        await client.waitForCalls()
        await phone.pass(.milliseconds(250))
        try await flushed

        let queue = client.explain().queue
        #expect(queue.events + queue.attributeChanges + queue.attributionClaims + queue.clicks == 0)
        await client.shutdown()
    }

    @Test("With nothing to send flush() returns at once")
    func nothing() async throws {
        let client = try await running()
        let before = phone.server.requests.count

        try await client.flush()

        #expect(phone.server.requests.count == before)
        await client.shutdown()
    }

    @Test("Before the start flush() is an error at its deadline")
    func notStarted() async throws {
        let client = phone.app()
        client.record("trial_started")
        let flushing = Task { try await client.flush(within: .seconds(1)) }
        await client.waitForCalls()

        await phone.pass(.seconds(1))

        let error = await #expect(throws: LandfallError.self) { try await flushing.value }
        #expect(error?.kind == .notStarted)
        await client.shutdown()
    }

    @Test("A cancelled call returns at once, and the end of the client ends every call")
    func cancelled() async throws {
        let client = try await running()
        phone.server.on("POST", WirePath.attributes) { [phone] _ in try await phone.never() }
        let leaving = Task { try await client.setAttributes(["plan": "pro"], within: .seconds(60)) }
        await phone.server.waitForRequests("POST", WirePath.attributes)
        let staying = Task { try await client.flush(within: .seconds(60)) }
        while client.runningOperations < 2, !Task.isCancelled { await Task.yield() }

        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        await client.shutdown()

        await #expect(throws: LandfallError(.shutDown)) { try await staying.value }
    }

    /// The first open is over.
    private func running() async throws -> LandfallClient {
        phone.firstOpen { try .lines([.profile(.anna()), .attribution(.notAttributed), .end(.final)]) }
        let client = phone.app()
        client.start()
        await phone.pass(.milliseconds(100))
        await client.waitForProfile()
        await phone.settle()
        return client
    }

    private func takesEverything() {
        phone.server.on("POST", WirePath.events) { request in
            let events = try WireCoding.decode(EventBatch.self, from: request.body ?? Data()).events
            return try .json(EventBatchAnswer(results: events.map { .init(id: $0.id, status: .accepted) }))
        }
        for path in [WirePath.attributes, WirePath.attribution] {
            phone.server.on("POST", path) { _ in
                try .json(ProfileAnswer(profile: .anna(version: 2), attribution: .notAttributed))
            }
        }
        phone.opens { LinkOpenAnswer(status: .passedThrough, original: $0.url) }
    }
}
