// SPDX-License-Identifier: Apache-2.0
import Metrics

/// How full a node is and what it serves, read whenever the metrics are read.
struct NodeTelemetry: Sendable {
    private let connections: Connections
    private let holds: Holds
    private let configuration: LiveConfiguration
    private let open: Gauge
    private let version: Gauge
    private let behind: Gauge
    private let fileRefused: Gauge
    private let held: [(kind: Holds.Kind, gauge: Gauge)]
    private let cache: InstallCacheTelemetry

    init(
        _ connections: Connections, _ holds: Holds, _ configuration: LiveConfiguration, _ cache: InstallCacheTelemetry,
        factory: any MetricsFactory
    ) {
        self.connections = connections
        self.holds = holds
        self.configuration = configuration
        self.cache = cache
        open = Gauge(label: "landfall_connections", factory: factory)
        version = Gauge(label: "landfall_configuration_version", factory: factory)
        behind = Gauge(label: "landfall_configuration_behind", factory: factory)
        fileRefused = Gauge(label: "landfall_configuration_file_refused", factory: factory)
        held = Holds.Kind.allCases.map { kind in
            (kind, Gauge(label: "landfall_held", dimensions: [("kind", kind.rawValue)], factory: factory))
        }
    }

    func report() {
        open.record(connections.count)
        let served = configuration.snapshot.revision
        version.record(served)
        behind.record(configuration.newest > served ? 1 : 0)
        fileRefused.record(configuration.fileRefusal == nil ? 0 : 1)
        for (kind, gauge) in held { gauge.record(holds.count(of: kind)) }
        cache.report()
    }
}
