// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("enable and disable", .timeLimit(.minutes(1)))
struct CollectionTests {
    let server = AdjustServer()
    var connection: Connection { server.connection }

    @Test(
        "disable turns the client's collection off, enable restores the earlier mode",
        arguments: [CollectionMode.full, .essential])
    func there(_ mode: CollectionMode) {
        let client = server.client()
        client.collection = mode
        connection.start(with: client)
        #expect(connection.isCollecting)

        connection.isCollecting = false
        connection.isCollecting = false
        #expect(client.collection == .off)
        #expect(!connection.isCollecting)
        connection.isCollecting = true

        #expect(client.collection == mode)
    }

    @Test("A call before start takes effect at start")
    func beforeStart() {
        connection.isCollecting = false
        #expect(!connection.isCollecting)
        let client = server.client()

        connection.start(with: client)

        #expect(client.collection == .off)
    }

    @Test("Without a call the client keeps its mode")
    func nothingSaid() {
        let client = server.client()
        client.collection = .essential

        connection.start(with: client)

        #expect(client.collection == .essential)
        #expect(connection.isCollecting)
    }
}

@Suite("Consent and erasure", .timeLimit(.minutes(1)))
struct ConsentTests {
    private let app = StartedApp(StartedApp.info)

    @Test("Measurement without consent is the essential collection; a disabled app stays disabled")
    func measurement() throws {
        app.connection.consents(to: false)
        app.connection.begin(StartedApp.config())
        let client = try #require(app.connection.client)
        #expect(client.collection == .essential)

        app.connection.consents(to: true)
        #expect(client.collection == .full)
        app.connection.isCollecting = false
        app.connection.consents(to: true)

        #expect(client.collection == .off)
    }

    @Test("A consent that is refused while the app is disabled counts when it is enabled")
    func refusedWhileOff() throws {
        app.connection.begin(StartedApp.config())
        let client = try #require(app.connection.client)
        app.connection.isCollecting = false

        app.connection.consents(to: false)
        app.connection.isCollecting = true

        #expect(client.collection == .essential)
    }

    /// The next launch of an app that was left in a mode; `say` comes before its files are read.
    private func mode(after first: CollectionMode, _ say: (Connection) -> Void) async throws -> CollectionMode {
        let server = AdjustServer()
        let before = server.start()
        before.collection = first
        try await server.clock.run { await server.transport.waitForRequests("POST", WirePath.firstOpen) }
        await before.shutdown()

        let next = AdjustServer(server.storage)
        say(next.connection)
        let client = next.start()
        try await next.clock.run { await next.transport.waitForRequests("POST", WirePath.firstOpen) }
        let mode = client.collection
        await client.shutdown()
        return mode
    }

    @Test("An app that was disabled in an earlier launch stays disabled, whatever a consent tool says at the start")
    func disabledBefore() async throws {
        #expect(try await mode(after: .off) { $0.consents(to: true) } == .off)
        #expect(try await mode(after: .off) { $0.consents(to: false) } == .off)
        #expect(try await mode(after: .essential) { $0.consents(to: true) } == .full)
    }

    @Test("enable at the start counts, although the files that say disabled are not read yet")
    func enabledAtStart() async throws {
        #expect(try await mode(after: .off) { $0.isCollecting = true } == .full)
        #expect(try await mode(after: .essential) { $0.isCollecting = true } == .essential)
    }

    @Test("gdprForgetMe erases on the server too, also before the start", arguments: [true, false])
    func erasure(_ isBefore: Bool) async throws {
        if isBefore { app.connection.erase() }
        app.connection.begin(StartedApp.config())
        let client = try #require(app.connection.client)
        await app.pass(.seconds(1))
        if !isBefore { app.connection.erase() }
        await app.pass(.seconds(5))

        #expect(client.collection == .off)
        #expect(app.server.requests.contains { $0.method == "DELETE" })
        await client.shutdown()
    }
}
