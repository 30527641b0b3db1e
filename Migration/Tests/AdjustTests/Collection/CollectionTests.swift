// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallTesting
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
