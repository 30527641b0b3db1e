// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import Metrics

/// How full a node is and what it serves, read whenever the metrics are read.
struct NodeTelemetry: Sendable {
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
    /// Nil if no other node works on the store.
    private let nodes: (heartbeat: Heartbeat, living: Gauge, away: Gauge, clock: Gauge)?
    private let time: ServerTime
    private let ready: Gauge
    private let appleQueue: Gauge
    private let alerts: [(rule: AlertRule, gauge: Gauge)]
    private let factory: any MetricsFactory

    init(
        _ connections: Connections, _ holds: HeldAnswers, _ configuration: LiveConfiguration, _ cache: InstallCacheTelemetry,
        _ draining: Draining, _ watch: StoreWatch, _ heartbeat: Heartbeat?, time: ServerTime, factory: any MetricsFactory
    ) {
        (self.draining, self.watch, self.time, self.factory) = (draining, watch, time, factory)
        nodes = heartbeat.map { heartbeat in
            (
                heartbeat, Gauge(label: "landfall_nodes", factory: factory), Gauge(label: "landfall_store_away", factory: factory),
                Gauge(label: "landfall_clock_ahead_seconds", factory: factory)
            )
        }
        ready = Gauge(label: "landfall_ready", factory: factory)
        appleQueue = Gauge(label: "landfall_apple_ads_waiting", factory: factory)
        alerts = AlertRule.allCases.map { rule in
            (rule, Gauge(label: "landfall_alerts_firing", dimensions: [("rule", rule.rawValue)], factory: factory))
        }
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

    func report() {
        open.record(connections.count)
        let served = configuration.snapshot.revision
        version.record(served)
        behind.record(configuration.newest > served ? 1 : 0)
        fileRefused.record(configuration.fileRefusal == nil ? 0 : 1)
        for (kind, gauge) in held { gauge.record(holds.count(of: kind)) }
        cache.report()
        if let nodes {
            let condition = nodes.heartbeat.condition
            nodes.living.record(condition.living)
            nodes.away.record(condition.awaySinceMs == nil ? 0 : 1)
            nodes.clock.record(Double(condition.clockAheadMs) / 1000)
        }
        let isStoreGood = nodes?.heartbeat.condition.isReady ?? watch.isGood
        ready.record(!draining.hasBegun && !holds.isStopping && isStoreGood ? 1 : 0)
        let numbers = watch.numbers
        appleQueue.record(numbers.appleQueue)
        for (rule, gauge) in alerts { gauge.record(numbers.firing[rule.rawValue] ?? 0) }
        // Absent while the store knows of no backup: an age would say that there is one.
        if let lastMs = numbers.lastBackupMs {
            Gauge(label: "landfall_backup_age_seconds", factory: factory).record(Double(max(time.nowMs() - lastMs, 0)) / 1000)
        }
    }
}
