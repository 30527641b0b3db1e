// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Apple Ads on this machine. The attribution service: the same request, the same answers, but each token contains its own answer
/// (``SimulatedToken``). And the Platform API, with names and spend (``AppleAdsPlatform``).
package struct AppleAdsSimulator: Service {
    /// The path of Apple's service, also used here.
    package static let path = "/api/v1/"

    private let host: String
    private let port: Int
    private let platform: AppleAdsPlatform
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void
    private let onAnswer: @Sendable (_ token: String, _ status: Int) -> Void

    /// - Parameters:
    ///   - port: 0 lets the system pick one.
    ///   - platform: answers for names and spend.
    ///   - onListening: called once with the port, when requests are answered.
    ///   - onAnswer: called with token and HTTP status whenever an answer is sent.
    package init(
        host: String = "127.0.0.1", port: Int = 0, platform: AppleAdsPlatform = AppleAdsPlatform(), logger: Logger = Logger(label: "landfall.apple-ads-simulator"),
        onListening: @escaping @Sendable (Int) async -> Void = { _ in },
        onAnswer: @escaping @Sendable (_ token: String, _ status: Int) -> Void = { _, _ in }
    ) {
        self.host = host
        self.port = port
        self.platform = platform
        self.logger = logger
        self.onListening = onListening
        self.onAnswer = onAnswer
    }

    /// Answers until graceful stop or cancellation.
    package func run() async throws {
        try await application().run()
    }

    func application() -> some ApplicationProtocol {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return Application(
            router: router(),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [onListening] channel in
                if let port = channel.localAddress?.port { await onListening(port) }
            },
            logger: quiet
        )
    }

    private func router() -> Router<BasicRequestContext> {
        let attempts = Attempts()
        let router = Router()
        AppleAdsPlatformRoutes(platform: platform).add(to: router)
        router.post("api/v1") { [onAnswer] request, _ in
            guard request.headers[.contentType]?.lowercased().hasPrefix("text/plain") == true,
                let body = try? await request.body.collect(upTo: AppleAdsReply.longestToken)
            else { return AppleAdsReply.status(400).response }
            let token = String(buffer: body)
            let reply = AppleAdsReply(to: token) { attempts.next($0) }
            do {
                // A stopping simulator does not wait for a delayed answer.
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: reply.delay) }
            } catch {
                return AppleAdsReply.status(500).response
            }
            onAnswer(token, reply.response.status.code)
            return reply.response
        }
        return router
    }
}

private final class Attempts: Sendable {
    private let counts = Mutex(TokenAttempts())
    func next(_ token: String) -> Int { counts.withLock { $0.next(token) } }
}
