// SPDX-License-Identifier: Apache-2.0
package import Metrics
import Synchronization

/// How often an install was found in memory, and how many are there.
package final class InstallCacheTelemetry: Sendable {
    private let cache: InstallCache
    private let hits: Counter
    private let misses: Counter
    private let installs: Gauge
    private let bytes: Gauge
    private let told = Mutex(InstallCache.Counts())

    package init(_ cache: InstallCache, factory: any MetricsFactory) {
        self.cache = cache
        func reads(_ outcome: String) -> Counter {
            Counter(label: "landfall_install_cache_reads_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        (hits, misses) = (reads("hit"), reads("miss"))
        installs = Gauge(label: "landfall_install_cache_installs", factory: factory)
        bytes = Gauge(label: "landfall_install_cache_bytes", factory: factory)
    }

    package func report() {
        let counts = cache.counts
        told.withLock { told in
            hits.increment(by: counts.hits - told.hits)
            misses.increment(by: counts.misses - told.misses)
            told = counts
        }
        installs.record(counts.installs)
        bytes.record(counts.bytes)
    }
}
