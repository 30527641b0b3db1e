// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("A scripted transport", .timeLimit(.minutes(1)))
struct ScriptedTransportTests {
    let server = ScriptedTransport()
    let request = TransportRequest(method: "POST", url: URL(string: "http://landfall.test/v1/first-open?x=1")!)

    @Test("delivers a written body piece by piece and counts the exchange until it ends")
    func writtenBody() async throws {
        let body = ScriptedBody()
        server.on("POST", "/v1/first-open") { _ in ScriptedAnswer(body: body) }

        let answer = try await server.send(request)
        var pieces = answer.body.makeAsyncIterator()
        body.send(line: "one")
        #expect(try await pieces.next() == Data("one\n".utf8))
        #expect(server.openExchanges == 1)
        body.send(line: "two")
        #expect(try await pieces.next() == Data("two\n".utf8))
        body.finish()

        #expect(try await pieces.next() == nil)
        #expect(server.openExchanges == 0)
        #expect(answer.headers["landfall-version"] == "1")
        #expect(server.requests("POST", "/v1/first-open") == [request])
    }

    @Test("breaks a body in the middle")
    func reset() async throws {
        let body = ScriptedBody()
        server.on("POST", "/v1/first-open") { _ in ScriptedAnswer(body: body) }
        body.send(line: "one")

        var pieces = try await server.send(request).body.makeAsyncIterator()
        #expect(try await pieces.next() != nil)
        body.fail()

        await #expect(throws: TransportError.self) { try await pieces.next() }
        #expect(server.openExchanges == 0)
    }

    @Test("ends the exchange of a cancelled reader")
    func cancelledReader() async throws {
        let body = ScriptedBody()
        server.on("POST", "/v1/first-open") { _ in ScriptedAnswer(body: body) }
        let reader = Task { for try await _ in try await server.send(request).body {} }
        await body.waitForReader()

        reader.cancel()

        await body.waitUntilAbandoned()
        await server.waitUntilIdle()
        _ = await reader.result
    }

    @Test("stops a handler that waits when the caller is cancelled, unless it is told not to notice", arguments: [false, true])
    func cancelledCaller(ignoresCancellation: Bool) async throws {
        let clock = ManualClock()
        server.ignoresCancellation = ignoresCancellation
        server.on("POST", "/v1/first-open") { _ in
            try await clock.sleep(for: .seconds(5))
            return ScriptedAnswer()
        }
        let caller = Task { try await server.send(request).status }
        await clock.waitForSleeper()

        caller.cancel()

        if ignoresCancellation {
            #expect(clock.sleeperCount == 1)
            clock.advance(by: .seconds(5))
            #expect(try await caller.value == 200)
        } else {
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        await server.waitUntilIdle()
    }

    @Test("answers 404 where no handler is, and nothing at all offline")
    func noHandler() async throws {
        #expect(try await server.send(request).status == 404)

        server.isOffline = true
        await #expect(throws: TransportError(.offline)) { try await server.send(request) }
        #expect(server.requests.count == 2)
        #expect(server.openExchanges == 0)
    }
}
