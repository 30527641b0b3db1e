// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallCommand

@Suite("The address for phones in the same network", .timeLimit(.minutes(1)))
struct NearbyAddressTests {
    @Test(
        "is a private IPv4 address, of a network card where there is one",
        arguments: [
            ([("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("en0", "192.168.1.5")], "192.168.1.5"),
            ([("docker0", "172.17.0.1"), ("eth0", "203.0.113.5")], "172.17.0.1"),
            ([("eth0", "10.1.2.3"), ("eth1", "192.168.1.5")], "10.1.2.3"),
            ([("eth0", "172.32.0.1"), ("eth0", "fe80::1"), ("lo", "127.0.0.1"), ("eth0", "169.254.1.1")], nil),
            ([], nil),
        ] as [([(String, String)], String?)])
    func found(devices: [(String, String)], address: String?) {
        #expect(NearbyAddress(among: devices.map { (name: $0.0, address: $0.1) })?.text == address)
    }
}
