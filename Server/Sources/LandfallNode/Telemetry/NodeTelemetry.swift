// SPDX-License-Identifier: Apache-2.0
package import LandfallServer
package import Metrics

/// How full a node is and what it serves, read whenever the metrics are read.
package struct NodeTelemetry: Sendable {
    private let connections: Connections
    private let holds: HeldAnswers
    private let configuration: LiveConfiguration
    private let open: Gauge
    private let version: Gauge
    private let behind: Gauge
    private let fileRefused: Gauge
    private let held: [(kind: HeldAnswers.Kind, gauge: Gauge)]
    private let cache: InstallCacheTelemetry
    private let draining: Draining
    private let watch: StoreWatch
    private let time: ServerTime
    private let ready: Gauge
    private let appleQueue: Gauge
    private let factory: any MetricsFactory

    package init(
        _ connections: Connections, _ holds: HeldAnswers, _ configuration: LiveConfiguration, _ cache: InstallCacheTelemetry,
        _ draining: Draining, _ watch: StoreWatch, time: ServerTime, factory: any MetricsFactory
    ) {
        (self.draining, self.watch, self.time, self.factory) = (draining, watch, time, factory)
        ready = Gauge(label: "landfall_ready", factory: factory)
        appleQueue = Gauge(label: "landfall_apple_ads_waiting", factory: factory)
        self.connections = connections
        self.holds = holds
        self.configuration = configuration
        self.cache = cache
        open = Gauge(label: "landfall_connections", factory: factory)
        version = Gauge(label: "landfall_configuration_version", factory: factory)
        behind = Gauge(label: "landfall_configuration_behind", factory: factory)
        fileRefused = Gauge(label: "landfall_configuration_file_refused", factory: factory)
        held = HeldAnswers.Kind.allCases.map { kind in
            (kind, Gauge(label: "landfall_held", dimensions: [("kind", kind.rawValue)], factory: factory))
        }
    }

    package func report() {
        open.record(connections.count)
        let served = configuration.snapshot.revision
        version.record(served)
        behind.record(configuration.newest > served ? 1 : 0)
        fileRefused.record(configuration.fileRefusal == nil ? 0 : 1)
        for (kind, gauge) in held { gauge.record(holds.count(of: kind)) }
        cache.report()
        ready.record(!draining.hasBegun && !holds.isStopping && watch.isGood ? 1 : 0)
        let numbers = watch.numbers
        appleQueue.record(numbers.appleQueue)
        // Absent while the store knows of no backup: an age would say that there is one.
        if let lastMs = numbers.lastBackupMs {
            Gauge(label: "landfall_backup_age_seconds", factory: factory).record(Double(max(time.nowMs() - lastMs, 0)) / 1000)
        }
    }
}
