// SPDX-License-Identifier: Apache-2.0
import Metrics

/// How full a node is, looked up whenever somebody reads the metrics.
struct NodeTelemetry: Sendable {
    private let connections: Connections
    private let open: Gauge

    init(_ services: Services) {
        connections = services.connections
        open = Gauge(label: "landfall_connections", factory: services.metrics)
    }

    func report() { open.record(connections.count) }
}
