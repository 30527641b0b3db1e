// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// To which address a receiver is connected. A name that leads into the server's own network is refused: who can publish a file could
/// otherwise reach what only this machine reaches.
struct ForwardingAddress: Sendable {
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case unknown(host: String)
        case notPublic(host: String, address: String)

        var description: String {
            switch self {
            case .unknown(let host): "'\(host)' of 'purchases.notify' has no address here. Look at the name, and at this machine's DNS."
            case .notPublic(let host, let address):
                "'\(host)' of 'purchases.notify' is \(address), which is not on the internet. If that is meant, write it: notify: { url: …, address: \(address) }."
            }
        }
    }

    /// The addresses of a name, in digits.
    let resolve: @Sendable (_ host: String) async -> [String]

    /// In digits.
    /// - Throws: ``Refusal``
    func address(of receiver: NotificationReceiver) async throws(Refusal) -> String {
        if let address = receiver.address { return address }
        if ClientAddress(receiver.host) != nil { return receiver.host }
        let found = await resolve(receiver.host)
        guard let first = found.first else { throw .unknown(host: receiver.host) }
        guard let address = found.first(where: { ClientAddress($0).map(Self.isPublic) == true }) else {
            throw .notPublic(host: receiver.host, address: first)
        }
        return address
    }

    static func isPublic(_ address: ClientAddress) -> Bool { !notPublic.contains(address) }

    /// Networks that are not of the internet, and those in which another address is hidden (RFC 6890, RFC 6052, RFC 3056).
    private static let notPublic = try! AddressNetworks([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ])
}
