// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
package import LandfallServer
package import Logging
import ServiceLifecycle

/// A separate listener for `/metrics`, so that it can use an address that only the monitoring reaches.
package struct MetricsListener: Service, Redacted {
    private let address: (host: String, port: Int)
    private let metrics: PrometheusRegistry
    private let limitHits: LimitHits
    private let logger: Logger

    package init(_ address: (host: String, port: Int), _ metrics: PrometheusRegistry, _ limitHits: LimitHits, _ logger: Logger) {
        self.address = address
        self.metrics = metrics
        self.limitHits = limitHits
        self.logger = logger
    }

    package func run() async throws {
        let router = Router()
        router.get("/metrics") { [metrics] _, _ in metrics.response() }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port), serverName: nil),
            onServerRunning: { [limitHits] channel in await AcceptPause.add(to: channel, limitHits) },
            logger: logger
        )
        try await application.run()
    }
}
