// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Logging
import Synchronization
import Testing

@testable import LandfallServer

#if HTTPS


/// A team whose service answers over HTTP, and the bounded resolver that asks it.
final class Team: Sendable {
    let resolver: BoundedLinkResolver
    private let service: Service
    private let registry = PrometheusRegistry()

    private init(_ service: Service, _ http: HTTPLinkResolver) {
        self.service = service
        resolver = BoundedLinkResolver(factory: registry, onLimit: service.reach, asking: http.ask)
    }

    /// How often the service was asked.
    var questions: Int { service.questions.withLock { $0 } }
    /// The bounds that were reached, in order.
    var hits: [Limit] { service.hits.withLock { $0 } }

    func count(_ outcome: BoundedLinkResolver.Outcome) -> Int {
        let label = "landfall_old_links_asked_total{outcome=\"\(outcome.rawValue)\"} "
        return registry.text().split(separator: "\n").first { $0.hasPrefix(label) }.flatMap { Int($0.dropFirst(label.count)) } ?? 0
    }

    /// - Parameter answer: of the service, to a link.
    static func run(
        _ answer: @escaping @Sendable (String) async -> LinkResolverReply, _ body: @Sendable (Team) async throws -> Void
    ) async throws {
        let service = Service()
        let router = Router()
        router.get("resolve") { request, _ in
            service.questions.withLock { $0 += 1 }
            let reply = await answer(request.uri.queryParameters["url"].map(String.init) ?? "")
            return Response(
                status: .init(code: reply.status), headers: reply.location.map { [.location: $0] } ?? [:])
        }
        try await HTTPLinkResolver.run(asking: router, at: "/resolve") { http in try await body(Team(service, http)) }
    }

    private final class Service: Sendable {
        let questions = Mutex(0)
        let hits = Mutex([Limit]())
        var reach: @Sendable (Limit) -> Void { { [self] limit in hits.withLock { $0.append(limit) } } }
    }
}

extension HTTPLinkResolver {
    /// With a service on this machine, which it asks for as long as the body runs.
    static func run(
        asking router: Router<BasicRequestContext>, at path: String, _ body: (HTTPLinkResolver) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            let port = try #require(await ports.first { _ in true })
            // A busy machine must not look like a service that does not answer.
            let resolver = try HTTPLinkResolver(url: "http://127.0.0.1:\(port)\(path)", timeLimit: .seconds(60))
            group.addTask { try await resolver.run() }
            try await body(resolver)
            group.cancelAll()
        }
    }
}

/// Holds those who wait until it is opened.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
#endif
