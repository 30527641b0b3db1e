// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The store's own counts", .timeLimit(.minutes(1)))
struct StoreTelemetryTests {
    @Test("are in the metrics with the values of each reading, counted once")
    func counts() async throws {
        let store = try await TestStore()
        let registry = PrometheusRegistry()
        let telemetry = try #require(StoreTelemetry(store.engine, factory: registry))
        registry.beforeReading { telemetry.report() }
        _ = registry.text()

        try await store.engine.write { _ in }

        let counting = try #require(store.engine as? any WriteCounting)
        for _ in 0..<2 {
            var counts = counting.writeCounts, lines: [Substring] = []
            // PostgreSQL's writes are counted just after their answers: the text is read between two equal counts.
            repeat {
                counts = counting.writeCounts
                lines = registry.text().split(separator: "\n")
            } while (counts.units, counts.commits) != (counting.writeCounts.units, counting.writeCounts.commits)
            #expect(lines.contains("landfall_store_writes_total \(counts.units)"))
            #expect(lines.contains("landfall_store_commits_total \(counts.commits)"))
            #expect(lines.contains(#"landfall_writer_waiting{class="interactive"} 0"#))
            #expect(lines.contains(#"landfall_writer_waiting{class="bulk"} 0"#))
            #expect(lines.contains("landfall_readers_waiting 0"))
        }
    }

    @Test("are left out if a store counts nothing")
    func none() async throws {
        let store = try await TestStore()

        #expect(StoreTelemetry(store.database, factory: PrometheusRegistry()) == nil)
    }
}
