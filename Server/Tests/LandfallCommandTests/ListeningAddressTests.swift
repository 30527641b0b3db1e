// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import LandfallCommand

@Suite("An address to listen on", .timeLimit(.minutes(1)))
struct ListeningAddressTests {
    @Test(
        "is host and port, with brackets around IPv6",
        arguments: [("127.0.0.1:9090", "127.0.0.1", 9090), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65_535)]
    )
    func valid(text: String, host: String, port: Int) throws {
        let address = try ListeningAddress(text)

        #expect(address.host == host)
        #expect(address.port.number == port)
    }

    @Test("is refused in any other form", arguments: ["", "9090", ":9090", "host:", "host:http", "host:65536", "host:-1"])
    func invalid(text: String) {
        #expect(throws: ValidationError.self) { try ListeningAddress(text) }
    }
}
