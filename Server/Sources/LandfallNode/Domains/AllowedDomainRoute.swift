// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallServer

/// `GET /v1/domains/allowed?domain=HOST`: whether this server serves a host, for a proxy that is about to get a certificate for it
/// (`on_demand_tls` with `ask` in Caddy, which takes a 200 for yes). Without the question anybody could point names at the machine
/// until the certificate authority answers no more. For callers of this machine and trusted proxies; all others get 404.
struct AllowedDomainRoute: Sendable {
    static let path = "/v1/domains/allowed"

    let proxies: TrustedProxies

    /// True for a question of a proxy itself. What a proxy passes on has a field that proxies add, or the host that was asked for.
    func isAsked(_ head: HTTPRequest, by peer: ClientAddress?, in snapshot: Snapshot) -> Bool {
        guard head.path?.prefix(while: { $0 != "?" }) == Self.path[...] else { return false }
        if ThisMachine.isCalling(head, from: peer) { return true }
        return proxies.contains(peer) && !ThisMachine.signsOfProxies.contains { head.headerFields.contains($0) }
            && !snapshot.serves(head.authority)
    }

    /// 200 for the hosts of `domains.brand` and `domains.api`, in any case and with or without a dot at the end; 404 for others.
    @Sendable func answer(_ request: Request, context: AppContext) throws -> Response {
        guard isAsked(request.head, by: ClientAddress(context.channel.remoteAddress), in: context.snapshot),
            context.snapshot.serves(request.uri.queryParameters["domain"].map(String.init))
        else { throw RequestError.notFound }
        return Response(status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: ResponseBody(byteBuffer: .init(string: "ok\n")))
    }
}
