// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A server that answers too slowly", .timeLimit(.minutes(1)))
struct SlowAnswerTests {
    let phone = Phone()

    /// A client that knows its profile. The test writes the answer to `identify`.
    private func client(answeredBy body: ScriptedBody) async throws -> LandfallClient {
        try phone.streams(.becomesOrganic)
        phone.server.on("POST", WirePath.identify) { _ in ScriptedAnswer(body: body) }
        let client = phone.app()
        client.start()
        await client.waitForProfile()
        return client
    }

    @Test("A call ends at the second byte that comes later than a minute after the head, although one comes every 14 s")
    func byteByByte() async throws {
        let body = ScriptedBody()
        let client = try await client(answeredBy: body)
        let identified = Task { try await client.identify("customer", within: .seconds(600)) }
        await body.waitForReader()

        for _ in 0..<7 {
            body.send(Data(" ".utf8))
            await phone.pass(.seconds(14))
        }

        await #expect(throws: LandfallError.self) { try await identified.value }
        await body.waitUntilAbandoned()
        await client.shutdown()
    }

    @Test("An answer that is complete with its last part counts, although that part comes after the minute")
    func lateEnd() async throws {
        let body = ScriptedBody()
        let client = try await client(answeredBy: body)
        let identified = Task { try await client.identify("customer", within: .seconds(600)) }
        await body.waitForReader()
        body.send(Data(" ".utf8))
        await phone.pass(.seconds(70))

        var profile = WireProfile.anna()
        profile.customerId = "customer"
        try body.send(ProfileAnswer(profile: profile, attribution: .notAttributed))
        body.finish()

        #expect(try await identified.value.customerID == "customer")
        await client.shutdown()
    }
}
