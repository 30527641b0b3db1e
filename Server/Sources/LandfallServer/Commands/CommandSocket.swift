// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Hummingbird
import HummingbirdCore
import LandfallRules
package import Logging
import NIOCore
import ServiceLifecycle

/// A listener in the store's folder for commands of the operator. Its routes are not on the network, and need no key: a user
/// who may open the socket may read the store anyway.
package struct CommandSocket: Service, Redacted {
    private let path: String
    private let responder: RouterResponder<AppContext>
    private let logger: Logger
    private let openings: AsyncStream<Never>
    private let opening: AsyncStream<Never>.Continuation

    /// - Parameter router: ``Routes/commandRouter(_:)``.
    package init(path: String, _ router: Router<AppContext>, _ logger: Logger) {
        self.path = path
        responder = router.buildResponder()
        self.logger = logger
        (openings, opening) = AsyncStream.makeStream()
    }

    /// Returns when commands can connect, or when it is known that they cannot. For one caller.
    package func opened() async { for await _ in openings {} }

    /// A file system without sockets does not stop the node: the problem is logged, and phones are served.
    package func run() async throws {
        defer { opening.finish() }
        do {
            try await application.run()
        } catch is CancellationError {
            unlink(path)
            throw CancellationError()
        } catch {
            logger.warning(
                "Commands cannot reach this server through its folder. Use --server and --key, or move the folder to a local disk.",
                metadata: ["error.text": "\(error)"])
            opening.finish()
            try await gracefulShutdown()
        }
        unlink(path)
    }

    private var application: Application<RouterResponder<AppContext>> {
        Application(
            responder: responder,
            // Without the network's connection limits: a full or slow network must not lock the operator out.
            server: .http1(),
            // Replaces the socket file of a killed server: the folder's lock proves that it is gone.
            configuration: ApplicationConfiguration(address: .unixDomainSocket(path: path), serverName: nil),
            onServerRunning: { [path, opening] _ in
                _ = chmod(path, 0o600)
                opening.finish()
            },
            logger: logger
        )
    }
}
