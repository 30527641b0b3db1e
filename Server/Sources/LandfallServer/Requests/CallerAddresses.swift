// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Who calls: the address of the connection, or what a trusted proxy says.
struct CallerAddresses: Sendable {
    let proxies: TrustedProxies

    /// The caller as bounds of addresses know it, see ``TrustedProxies/bounded(_:)``.
    func bounded(of request: Request, _ context: AppContext) -> ClientAddress? {
        proxies.bounded(client(of: request, context))
    }

    func client(of request: Request, _ context: AppContext) -> ClientAddress? {
        let peer = ClientAddress(context.channel.remoteAddress)
        return proxies.client(peer: peer, forwarded: request.headers[values: .xForwardedFor])
    }
}

extension TrustedProxies {
    /// The caller whom bounds of addresses count.
    /// - Returns: nil where the address says nothing of the caller. It is a trusted proxy's; or no proxies are named, and it
    ///   is one of a private network, which may be a proxy.
    func bounded(_ client: ClientAddress?) -> ClientAddress? {
        guard let client, !contains(client) else { return nil }
        return self == .none && client.isNobodys ? nil : client
    }
}
