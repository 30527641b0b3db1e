// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import NIOCore

/// A network address as bytes: 4 for IPv4, 16 for IPv6. An IPv4-mapped IPv6 address becomes the IPv4 address.
package struct ClientAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Parameter text: may carry a port, as in `192.0.2.1:443` and `[2001:db8::1]:443`.
    package init?(_ text: some StringProtocol) {
        var text = text.drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = text[text.index(after: text.startIndex)..<end]
        } else if text.contains("."), let colon = text.lastIndex(of: ":"), !text[..<colon].contains(":") {
            text = text[..<colon]
        }
        guard text.utf8.count <= 64, let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    package init?(_ address: SocketAddress?) {
        // The offset of the address in `sockaddr_in` and `sockaddr_in6`, the same on Linux and on Apple's systems.
        let place: Range<Int>
        switch address {
        case .v4: place = 4..<8
        case .v6: place = 8..<24
        default: return nil
        }
        let all = address?.withSockAddr { start, size in Array(UnsafeRawBufferPointer(start: start, count: size)[place]) } ?? []
        let isMapped = all.count == 16 && all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
        bytes = isMapped ? Array(all[12...]) : all
    }

    /// True for an address of the loopback network.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// The address's network: 24 bits of IPv4, 48 of IPv6.
    var network: [UInt8] { Array(bytes.prefix(bytes.count == 4 ? 3 : 6)) }
}

/// A set of networks.
struct AddressNetworks: Hashable, Sendable {
    private struct Network: Hashable, Sendable {
        let bytes: [UInt8]
        let bits: Int

        func contains(_ address: ClientAddress) -> Bool {
            guard address.bytes.count == bytes.count else { return false }
            return (0..<bytes.count).allSatisfy { index in
                let kept = min(max(bits - index * 8, 0), 8)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
                return address.bytes[index] & mask == bytes[index] & mask
            }
        }
    }

    private let networks: [Network]

    /// - Parameter texts: addresses and networks, such as `10.0.0.0/8`, `192.0.2.7` or `2001:db8::/32`.
    /// - Throws: ``InvalidNetwork``.
    init(_ texts: [String]) throws {
        networks = try texts.map { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = ClientAddress(parts[0]) else { throw InvalidNetwork(text: text) }
            let most = address.bytes.count * 8
            guard let bits = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(bits) else {
                throw InvalidNetwork(text: text)
            }
            return Network(bytes: address.bytes, bits: bits)
        }
    }

    func contains(_ address: ClientAddress) -> Bool { networks.contains { $0.contains(address) } }
}

/// The proxies that are trusted to report a client's address and country.
package struct TrustedProxies: Hashable, Sendable {
    /// Nil: none.
    private let networks: AddressNetworks?

    package static let none = TrustedProxies(networks: nil)

    private init(networks: AddressNetworks?) { self.networks = networks }

    /// - Parameter texts: addresses and networks, such as `10.0.0.0/8`, `192.0.2.7` or `2001:db8::/32`.
    /// - Throws: ``InvalidNetwork``.
    package init(_ texts: [String]) throws { networks = texts.isEmpty ? nil : try AddressNetworks(texts) }

    package func contains(_ address: ClientAddress?) -> Bool {
        guard let address else { return false }
        return networks?.contains(address) ?? false
    }

    /// The address nearest to this server that is not a trusted proxy.
    /// - Parameter forwarded: values of `X-Forwarded-For`. Only the part that trusted proxies wrote counts.
    package func client(peer: ClientAddress?, forwarded: [String]) -> ClientAddress? {
        guard contains(peer) else { return peer }
        var client = peer
        for text in forwarded.flatMap({ $0.split(separator: ",") }).reversed() {
            guard let next = ClientAddress(text) else { return client }
            client = next
            if !contains(next) { break }
        }
        return client
    }
}

/// A text that is not a valid network.
struct InvalidNetwork: Error, Hashable, CustomStringConvertible {
    let text: String
    var description: String {
        "'\(text.shortened)' is not an address or a network. Write one such as 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32."
    }
}

/// A text that is not a valid header field name.
package struct InvalidHeaderName: Error, Hashable, CustomStringConvertible {
    package let text: String

    package init(text: String) {
        self.text = text
    }
    package var description: String { "'\(text.shortened)' is not the name of a header field. Write one such as CF-IPCountry." }
}
