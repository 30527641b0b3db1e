// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("To which address a receiver is connected", .timeLimit(.minutes(1)))
struct ForwardingAddressTests {
    private static func address(_ url: String, _ address: String? = nil, found: [String]) async throws -> String {
        let receiver = try #require(NotificationReceiver(url: url, address: address))
        return try await ForwardingAddress(resolve: { _ in found }).address(of: receiver)
    }

    @Test(
        "Private, loopback, link-local and other addresses that are not on the internet are refused",
        arguments: [
            "10.0.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1",
            "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
        ])
    func refused(address: String) async {
        await #expect(throws: ForwardingAddress.Refusal.notPublic(host: "relay.example.com", address: address)) {
            try await Self.address("https://relay.example.com/hook", found: [address])
        }
    }

    @Test("An address of the internet is taken, also behind private ones", arguments: ["17.1.2.3", "2606:4700::1111", "172.32.0.1", "172.15.0.1"])
    func taken(address: String) async throws {
        #expect(try await Self.address("https://relay.example.com/hook", found: ["10.0.0.1", address]) == address)
    }

    @Test("What the configuration names counts, whatever DNS says")
    func named() async throws {
        #expect(try await Self.address("https://relay.example.com/hook", "10.0.0.7", found: ["17.1.2.3"]) == "10.0.0.7")
        #expect(try await Self.address("https://10.0.0.7/hook", found: []) == "10.0.0.7")
        #expect(try await Self.address("http://[::1]:8090/hook", found: []) == "::1")
    }

    @Test("Other spellings of an address are names, and what they lead to is looked at", arguments: ["2130706433", "0x7f.1", "127.1"])
    func spellings(host: String) async {
        await #expect(throws: ForwardingAddress.Refusal.notPublic(host: host, address: "127.0.0.1")) {
            try await Self.address("https://\(host)/hook", found: ["127.0.0.1"])
        }
    }

    @Test("A name without an address says where to look")
    func unknown() async {
        await #expect(throws: ForwardingAddress.Refusal.unknown(host: "relay.example.com")) {
            try await Self.address("https://relay.example.com/hook", found: [])
        }
    }
}
