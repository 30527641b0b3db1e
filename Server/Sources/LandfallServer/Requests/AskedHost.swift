// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallWire

/// The host that a request asks for. Brand domains serve links, the team's web site has the association files, and every other
/// host serves the rest.
enum AskedHost {
    /// The request names several hosts.
    case several
    case brand(BrandDomain)
    /// In the form in which hosts are compared; nil if the request names no host, or an invalid one.
    case other(String?)
}

/// Reads the requested host and the client from a request's head.
struct HostReading: Sendable {
    private let proxies: TrustedProxies
    private let countryHeader: HTTPField.Name?
    /// See ``ServerOptions/linkHosts``.
    private let linkHosts: [String: String]
    private let visitors = KnownVisitors()

    init(_ proxies: TrustedProxies, countryHeader: HTTPField.Name?, linkHosts: [String: String] = [:]) {
        self.proxies = proxies
        self.countryHeader = countryHeader
        self.linkHosts = linkHosts
    }

    /// Only the `Host` field counts: every proxy sets it, and forwards the other fields that may name a host unchanged.
    func host(of head: HTTPRequest, in snapshot: Snapshot) -> AskedHost {
        // The first Host field becomes the request's authority; one that is still among the fields is a second.
        guard head.headerFields[.anotherHost] == nil else { return .several }
        return host(named: head.authority, in: snapshot)
    }

    /// - Parameter named: the host as the request writes it, once or not at all.
    func host(named: String?, in snapshot: Snapshot) -> AskedHost {
        guard let named else { return .other(nil) }
        // Most clients write the host in the form in which it is compared.
        if let domain = snapshot.brandDomain(named) { return .brand(domain) }
        guard let host = try? LinkAddress.webHost(named) else { return .other(nil) }
        let domain = snapshot.brandDomain(host) ?? (linkHosts.isEmpty ? nil : linkHosts[host].flatMap { snapshot.brandDomain($0) })
        return domain.map { .brand($0) } ?? .other(host)
    }

    /// The client that follows a link.
    func client(_ head: HTTPRequest, from peer: ClientAddress?) -> LinkClient {
        let fields = head.headerFields
        return client(
            isHead: head.method == .head, userAgent: fields[.userAgent],
            purpose: fields[.secPurpose] ?? fields[.purpose] ?? fields[.xPurpose], from: peer,
            forwarded: fields[values: .xForwardedFor], country: countryHeader.flatMap { fields[$0] }
        )
    }

    /// The same, from a head that any reader has parsed.
    /// - Parameters:
    ///   - forwarded: the values of `X-Forwarded-For`. Like the country, they are read only if a trusted proxy calls.
    func client(
        isHead: Bool, userAgent: String?, purpose: String?, from peer: ClientAddress?,
        forwarded: @autoclosure () -> [String], country: @autoclosure () -> String?
    ) -> LinkClient {
        let isProxied = proxies.contains(peer)
        let address = isProxied ? proxies.client(peer: peer, forwarded: forwarded()) : peer
        return LinkClient(
            visitor: visitors.visitor(userAgent).asking(isHead: isHead, purpose: purpose), address: address,
            boundedAddress: proxies.bounded(address), userAgent: userAgent,
            country: isProxied ? Self.country(country()) : nil, isAhead: LinkVisitor.isAhead(purpose)
        )
    }

    private static func country(_ said: String?) -> String? {
        guard let value = said?.uppercased() else { return nil }
        // Proxies write XX and T1 for an unknown country.
        guard value.utf8.count == 2, value.utf8.allSatisfy({ (65...90).contains($0) }), value != "XX" else { return nil }
        return value
    }
}

extension HTTPField.Name {
    static let anotherHost = HTTPField.Name("Host")!
    static let purpose = HTTPField.Name("Purpose")!
    static let xPurpose = HTTPField.Name("X-Purpose")!
}
