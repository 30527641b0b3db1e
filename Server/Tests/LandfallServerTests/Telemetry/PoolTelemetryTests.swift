// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("The counts of a pool of connections", .timeLimit(.minutes(1)))
struct PoolTelemetryTests {
    private final class Pool: PoolCounting {
        static let causesOfRepeats = ["conflict", "lost"]
        let counts = Mutex(PoolCounts())
        var poolCounts: PoolCounts { counts.withLock(\.self) }
    }

    @Test("are in the metrics with the values of each reading, totals counted once")
    func counts() {
        let pool = Pool(), registry = PrometheusRegistry(), telemetry = PoolTelemetry(pool, factory: registry)
        registry.beforeReading { telemetry.report() }
        #expect(!registry.text().contains("landfall_feed_age_seconds "), "Nothing was read yet.")

        pool.counts.withLock {
            ($0.limit, $0.open, $0.used, $0.opened, $0.repeats) = (8, 5, 2, 6, ["lost": 3])
            ($0.feedReads, $0.feedTime, $0.changesHeard, $0.feedAge) = (10, .milliseconds(500), 4, .milliseconds(250))
        }

        for _ in 0..<2 {
            let lines = registry.text().split(separator: "\n").map(String.init)
            for line in [
                #"landfall_database_connections{state="used"} 2"#, #"landfall_database_connections{state="idle"} 3"#,
                "landfall_database_connections_most 8", "landfall_database_connections_opened_total 6",
                #"landfall_database_repeats_total{cause="lost"} 3"#, "landfall_feed_reads_total 10", "landfall_feed_read_seconds_total 0.5",
                "landfall_feed_changes_total 4", "landfall_feed_age_seconds 0.25",
            ] { #expect(lines.contains(line), "\(line) is not in \(lines)") }
        }
    }
}
