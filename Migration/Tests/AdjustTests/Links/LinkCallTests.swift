// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("processDeeplink", .timeLimit(.minutes(1)))
@MainActor
struct LinkCallTests {
    let server = AdjustServer()
    let completions = Completions()
    var connection: Connection { server.connection }

    @Test("A short link is resolved, and its click recorded once, with the whole link")
    func short() async throws {
        let client = server.start()

        connection.process(AdjustServer.short, completions.call)
        await completions.wait()

        #expect(completions.links == [AdjustServer.long])
        let recorded = try server.recorded()
        #expect(recorded == [AdjustServer.short.absoluteString])
        await client.shutdown()
    }

    @Test(
        "Any other link is passed through unchanged",
        arguments: [
            "https://example.com/summer-clothes?promo=beach", "example://summer-clothes?promo=beach", "EXAMPLE://",
            "https://elsewhere.example.org/a?b#c", "fb12345://authorize#access_token=secret",
        ])
    func passedThrough(_ link: String) async throws {
        let client = server.start()

        connection.process(try #require(URL(string: link)), completions.call)
        await completions.wait()

        #expect(completions.links == [link])
        await server.pass(.seconds(10))
        let recorded = try server.recorded()
        #expect(recorded.allSatisfy { !$0.contains("secret") })
        await client.shutdown()
    }

    /// What may be wrong.
    enum Trouble: CaseIterable {
        case disabled, offline, silent, killed, portal, failing, invalid, notStarted
    }

    @Test(
        "Whatever happens, the completion is called once within the time limit, with the original link",
        arguments: Trouble.allCases)
    func trouble(_ trouble: Trouble) async {
        var link = AdjustServer.short
        switch trouble {
        case .offline: server.transport.isOffline = true
        case .silent: server.transport.on("POST", WirePath.linkOpen) { _ in ScriptedAnswer(body: ScriptedBody()) }
        case .killed:
            server.transport.on("POST", WirePath.linkOpen) { _ in
                let body = ScriptedBody()
                body.send(Data("{\"stat".utf8))
                body.fail()
                return ScriptedAnswer(body: body)
            }
        case .portal: server.transport.on("POST", WirePath.linkOpen) { _ in .stranger(302) }
        case .failing: server.transport.on("POST", WirePath.linkOpen) { _ in try .problem(500, .internalError) }
        case .invalid: link = URL(string: "javascript:alert(1)")!
        case .disabled, .notStarted: break
        }
        let client = server.client()
        client.start()
        if trouble != .notStarted { connection.start(with: client) }
        if trouble == .disabled { connection.isCollecting = false }

        connection.process(link, completions.call)
        await server.pass(Connection.bound)
        await completions.wait()

        await server.pass(.seconds(5))
        await client.shutdown()
        #expect(completions.links == [link.absoluteString])
    }

    @Test("A hundred calls at once are each answered once, with their own link")
    func hundred() async {
        let client = server.start()

        for number in 0..<100 { connection.process(URL(string: "https://example.com/\(number)")!, completions.call) }
        await completions.wait(100)

        await client.shutdown()
        #expect(completions.links.count == 100)
        #expect(Set(completions.links) == Set((0..<100).map { "https://example.com/\($0)" }))
    }

    @Test("A hundred calls to a silent server are each answered once")
    func hundredInSilence() async {
        server.transport.on("POST", WirePath.linkOpen) { _ in ScriptedAnswer(body: ScriptedBody()) }
        let client = server.start()

        for number in 0..<100 { connection.process(URL(string: "https://brandname.go.link/\(number)")!, completions.call) }
        await server.pass(Connection.bound)
        await completions.wait(100)

        await client.shutdown()
        #expect(Set(completions.links).count == 100)
        #expect(completions.links.count == 100)
    }

    @Test("A call made before start is resolved as soon as there is a client")
    func beforeStart() async throws {
        connection.process(AdjustServer.short, completions.call)
        await server.clock.waitForSleeper()

        let client = server.start()
        await completions.wait()

        #expect(completions.links == [AdjustServer.long])
        let recorded = try server.recorded()
        #expect(recorded == [AdjustServer.short.absoluteString])
        await client.shutdown()
    }

    @Test("A call that times out before start is recorded at start")
    func lateStart() async throws {
        connection.process(AdjustServer.short, completions.call)
        await server.clock.waitForSleeper()
        server.clock.advance(by: Connection.bound)
        await completions.wait()
        #expect(completions.links == [AdjustServer.short.absoluteString])

        let client = server.start()
        try await server.waitForClicks(1)

        let recorded = try server.recorded()
        #expect(recorded == [AdjustServer.short.absoluteString])
        await client.shutdown()
    }

    @Test("appWillOpen records the click and leaves the inbox empty")
    func appWillOpen() async throws {
        let client = server.start()

        connection.record(URL(string: "example://a?adj_t=abc")!)
        try await server.waitForClicks(1)

        let recorded = try server.recorded()
        #expect(recorded == ["example://a?adj_t=abc"])
        #expect(connection.lastLink?.absoluteString == "example://a?adj_t=abc")
        await client.shutdown()
    }

    @Test("Links passed before start are recorded after it, the first hundred")
    func recordsBeforeStart() async throws {
        for number in 0..<150 { connection.record(URL(string: "example://\(number)")!) }

        let client = server.start()
        try await server.waitForClicks(100)

        await client.shutdown()
        let recorded = try server.recorded()
        #expect(recorded.count == 100)
        #expect(Set(recorded) == Set((0..<100).map { "example://\($0)" }))
    }

    @Test("A disabled app sends the server no click")
    func disabled() async throws {
        let client = server.start()
        connection.isCollecting = false

        connection.record(URL(string: "example://a?adj_t=abc")!)
        connection.process(AdjustServer.short, completions.call)
        await completions.wait()
        await server.pass(.seconds(30))

        await client.shutdown()
        let recorded = try server.recorded()
        #expect(recorded.isEmpty)
        #expect(server.transport.requests("POST", WirePath.linkOpen).isEmpty)
    }
}
