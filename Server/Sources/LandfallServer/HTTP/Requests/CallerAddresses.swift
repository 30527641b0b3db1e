// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import Hummingbird

/// The caller's address: that of the connection, or the one that a trusted proxy reports.
package struct CallerAddresses: Sendable {
    package let proxies: TrustedProxies
    private let countryHeader: HTTPField.Name?

    package init(proxies: TrustedProxies, countryHeader: HTTPField.Name? = nil) {
        self.proxies = proxies
        self.countryHeader = countryHeader
    }

    /// Two capital letters, if a trusted proxy reports them.
    func country(of request: Request, _ context: AppContext) -> String? {
        guard let countryHeader, proxies.contains(ClientAddress(context.channel.remoteAddress)) else { return nil }
        return Self.country(request.headers[countryHeader])
    }

    static func country(_ said: String?) -> String? {
        guard let value = said?.uppercased() else { return nil }
        // Proxies write XX and T1 for an unknown country.
        guard value.utf8.count == 2, value.utf8.allSatisfy({ (65...90).contains($0) }), value != "XX" else { return nil }
        return value
    }

    /// The address that limits count, see ``TrustedProxies/bounded(_:)``.
    package func bounded(of request: Request, _ context: AppContext) -> ClientAddress? {
        proxies.bounded(client(of: request, context))
    }

    package func client(of request: Request, _ context: AppContext) -> ClientAddress? {
        let peer = ClientAddress(context.channel.remoteAddress)
        return proxies.client(peer: peer, forwarded: request.headers[values: .xForwardedFor])
    }
}

extension TrustedProxies {
    /// The address that limits count.
    /// - Returns: nil if the address does not identify the caller. It is a trusted proxy's; or no proxies are configured and it
    ///   is in a private network, where it may be a proxy.
    func bounded(_ client: ClientAddress?) -> ClientAddress? {
        guard let client, !contains(client) else { return nil }
        return self == .none && client.isNobodys ? nil : client
    }
}
