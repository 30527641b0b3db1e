// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallDatabase
import LandfallWire

/// `/healthz`: the process answers. `/readyz`: it should get traffic. `/metrics`: what it counted.
struct HealthRoutes: Sendable {
    let configuration: LiveConfiguration
    let database: any Database
    let holds: Holds
    let leaving: Leaving
    let registry: PrometheusRegistry

    /// They come by address, and also where there is no room for others.
    static func isProbe(_ target: String) -> Bool { ["/healthz", "/readyz", "/metrics"].contains(target.prefix { $0 != "?" }) }

    @Sendable func alive(_ request: Request, context: AppContext) -> Response {
        Response(status: .ok, headers: Self.aliveFields, body: ResponseBody(byteBuffer: Self.aliveBody))
    }

    static let aliveFields: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
    static let aliveBody = ByteBuffer(string: "ok\n")

    @Sendable func ready(_ request: Request, context: AppContext) async throws -> Response {
        if leaving.isSaid || holds.isStopping {
            throw RequestError(.busy, "The server is stopping. Send traffic to another node.", retryAfter: 1)
        }
        // What is damaged may still take commits: it must not get the traffic that damages it further.
        if let store = database as? any StoreExamining, store.metDamage != nil { throw RequestError.storeDamaged }
        // A commit of nothing fails below 5 % of free disk and where the store is gone. It needs no room: once a write has found
        // none, only one that needs some says that it is over.
        try await database.write { _ in }
        let isFailing = (database as? any WriteCounting)?.writeCounts.isFailing ?? false
        if isFailing { try await StoreMark.tryRoom(in: database) }
        return Self.text("ok\n\(version)\n")
    }

    /// Which version is served, and which one cannot be.
    private var version: String {
        let (served, newest) = (configuration.snapshot.revision, configuration.newest)
        return "configuration \(served)" + (newest > served ? ", behind \(newest)" : "")
    }

    private static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: .init(string: text)))
    }

    /// Prometheus text, for callers on this machine only. A proxy on the same machine asks for somebody else: it says so, or it
    /// asks for a host that is not this machine's.
    @Sendable func metrics(_ request: Request, context: AppContext) throws -> Response {
        guard ClientAddress(context.channel.remoteAddress)?.isLoopback == true, !Self.signsOfProxies.contains(where: { request.headers.contains($0) }),
            Self.isThisMachine(request.head.authority)
        else { throw RequestError.notFound }
        return registry.response()
    }

    private static let signsOfProxies: [HTTPField.Name] = [
        .xForwardedFor, .forwarded, .via, .xRealIP, .xForwardedHost, .xForwardedProto,
    ]

    /// True for what people write for the machine that they are on, and where nothing is said.
    private static func isThisMachine(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        let isBracketed = authority.hasPrefix("[")
        return ThisMachine.isNamed(authority.prefix { $0 != (isBracketed ? "]" : ":") }.drop { $0 == "[" })
    }
}

extension HTTPField.Name {
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwarded = HTTPField.Name("Forwarded")!
    static let via = HTTPField.Name("Via")!
    static let xRealIP = HTTPField.Name("X-Real-IP")!
    static let xForwardedHost = HTTPField.Name("X-Forwarded-Host")!
    static let xForwardedProto = HTTPField.Name("X-Forwarded-Proto")!
}
