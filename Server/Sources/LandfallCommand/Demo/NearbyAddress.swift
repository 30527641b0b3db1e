// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import NIOCore

/// The address under which other machines of a private network reach this one.
struct NearbyAddress: Hashable, Sendable {
    let text: String

    /// - Throws: `ValidationError` if this machine is in no private network.
    static func find() throws -> NearbyAddress {
        let devices = try System.enumerateDevices().compactMap { device in
            device.address.flatMap { address in address.ipAddress.map { (name: device.name, address: $0) } }
        }
        guard let found = NearbyAddress(among: devices) else {
            throw ValidationError("This machine has no address in a private network, such as 192.168.1.5. Leave --lan out.")
        }
        return found
    }

    /// An IPv4 address, because it is short to type. It belongs to a network card, not to a container or a tunnel of this machine.
    init?(among devices: [(name: String, address: String)]) {
        let found = devices.filter { Self.isPrivate($0.address) }
        guard let best = found.first(where: { !Self.isVirtual($0.name) }) ?? found.first else { return nil }
        text = best.address
    }

    private static func isPrivate(_ address: String) -> Bool {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        guard parts.count == 4 else { return false }
        switch (parts[0], parts[1]) {
        case (10, _), (172, 16...31), (192, 168): return true
        default: return false
        }
    }

    private static func isVirtual(_ name: String) -> Bool {
        ["docker", "br-", "bridge", "veth", "virbr", "vmnet", "tun", "tap", "utun", "wg", "zt", "cni", "podman", "lxc"]
            .contains { name.hasPrefix($0) }
    }
}
