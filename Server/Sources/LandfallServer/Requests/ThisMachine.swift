// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes

/// The names of the local machine.
package enum ThisMachine {
    /// True for `localhost` and for an address of the loopback network. An IPv6 address may be in brackets.
    package static func isNamed(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || ClientAddress(host)?.isLoopback == true
    }

    /// - Parameter authority: a `Host` field, with or without a port.
    static func isNamed(authority: String) -> Bool {
        let isBracketed = authority.hasPrefix("[")
        return isNamed(authority.prefix { $0 != (isBracketed ? "]" : ":") }.drop { $0 == "[" })
    }

    /// True for a caller on this machine that asks for this machine by name. Not for what a proxy here passes on: it keeps the host that
    /// its own caller asked for, or adds a forwarding field.
    static func isCalling(_ head: HTTPRequest, from peer: ClientAddress?) -> Bool {
        peer?.isLoopback == true && head.authority.map { isNamed(authority: $0) } == true
            && !HealthRoutes.signsOfProxies.contains { head.headerFields.contains($0) }
    }
}

extension URL {
    /// True for http to the local machine: the traffic does not leave it.
    package var isLocalHTTP: Bool { scheme == "http" && ThisMachine.isNamed(host() ?? "") }
}
