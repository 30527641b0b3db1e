// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallWire

/// Whose host a request asks for. On a brand domain there are links, everything else is elsewhere.
enum AskedHost {
    /// It names several.
    case several
    case brand(BrandDomain)
    /// As hosts are compared; nil where the request names none, or what is none.
    case other(String?)
}

/// Reads of a request's head which host it asks for, and who is asking.
struct HostReading: Sendable {
    private let snapshot: Snapshot
    private let proxies: TrustedProxies
    private let countryHeader: HTTPField.Name?
    private let visitors = KnownVisitors()

    init(_ services: Services) {
        snapshot = services.snapshot
        proxies = services.proxies
        countryHeader = services.countryHeader
    }

    /// `Host` alone says it: every proxy sets that, and hands on as they came the other fields in which a host may stand.
    func host(of head: HTTPRequest) -> AskedHost {
        // The first Host is the request's authority; what is left among the fields is a second.
        guard head.headerFields[.anotherHost] == nil else { return .several }
        guard let named = head.authority else { return .other(nil) }
        // Most write it as it is compared.
        if let domain = snapshot.brandDomain(named) { return .brand(domain) }
        guard let host = try? LinkAddress.webHost(named) else { return .other(nil) }
        return snapshot.brandDomain(host).map { .brand($0) } ?? .other(host)
    }

    /// Who follows a link.
    func client(_ head: HTTPRequest, from peer: ClientAddress?) -> LinkClient {
        let fields = head.headerFields
        let userAgent = fields[.userAgent]
        let purpose = fields[.secPurpose] ?? fields[.purpose] ?? fields[.xPurpose]
        let isProxied = proxies.contains(peer)
        let address = isProxied ? proxies.client(peer: peer, forwarded: fields[values: .xForwardedFor]) : peer
        return LinkClient(
            visitor: visitors.visitor(userAgent).asking(head.method, purpose: purpose), address: address,
            boundedAddress: proxies.bounded(address),
            userAgent: userAgent, country: isProxied ? country(fields) : nil, isAhead: LinkVisitor.isAhead(purpose)
        )
    }

    private func country(_ fields: HTTPFields) -> String? {
        guard let name = countryHeader, let value = fields[name]?.uppercased() else { return nil }
        // XX and T1 are what proxies say where they do not know.
        guard value.utf8.count == 2, value.utf8.allSatisfy({ (65...90).contains($0) }), value != "XX" else { return nil }
        return value
    }
}

extension HTTPField.Name {
    static let anotherHost = HTTPField.Name("Host")!
    static let purpose = HTTPField.Name("Purpose")!
    static let xPurpose = HTTPField.Name("X-Purpose")!
}
