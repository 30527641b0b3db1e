// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Metrics

/// The server's metrics, by feature.
struct Telemetry: Sendable {
    let requests: RequestTelemetry
    let firstOpen: FirstOpenTelemetry
    let links: LinkTelemetry
    let configuration: ConfigurationTelemetry

    init(_ factory: any MetricsFactory) {
        requests = RequestTelemetry(factory: factory)
        firstOpen = FirstOpenTelemetry(factory: factory)
        links = LinkTelemetry(factory: factory)
        configuration = ConfigurationTelemetry(factory: factory)
    }
}
