// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import LandfallWire

/// The clients that follow links, read from heads of requests.
package struct LinkClients: Sendable {
    private let hosts: HostReader
    private let visitors = KnownVisitors()

    package init(_ hosts: HostReader) { self.hosts = hosts }

    /// The client that follows a link.
    package func client(_ head: HTTPRequest, from peer: ClientAddress?) -> LinkClient {
        let fields = head.headerFields
        return client(
            isHead: head.method == .head, userAgent: fields[.userAgent],
            purpose: fields[.secPurpose] ?? fields[.purpose] ?? fields[.xPurpose], from: peer,
            forwarded: fields[values: .xForwardedFor], country: hosts.countryHeader.flatMap { fields[$0] }
        )
    }

    /// The same, from a head that any reader has parsed.
    /// - Parameters:
    ///   - forwarded: the values of `X-Forwarded-For`. Like the country, they are read only if a trusted proxy calls.
    func client(
        isHead: Bool, userAgent: String?, purpose: String?, from peer: ClientAddress?,
        forwarded: @autoclosure () -> [String], country: @autoclosure () -> String?
    ) -> LinkClient {
        let isProxied = hosts.proxies.contains(peer)
        let address = isProxied ? hosts.proxies.client(peer: peer, forwarded: forwarded()) : peer
        return LinkClient(
            visitor: visitors.visitor(userAgent).asking(isHead: isHead, purpose: purpose), address: address,
            boundedAddress: hosts.proxies.bounded(address), userAgent: userAgent,
            country: isProxied ? Self.country(country()) : nil, isAhead: LinkVisitor.isAhead(purpose)
        )
    }

    static func country(_ said: String?) -> String? {
        guard let value = said?.uppercased() else { return nil }
        // Proxies write XX and T1 for an unknown country.
        guard value.utf8.count == 2, value.utf8.allSatisfy({ (65...90).contains($0) }), value != "XX" else { return nil }
        return value
    }
}
