// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import Hummingbird
package import LandfallServer
package import LandfallStore
import LandfallWire

/// `/healthz`: the process answers. `/readyz`: it can take traffic. `/metrics`: its counters.
package struct HealthRoutes: Sendable {
    package let configuration: LiveConfiguration
    package let database: any Database
    package let holds: HeldAnswers
    package let draining: Draining
    package let registry: PrometheusRegistry
    /// How long a probe waits for the store.
    package let storing: FirstOpenWriter
    /// Nil if no other node works on the store.
    let heartbeat: Heartbeat?
    let trust: AppStoreTrust
    package let time: ServerTime

    init(
        configuration: LiveConfiguration, database: any Database, holds: HeldAnswers, draining: Draining, registry: PrometheusRegistry,
        storing: FirstOpenWriter, heartbeat: Heartbeat?, trust: AppStoreTrust, time: ServerTime
    ) {
        self.configuration = configuration
        self.database = database
        self.holds = holds
        self.draining = draining
        self.registry = registry
        self.storing = storing
        self.heartbeat = heartbeat
        self.trust = trust
        self.time = time
    }

    /// With `?stopping=503`: a proxy before one server learns that it stops while it still serves, and holds requests for the next one. It
    /// may not ask ``ready(_:context:)``: that fails also while the server can only read.
    @Sendable package func alive(_ request: Request, context: AppContext) throws -> Response {
        if isStopping, request.uri.queryParameters["stopping"] == "503" { throw Self.stopping }
        return Self.aliveResponse
    }

    private var isStopping: Bool { draining.hasBegun || holds.isStopping }
    private static let stopping = RequestError(.busy, "The server is stopping. Send traffic to another node.", retryAfter: 1)

    static var aliveResponse: Response { Response(status: .ok, headers: aliveFields, body: ResponseBody(byteBuffer: aliveBody)) }
    static let aliveFields: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
    static let aliveBody = ByteBuffer(string: "ok\n")

    @Sendable package func ready(_ request: Request, context: AppContext) async throws -> Response {
        if isStopping { throw Self.stopping }
        if let heartbeat { return try Answer(readiness(heartbeat.condition, heartbeat.replica?.state)).response(from: request, context: context) }
        // A damaged store may still accept commits. Traffic would damage it further, so the node reports that it is not ready.
        if let store = database as? any StoreExamining, store.metDamage != nil { throw RequestError.storeDamaged }
        // An empty commit fails below 5 % of free disk and if the store is gone. It needs no room itself: after a write failed
        // for lack of room, only a write that needs room can tell that there is room again.
        let trial: @Sendable () async throws -> Void = { [database] in
            try await database.write { _ in }
            let isFailing = (database as? any WriteCounting)?.writeCounts.isFailing ?? false
            if isFailing { try await StoreMark.tryRoom(in: database) }
        }
        guard try await storing.outcome(of: trial, time: time, afterwards: {}) != nil else { throw RequestError.storeSilent }
        return Self.text((["ok", version] + trust.remarks).map { $0 + "\n" }.joined())
    }

    /// Among several nodes, each says whether it can take traffic itself. While the database is away they all can: a balancer that
    /// took them out would answer phones with errors, and the nodes answer with what is known.
    private func readiness(_ condition: Heartbeat.Condition, _ replica: ReplicaCondition.State?) throws -> Readiness {
        guard condition.isClockRight else { throw RequestError.clockDiffers(byMs: condition.clockAheadMs) }
        if let refusal = condition.schemaRefusal { throw RequestError.notReady("schemaIsNewer", "\(refusal)") }
        return Readiness(
            store: condition.awaySinceMs == nil ? "ok" : "away", sinceMilliseconds: condition.awaySinceMs,
            configuration: configuration.snapshot.revision, nodes: condition.living, replica: replica?.rawValue,
            trust: trust.remarks.isEmpty ? nil : trust.remarks)
    }

    /// The answer of `/readyz` on a store that nodes share.
    private struct Readiness: Encodable {
        var ready = true
        let store: String
        /// Since when the database is away.
        let sinceMilliseconds: Int64?
        /// The version that this node serves.
        let configuration: Int64
        /// How many live, as far as this one knows.
        let nodes: Int
        /// Whether answers that may lag are read from it: `ok`, `behind`, `away` or `unknown`. Nil without one.
        let replica: String?
        /// Whose signatures this node believes besides Apple's.
        let trust: [String]?
    }

    /// The served version, and a newer one that cannot be served.
    private var version: String {
        let (served, newest) = (configuration.snapshot.revision, configuration.newest)
        return "configuration \(served)" + (newest > served ? ", behind \(newest)" : "")
    }

    private static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: .init(string: text)))
    }

    /// Prometheus text, for callers on this machine only. A request that a local proxy forwards is refused: the proxy adds a
    /// forwarding field, or the host is not this machine's.
    @Sendable package func metrics(_ request: Request, context: AppContext) throws -> Response {
        guard ClientAddress(context.channel.remoteAddress)?.isLoopback == true, !ThisMachine.signsOfProxies.contains(where: { request.headers.contains($0) }),
            Self.isThisMachine(request.head.authority)
        else { throw RequestError.notFound }
        return registry.response()
    }

    /// True for the local machine's names, and if no host is named.
    private static func isThisMachine(_ authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return true }
        return ThisMachine.isNamed(authority: authority)
    }
}
