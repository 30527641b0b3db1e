// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
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
