// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The metrics of a stream", .timeLimit(.minutes(1)))
struct StreamTelemetryTests {
    @Test("say how much time would be lost, and count each failure once")
    func counts() async throws {
        let clock = MovedClock(), folder = FileManager.default.temporaryDirectory.appending(path: "landfall-stream-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
        let place = MemoryPlace(folder), registry = PrometheusRegistry()
        place.isAway = true
        let time = ServerTime(nowMs: { clock.nowMs }, sleep: { _ in })
        let stream = StoreStream(database, database, to: place, every: .seconds(1), limits: StoreStream.Limits(), time: time, logger: Logger(label: "test"))
        let telemetry = StreamTelemetry(stream, time: time, factory: registry)
        registry.beforeReading { telemetry.report() }

        await stream.step()
        clock.pass(ms: 2_500)
        _ = registry.text()
        let lines = registry.text().split(separator: "\n")

        #expect(lines.contains("landfall_stream_behind_seconds 2.5"))
        #expect(lines.contains("landfall_stream_bytes_total 0"))
        #expect(lines.contains(#"landfall_stream_failures_total{reason="file"} 1"#))
    }
}

private final class MovedClock: Sendable {
    private let state = Mutex<Int64>(1_796_000_000_000)
    var nowMs: Int64 { state.withLock(\.self) }
    func pass(ms: Int64) { state.withLock { $0 += ms } }
}
