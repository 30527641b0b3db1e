// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A service of the team's that knows where links of old domains lead that are on no list.
package protocol LinkResolver: Sendable {
    /// The address that now stands for the link; nil if the service does not know it, does not answer in time, or is not asked.
    ///
    /// The caller checks the address that it gets: it comes from another machine.
    /// - Parameter address: of the phone; nil has no limit of its own.
    func target(of link: LinkAddress, from address: ClientAddress?, nowMs: Int64) async -> String?
}

/// The part of a resolver's answer that counts.
package struct LinkResolverReply: Hashable, Sendable {
    let status: Int
    let location: String?

    /// Where a redirect leads; nil for every other answer.
    var target: String? { [301, 302, 303, 307, 308].contains(status) ? location : nil }
    /// False: the service has failed, or is not a resolver.
    var isUnderstood: Bool { target != nil || status == 404 || status == 410 }
}
