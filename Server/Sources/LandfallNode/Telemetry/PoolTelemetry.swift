// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Metrics
import Synchronization

/// The counters of a database that nodes share, copied into the registry whenever the metrics are read.
final class PoolTelemetry: Sendable {
    private let store: any PoolCounting
    private let reported = Mutex(PoolCounts())
    private let used: Gauge
    private let idle: Gauge
    private let most: Gauge
    private let opened: Counter
    private let repeats: [String: Counter]
    private let feedReads: Counter
    private let feedTime: FloatingPointCounter
    private let changes: Counter
    private let factory: any MetricsFactory

    init(_ store: any PoolCounting, factory: any MetricsFactory) {
        (self.store, self.factory) = (store, factory)
        used = Gauge(label: "landfall_database_connections", dimensions: [("state", "used")], factory: factory)
        idle = Gauge(label: "landfall_database_connections", dimensions: [("state", "idle")], factory: factory)
        most = Gauge(label: "landfall_database_connections_most", factory: factory)
        opened = Counter(label: "landfall_database_connections_opened_total", factory: factory)
        let counters = type(of: store).causesOfRepeats.map { cause in
            (cause, Counter(label: "landfall_database_repeats_total", dimensions: [("cause", cause)], factory: factory))
        }
        repeats = Dictionary(uniqueKeysWithValues: counters)
        feedReads = Counter(label: "landfall_feed_reads_total", factory: factory)
        feedTime = FloatingPointCounter(label: "landfall_feed_read_seconds_total", factory: factory)
        changes = Counter(label: "landfall_feed_changes_total", factory: factory)
    }

    func report() {
        reported.withLock { reported in
            let now = store.poolCounts
            used.record(now.used)
            idle.record(max(0, now.open - now.used))
            most.record(now.limit)
            opened.increment(by: now.opened - reported.opened)
            for (cause, counter) in repeats { counter.increment(by: (now.repeats[cause] ?? 0) - (reported.repeats[cause] ?? 0)) }
            feedReads.increment(by: now.feedReads - reported.feedReads)
            feedTime.increment(by: (now.feedTime - reported.feedTime) / .seconds(1))
            changes.increment(by: now.changesHeard - reported.changesHeard)
            // Absent before the first read: an age would say that there was one.
            if let age = now.feedAge { Gauge(label: "landfall_feed_age_seconds", factory: factory).record(age / .seconds(1)) }
            reported = now
        }
    }
}
