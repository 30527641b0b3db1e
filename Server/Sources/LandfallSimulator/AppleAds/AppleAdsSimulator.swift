// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire
public import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

/// Apple's attribution service on this machine: the same request, the same answers, but each token says itself which
/// answer it leads to (``SimulatedToken``).
public struct AppleAdsSimulator: Service {
    /// The path of Apple's service, also here.
    public static let path = "/api/v1/"

    private let host: String
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - port: 0 lets the system pick one.
    ///   - onListening: called once with the port, when requests are answered.
    public init(
        host: String = "127.0.0.1", port: Int = 0, logger: Logger = Logger(label: "landfall.apple-ads-simulator"),
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// Answers until graceful stop or cancellation.
    public func run() async throws {
        try await application().run()
    }

    func application() -> some ApplicationProtocol {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return Application(
            router: Self.router(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [onListening] channel in
                if let port = channel.localAddress?.port { await onListening(port) }
            },
            logger: quiet
        )
    }

    private static func router() -> Router<BasicRequestContext> {
        let attempts = Attempts()
        let router = Router()
        router.post("api/v1") { request, _ in
            guard request.headers[.contentType]?.lowercased().hasPrefix("text/plain") == true,
                let body = try? await request.body.collect(upTo: AppleAdsReply.longestToken)
            else { return AppleAdsReply.status(400).response }
            let reply = AppleAdsReply(to: String(buffer: body)) { token in attempts.next(token) }
            do {
                // A stopping simulator does not wait for an answer that nobody will read.
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: reply.delay) }
            } catch {
                return AppleAdsReply.status(500).response
            }
            return reply.response
        }
        return router
    }
}

private final class Attempts: Sendable {
    private let counts = Mutex(TokenAttempts())
    func next(_ token: String) -> Int { counts.withLock { $0.next(token) } }
}
