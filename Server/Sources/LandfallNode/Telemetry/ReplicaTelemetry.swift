// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Metrics
import Synchronization

/// How the replica of a database does, copied into the registry whenever the metrics are read.
final class ReplicaTelemetry: Sendable {
    private let store: any ReplicaReporting
    private let reported = Mutex(ReplicaCondition(.unknown))
    private let used: Gauge
    private let fromReplica: Counter
    private let fromPrimary: Counter
    private let repeats: Counter
    private let factory: any MetricsFactory

    /// Nil if the store has no replica.
    init?(_ database: any Database, factory: any MetricsFactory) {
        guard let store = database as? any ReplicaReporting, store.replicaCondition != nil else { return nil }
        (self.store, self.factory) = (store, factory)
        used = Gauge(label: "landfall_replica_used", factory: factory)
        fromReplica = Counter(label: "landfall_replica_answers_total", dimensions: [("from", "replica")], factory: factory)
        fromPrimary = Counter(label: "landfall_replica_answers_total", dimensions: [("from", "primary")], factory: factory)
        repeats = Counter(label: "landfall_replica_repeats_total", factory: factory)
    }

    func report() {
        reported.withLock { reported in
            guard let now = store.replicaCondition else { return }
            used.record(now.state == .ok ? 1 : 0)
            fromReplica.increment(by: now.answers - reported.answers)
            fromPrimary.increment(by: now.answersOfPrimary - reported.answersOfPrimary)
            repeats.increment(by: now.repeats - reported.repeats)
            // Absent before it is known.
            if let ageMs = now.ageMs { Gauge(label: "landfall_replica_behind_seconds", factory: factory).record(Double(ageMs) / 1000) }
            reported = now
        }
    }
}
