// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A server that answers too slowly", .timeLimit(.minutes(1)))
struct SlowAnswerTests {
    let phone = Phone()

    @Test("A call ends a minute after the head, although a byte comes every 14 s")
    func byteByByte() async throws {
        try phone.streams(.becomesOrganic)
        let body = ScriptedBody()
        phone.server.on("POST", WirePath.identify) { _ in ScriptedAnswer(body: body) }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        let identified = Task { try await client.identify("customer") }
        await body.waitForReader()

        for _ in 0..<6 {
            body.send(Data(" ".utf8))
            await phone.pass(.seconds(14))
        }

        await #expect(throws: LandfallError.self) { try await identified.value }
        await body.waitUntilAbandoned()
        await client.shutdown()
    }
}
