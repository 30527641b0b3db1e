// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
package import Logging
import NIOCore
import ServiceLifecycle

/// Stands in for a node whose database is away when it starts: it is alive, not ready, and answers everything else with 503.
package struct StartingNode: Service, Redacted {
    private let address: (host: String, port: Int)
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - onListening: called once with the port.
    package init(host: String, port: Int, logger: Logger, onListening: @escaping @Sendable (Int) async -> Void) {
        (address, self.logger, self.onListening) = ((host, port), logger, onListening)
    }

    /// Ends by cancellation, and cuts its connections then.
    package func run() async throws {
        let responder = CallbackResponder<AppContext> { request, context in
            var response =
                request.uri.path == "/healthz"
                ? HealthRoutes.aliveResponse
                : RequestError.notReady("starting", "The server is starting: its database is away. Send traffic to another node.")
                    .response(requestID: context.requestID)
            // The next request is for the node itself.
            response.headers[.connection] = "close"
            return response
        }
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port), serverName: nil, reuseAddress: true),
            onServerRunning: { [address, onListening] channel in await onListening(channel.localAddress?.port ?? address.port) },
            logger: logger)
        try await application.run()
    }
}
