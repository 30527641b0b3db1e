// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallDatabase
import LandfallWire

/// `/healthz`: the process answers. `/readyz`: it should get traffic. `/metrics`: what it counted.
struct HealthRoutes: Sendable {
    let services: Services

    @Sendable func alive(_ request: Request, context: AppContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: .init(string: "ok\n")))
    }

    @Sendable func ready(_ request: Request, context: AppContext) async throws -> Response {
        if services.holds.isStopping {
            throw RequestError(.busy, "The server is stopping. Send traffic to another node.", retryAfter: 1)
        }
        // What is damaged may still take commits: it must not get the traffic that damages it further.
        if let store = services.database as? any StoreExamining, store.metDamage != nil { throw RequestError.storeDamaged }
        // A commit of nothing fails below 5 % of free disk and where the store is gone. It needs no room, so once a write has
        // found none, only one that needs some says that it is over.
        let isFailing = (services.database as? any WriteCounting)?.writeCounts.isFailing ?? false
        try await services.database.write { if isFailing { try StoreMark.tryRoom($0) } }
        return alive(request, context: context)
    }

    /// Prometheus text, for callers on this machine only: a proxy on the same machine says for whom it asks, and is refused.
    @Sendable func metrics(_ request: Request, context: AppContext) throws -> Response {
        guard context.channel.isFromLoopback, request.headers[.xForwardedFor] == nil, request.headers[.forwarded] == nil else {
            throw RequestError.notFound
        }
        return services.metrics.response()
    }
}

extension HTTPField.Name {
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwarded = HTTPField.Name("Forwarded")!
}
