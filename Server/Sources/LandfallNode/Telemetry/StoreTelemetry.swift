// SPDX-License-Identifier: Apache-2.0
import LandfallServer
package import LandfallStore
package import Metrics
import Synchronization

/// The store's own counters, copied into the registry whenever the metrics are read.
package final class StoreTelemetry: Sendable {
    private let store: any WriteCounting
    private let reported = Mutex(WriteCounts())
    private let units: Counter
    private let commits: Counter
    private let endedGroups: Counter
    private let committing: FloatingPointCounter
    private let sizes: (disk: any DiskSpaceReporting, store: Gauge, log: Gauge, freeDisk: Gauge, freeShare: Gauge)?
    private let waiting: [Urgency: Gauge]
    /// Nil if reads never wait.
    private let reads: (store: any ReadCounting, waiting: Gauge)?

    /// Nil if the store does not group commits.
    package init?(_ database: any Database, factory: any MetricsFactory) {
        guard let store = database as? any WriteCounting else { return nil }
        self.store = store
        units = Counter(label: "landfall_store_writes_total", factory: factory)
        commits = Counter(label: "landfall_store_commits_total", factory: factory)
        endedGroups = Counter(label: "landfall_store_ended_groups_total", factory: factory)
        committing = FloatingPointCounter(label: "landfall_store_commit_seconds_total", factory: factory)
        sizes = (database as? any DiskSpaceReporting).map { disk in
            (
                disk, Gauge(label: "landfall_store_bytes", factory: factory), Gauge(label: "landfall_store_log_bytes", factory: factory),
                Gauge(label: "landfall_disk_free_bytes", factory: factory), Gauge(label: "landfall_disk_free_ratio", factory: factory)
            )
        }
        let gauges = Urgency.allCases.map { urgency in
            (urgency, Gauge(label: "landfall_writer_waiting", dimensions: [("class", urgency.rawValue)], factory: factory))
        }
        waiting = Dictionary(uniqueKeysWithValues: gauges)
        reads = (database as? any ReadCounting).map { (store: $0, waiting: Gauge(label: "landfall_readers_waiting", factory: factory)) }
    }

    package func report() {
        reported.withLock { reported in
            let now = store.writeCounts
            units.increment(by: now.units - reported.units)
            commits.increment(by: now.commits - reported.commits)
            endedGroups.increment(by: now.endedGroups - reported.endedGroups)
            committing.increment(by: (now.committing - reported.committing) / .seconds(1))
            if let sizes {
                let bytes = sizes.disk.sizes
                sizes.store.record(bytes.store)
                sizes.log.record(bytes.log)
                sizes.freeDisk.record(bytes.freeDisk)
                sizes.freeShare.record(sizes.disk.freeDiskShare)
            }
            for (urgency, gauge) in waiting { gauge.record(now.waitingBy[urgency] ?? 0) }
            if let reads { reads.waiting.record(reads.store.waitingReads) }
            reported = now
        }
    }
}
