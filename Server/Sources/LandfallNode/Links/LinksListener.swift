// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import LandfallRules
import LandfallServer
import Logging
import NIOCore
import ServiceLifecycle

/// A further listener that serves links as brand domains do, and nothing else. It is for an address that people can reach who must not
/// reach the API or the console.
struct LinksListener: Service, Redacted {
    private let address: (host: String, port: Int)
    private let services: Services
    private let limits: ConnectionLimits
    private let logger: Logger
    private let ports = AsyncStream.makeStream(of: Int.self)

    init(_ address: (host: String, port: Int), _ services: Services, _ limits: ConnectionLimits, _ logger: Logger) {
        (self.address, self.services, self.limits, self.logger) = (address, services, limits, logger)
    }

    /// The port, once it listens; nil if the caller is cancelled, as happens if the address cannot be used.
    func port() async -> Int? { await ports.stream.first { _ in true } }

    /// Has no routes: every other host and path is unknown.
    static func router(_ services: Services) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: HostRouting(
                configuration: services.configuration, hosts: services.hosts, links: services.linkRoutes,
                telemetry: services.telemetry.requests, limitHits: services.limitHits))
        router.add(middleware: RequestCompletion(telemetry: services.telemetry.requests, limitHits: services.limitHits))
        return router
    }

    func run() async throws {
        let limitHits = services.limitHits, rules = limits.rules(limitHits, services.connections, nil, draining: services.draining)
        let application = Application(
            router: Self.router(services), server: .http1(configuration: limits.http1(rules)),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port), serverName: nil),
            onServerRunning: { [address, limits, ports] channel in
                limits.apply(to: channel)
                await AcceptPause.add(to: channel, limitHits)
                ports.continuation.yield(channel.localAddress?.port ?? address.port)
            },
            logger: logger
        )
        try await application.run()
    }
}
