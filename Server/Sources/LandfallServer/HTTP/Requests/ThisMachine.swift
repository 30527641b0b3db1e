// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import HTTPTypes

/// The names of the local machine.
package enum ThisMachine {
    /// The fields that proxies add.
    package static let signsOfProxies: [HTTPField.Name] = [
        .xForwardedFor, .forwarded, .via, .xRealIP, .xForwardedHost, .xForwardedProto,
    ]

    /// True for `localhost` and for an address of the loopback network. An IPv6 address may be in brackets.
    package static func isNamed(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || ClientAddress(host)?.isLoopback == true
    }

    /// - Parameter authority: a `Host` field, with or without a port.
    package static func isNamed(authority: String) -> Bool {
        let isBracketed = authority.hasPrefix("[")
        return isNamed(authority.prefix { $0 != (isBracketed ? "]" : ":") }.drop { $0 == "[" })
    }

    /// True for a caller on this machine that asks for this machine by name. Not for what a proxy here passes on: it keeps the host that
    /// its own caller asked for, or adds a forwarding field.
    package static func isCalling(_ head: HTTPRequest, from peer: ClientAddress?) -> Bool {
        peer?.isLoopback == true && head.authority.map { isNamed(authority: $0) } == true
            && !signsOfProxies.contains { head.headerFields.contains($0) }
    }
}

extension URL {
    /// True for http to the local machine: the traffic does not leave it.
    package var isLocalHTTP: Bool { scheme == "http" && ThisMachine.isNamed(host() ?? "") }

    /// True for https to a host, and for http to the local machine.
    var isAskable: Bool { scheme == "https" && host()?.isEmpty == false || isLocalHTTP }

    /// The address of a server to which paths are appended.
    /// - Returns: without a slash at the end; nil if it cannot be asked, or has a user, a query or a fragment.
    static func base(_ text: String) -> String? {
        guard let parts = URL(string: text), parts.query == nil, parts.fragment == nil, parts.user == nil, parts.isAskable else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

extension HTTPField.Name {
    package static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwarded = HTTPField.Name("Forwarded")!
    static let via = HTTPField.Name("Via")!
    static let xRealIP = HTTPField.Name("X-Real-IP")!
    static let xForwardedHost = HTTPField.Name("X-Forwarded-Host")!
    package static let xForwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
