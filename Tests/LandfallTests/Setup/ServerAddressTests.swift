// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The server's address", .timeLimit(.minutes(1)))
struct ServerAddressTests {
    private let phone = Phone()

    private var said: [LogLine] { phone.log.all.filter { $0.category == .setup } }

    @Test(
        "An address to which nothing can be sent is reported once, at start, with what to do; nothing is sent, and no call waits for ever",
        arguments: ["hello", "ftp://x", "https:/v1", "mailto:a@example.com", "/v1"])
    func wrong(address: String) async throws {
        let client = phone.app { $0.server = URL(string: address)! }
        client.start()
        client.start()

        await #expect(throws: LandfallError.self) {
            try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        }
        await phone.pass(.seconds(120))

        #expect(said.count == 1)
        #expect(said.first?.level == .warning)
        #expect(said.first?.message.contains("'\(address)' does not begin with https://") == true)
        #expect(said.first?.message.contains("https://api.example.com") == true)
        #expect(client.explain().setup == said.map(\.message))
        #expect(phone.server.requests.isEmpty)
        await client.shutdown()
    }

    @Test("A call's error names the address", arguments: ["hello"])
    func error(address: String) async throws {
        let client = phone.app { $0.server = URL(string: address)! }
        client.start()

        let error = await #expect(throws: LandfallError.self) { try await client.flush(within: .zero) }
        let failed = await #expect(throws: LandfallError.self) {
            try await phone.clock.run { try await client.paywall(for: .onboarding, within: .seconds(5)) }
        }

        #expect(error != nil)
        #expect(failed?.description.contains("'hello' is not the address of a server.") == true)
        await client.shutdown()
    }

    @Test("Addresses of servers are not reported", arguments: ["https://api.example.com", "http://127.0.0.1:8080/landfall", "HTTPS://a"])
    func right(address: String) async throws {
        try phone.streams(.undecided)
        let client = phone.app { $0.server = URL(string: address)! }
        client.start()
        await phone.settle()

        #expect(said.isEmpty)
        await client.shutdown()
    }

    @Test("A name that does not resolve is reported once, however often it is tried, and not after it was reached", arguments: [true, false])
    func name(wasReached: Bool) async throws {
        if wasReached {
            try phone.streams(.undecided)
            let first = phone.app()
            first.start()
            await first.waitForProfile()
            await phone.storageHolds(.profile) { $0.contains("anna") }
            await first.shutdown()
        }
        phone.firstOpen { throw TransportError(.connectionFailed, isHostUnknown: true) }
        let client = phone.app()
        client.start()

        await phone.pass(.seconds(60))

        #expect(said.count == (wasReached ? 0 : 1))
        #expect(said.allSatisfy { $0.message.contains("'api.example.com' cannot be resolved") })
        #expect(phone.firstOpenRequests.count > 2)
        await client.shutdown()
    }

    @Test("A name is not reported while there is no network")
    func offline() async throws {
        phone.firstOpen { throw TransportError(.connectionFailed, isHostUnknown: true) }
        let client = phone.app()
        client.networkPathChanged(isSatisfied: false)
        client.start()

        await phone.pass(.seconds(30))

        #expect(said.isEmpty)
        await client.shutdown()
    }
}
