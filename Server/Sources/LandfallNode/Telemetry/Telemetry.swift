// SPDX-License-Identifier: Apache-2.0
package import LandfallServer
import LandfallWire
package import Metrics

/// The server's metrics, by feature.
package struct Telemetry: Sendable {
    package let requests: RequestTelemetry
    package let firstOpen: FirstOpenTelemetry
    package let links: LinkTelemetry
    package let configuration: ConfigurationTelemetry
    package let purchases: PurchasesTelemetry

    package init(_ factory: any MetricsFactory) {
        requests = RequestTelemetry(factory: factory)
        firstOpen = FirstOpenTelemetry(factory: factory)
        links = LinkTelemetry(factory: factory)
        configuration = ConfigurationTelemetry(factory: factory)
        purchases = PurchasesTelemetry(factory: factory)
    }
}
