// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("A server that is silent", .timeLimit(.minutes(1)))
struct CallLimitTests {
    let phone = Phone()

    typealias Call = @Sendable (LandfallClient, Duration?) async throws -> Void
    static let calls: [Call] = [
        { client, limit in
            if let limit { _ = try await client.identify("maya", within: limit) } else { _ = try await client.identify("maya") }
        },
        { client, limit in
            if let limit { _ = try await client.logOut(within: limit) } else { _ = try await client.logOut() }
        },
        { client, limit in
            if let limit { try await client.forget(within: limit) } else { try await client.forget() }
        },
    ]

    private func client() async throws -> LandfallClient {
        try phone.streams(.becomesOrganic)
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        for (method, path) in [
            ("POST", WirePath.identify), ("POST", WirePath.logout), ("DELETE", WirePath.profile), ("POST", WirePath.attributes),
        ] {
            phone.server.on(method, path) { [phone] _ in try await phone.never() }
        }
        return client
    }

    /// The outcome of a call that returns exactly at this time of the clock.
    private func outcome<Value: Sendable>(
        at limit: Duration, _ call: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let isOver = Locked(false)
        let running = Task {
            defer { isOver.withLock { $0 = true } }
            return try await call()
        }
        await phone.settle()
        await phone.pass(limit - .milliseconds(1))
        let returned = isOver.withLock { $0 }
        #expect(!returned, "It returned too early.")
        await phone.pass(.milliseconds(1))
        return await running.result
    }

    private func error<Value>(of outcome: Result<Value, any Error>) -> LandfallError? {
        if case .failure(let error) = outcome { error as? LandfallError } else { nil }
    }

    @Test("holds a call until its limit and no longer: 10 s by default", arguments: Self.calls.indices, [nil, .seconds(2)] as [Duration?])
    func limits(call: Int, limit: Duration?) async throws {
        let client = try await client()

        let outcome = await outcome(at: limit ?? .seconds(10)) { try await Self.calls[call](client, limit) }

        #expect(error(of: outcome)?.isWorthRetrying == true)
        await client.shutdown()
    }

    @Test("holds it no longer if attributes wait, which get half of the time; they stay queued")
    func attributes() async throws {
        let client = try await client()
        try client.setAttributes(["tier": "gold"])

        let outcome = await outcome(at: .seconds(4)) { try await client.identify("maya", within: .seconds(4)) }

        #expect(error(of: outcome)?.kind == .network(TransportError(.timedOut, detail: "The call's time limit is over.")))
        #expect(phone.server.requests("POST", WirePath.identify).count == 1)
        #expect(client.explain().queue.attributeChanges == 1)
        await client.shutdown()
    }

    @Test("holds a call that waits for another one no longer than its own limit")
    func turns() async throws {
        let client = try await client()
        let first = Task { try await client.identify("maya", within: .seconds(8)) }
        await phone.server.waitForRequests("POST", WirePath.identify)

        let outcome = await outcome(at: .seconds(3)) { try await client.logOut(within: .seconds(3)) }

        #expect(error(of: outcome) != nil)
        #expect(phone.server.requests("POST", WirePath.logout).isEmpty)
        await phone.pass(.seconds(6))
        await #expect(throws: LandfallError.self) { try await first.value }
        await client.shutdown()
    }

    @Test("A call before start() is told so at its limit")
    func notStarted() async throws {
        let client = phone.app()

        let outcome = await outcome(at: .seconds(1)) { try await client.identify("maya", within: .seconds(1)) }

        #expect(error(of: outcome) == LandfallError(.notStarted))
        await client.shutdown()
    }

    @Test("Where a call is repeated, its error says so; where nothing is queued, it says what to do")
    func words() async throws {
        let client = try await client()

        let identified = await outcome(at: .seconds(1)) { try await client.identify("maya", within: .seconds(1)) }
        let forgotten = await outcome(at: .seconds(1)) { try await client.forget(within: .seconds(1)) }

        let (once, kept) = (error(of: identified)?.description, error(of: forgotten)?.description)
        #expect(once?.hasSuffix("Nothing is queued: call again later.") == true)
        #expect(kept?.hasSuffix("The request is kept, and the SDK tries again; nothing to do.") == true)
        await client.shutdown()
    }

    @Test("A link is opened unresolved at the limit of the call")
    func link() async throws {
        let client = try await client()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() }
        let url = try #require(URL(string: "https://links.example.com/beach"))

        let outcome = await outcome(at: .milliseconds(700)) {
            await client.open(url, from: .app, within: .milliseconds(700))
        }

        #expect(try outcome.get().status == .timedOut)
        await client.shutdown()
    }
}
