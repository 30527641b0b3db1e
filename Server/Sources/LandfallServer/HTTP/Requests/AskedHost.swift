// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
import Hummingbird
package import LandfallRules
import LandfallWire

/// The host that a request asks for. Brand domains serve links, the team's web site has the association files, and every other
/// host serves the rest.
package enum AskedHost {
    /// The request names several hosts.
    case several
    case brand(BrandDomain)
    /// In the form in which hosts are compared; nil if the request names no host, or an invalid one.
    case other(String?)
}

/// Reads the requested host from a request's head.
package struct HostReader: Sendable {
    package let proxies: TrustedProxies
    let countryHeader: HTTPField.Name?
    /// See ``ServerOptions/linkHosts``.
    private let linkHosts: [String: String]

    package init(_ proxies: TrustedProxies, countryHeader: HTTPField.Name?, linkHosts: [String: String] = [:]) {
        self.proxies = proxies
        self.countryHeader = countryHeader
        self.linkHosts = linkHosts
    }

    /// Only the `Host` field counts: every proxy sets it, and forwards the other fields that may name a host unchanged.
    package func host(of head: HTTPRequest, in snapshot: Snapshot) -> AskedHost {
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
}

extension HTTPField.Name {
    static let anotherHost = HTTPField.Name("Host")!
    static let purpose = HTTPField.Name("Purpose")!
    static let xPurpose = HTTPField.Name("X-Purpose")!
}

extension RequestError {
    package static let severalHosts = RequestError(.malformedRequest, "The request names its host more than once. Send one Host field.")
}
