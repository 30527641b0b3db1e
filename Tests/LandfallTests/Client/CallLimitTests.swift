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

    /// The error, and after which time of the clock it came.
    private func failure(_ call: @escaping @Sendable () async throws -> Void) async -> (error: LandfallError?, after: Duration) {
        let begun = phone.clock.now
        var error: LandfallError?
        do {
            try await phone.clock.run(upTo: .seconds(120)) { try await call() }
            Issue.record("The call ended without an error.")
        } catch let found as LandfallError {
            error = found
        } catch let other {
            Issue.record("\(other) is no LandfallError.")
        }
        return (error, begun.duration(to: phone.clock.now))
    }

    @Test("holds a call until its limit and no longer: 10 s by default", arguments: Self.calls.indices, [nil, .seconds(2)] as [Duration?])
    func limits(call: Int, limit: Duration?) async throws {
        let client = try await client()

        let (error, after) = await failure { try await Self.calls[call](client, limit) }

        #expect(error?.isWorthRetrying == true)
        #expect(after == limit ?? .seconds(10))
        await client.shutdown()
    }

    @Test("holds it no longer if attributes wait, which get half of the time; they stay queued")
    func attributes() async throws {
        let client = try await client()
        try client.setAttributes(["tier": "gold"])

        let (error, after) = await failure { try await client.identify("maya", within: .seconds(4)) }

        #expect(error?.kind == .network(TransportError(.timedOut, detail: "The call's time limit is over.")))
        #expect(after == .seconds(4))
        #expect(phone.server.requests("POST", WirePath.identify).count == 1)
        #expect(client.explain().queue.attributeChanges == 1)
        await client.shutdown()
    }

    @Test("holds a call that waits for another one no longer than its own limit")
    func turns() async throws {
        let client = try await client()
        let first = Task { try await client.identify("maya", within: .seconds(8)) }
        await phone.server.waitForRequests("POST", WirePath.identify)

        let (_, after) = await failure { try await client.logOut(within: .seconds(3)) }

        #expect(after == .seconds(3))
        #expect(phone.server.requests("POST", WirePath.logout).isEmpty)
        await phone.pass(.seconds(6))
        await #expect(throws: LandfallError.self) { try await first.value }
        await client.shutdown()
    }

    @Test("A call before start() is told so at its limit, and does not make the person unknown")
    func notStarted() async throws {
        let client = phone.app()

        let (error, after) = await failure { try await client.identify("maya", within: .seconds(1)) }

        #expect(error == LandfallError(.notStarted))
        #expect(after == .seconds(1))
        await client.shutdown()
    }

    @Test("Where a call is repeated, its error says so; where nothing is queued, it says what to do")
    func words() async throws {
        let client = try await client()

        let identified = await failure { try await client.identify("maya", within: .seconds(1)) }
        let forgotten = await failure { try await client.forget(within: .seconds(1)) }

        #expect(identified.error?.description.hasSuffix("Nothing is queued: call again later.") == true)
        #expect(forgotten.error?.description.hasSuffix("The request is kept, and the SDK tries again; nothing to do.") == true)
        await client.shutdown()
    }

    @Test("A link is opened unresolved at the limit of the call")
    func link() async throws {
        let client = try await client()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() }
        let begun = phone.clock.now

        let opened = try await phone.clock.run(upTo: .seconds(60)) {
            await client.open(URL(string: "https://links.example.com/beach")!, from: .app, within: .milliseconds(700))
        }

        #expect(opened.status == .timedOut)
        #expect(begun.duration(to: phone.clock.now) == .milliseconds(700))
        await client.shutdown()
    }
}
