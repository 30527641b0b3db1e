// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// The App Store on this machine: what is bought lives as its product id says (``SimulatedProduct``), the notifications are posted, and
/// Apple's Server API answers, all signed by an own root.
package struct AppStoreSimulator: Service {
    /// Where to listen, what to post to, and how fast time passes.
    package struct Options: Sendable {
        package var host = "127.0.0.1"
        package var port = 0
        /// http or https.
        package var notify: URL
        package var app = SimulatedApp()
        /// How long a simulated day lasts.
        package var day = Duration.seconds(86_400)
        package var seed: UInt64 = 1
        /// So many calls of Apple's paths an hour are answered; nil: all.
        package var callsPerHour: Int?

        package init(notify: URL) { self.notify = notify }
    }

    private let options: Options
    private let store: SimulatedAppStore
    private let posting: NotificationPosting
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - clock: now, in Unix milliseconds.
    ///   - onListening: called once with the port, when requests are answered.
    package init(
        _ options: Options, chain: SigningChain, logger: Logger = Logger(label: "landfall.app-store-simulator"),
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.options = options
        self.logger = logger
        self.clock = clock
        self.onListening = onListening
        store = SimulatedAppStore(
            app: options.app, signer: JWSSigner(chain), seed: options.seed, day: Int64(options.day / .milliseconds(1))
        )
        posting = NotificationPosting(store: store, url: options.notify, clock: clock, logger: logger)
    }

    /// Answers and posts until graceful stop or cancellation.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application().run() }
            group.addTask { try await cancelWhenGracefulShutdown { try await posting.run() } }
            // The posts end by cancellation, which is no failure.
            while true {
                do {
                    guard try await group.next() != nil else { return }
                } catch is CancellationError {
                    continue
                }
            }
        }
    }

    func application() -> some ApplicationProtocol {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let router = Router()
        AppStoreOrders(store: store, clock: clock).add(to: router)
        AppStoreServerAPI(store: store, clock: clock, limit: options.callsPerHour.map { CallLimit($0) }).add(to: router)
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(options.host, port: options.port)),
            onServerRunning: { [onListening] channel in
                if let port = channel.localAddress?.port { await onListening(port) }
            },
            logger: quiet
        )
    }
}
