// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import Metrics
import ServiceLifecycle
import Synchronization

/// How the stream of the store does, copied into the registry whenever the metrics are read.
final class StreamTelemetry: Sendable {
    private let stream: StoreStream
    private let time: ServerTime
    private let factory: any MetricsFactory
    private let reported = Mutex((bytes: Int64(0), failures: [StreamCondition.Reason: Int]()))
    private let behind: Gauge
    private let bytes: Counter

    init(_ stream: StoreStream, time: ServerTime, factory: any MetricsFactory) {
        (self.stream, self.time, self.factory) = (stream, time, factory)
        behind = Gauge(label: "landfall_stream_behind_seconds", factory: factory)
        bytes = Counter(label: "landfall_stream_bytes_total", factory: factory)
    }

    func report() {
        let now = stream.condition
        behind.record(Double(now.behindMs(nowMs: time.nowMs())) / 1000)
        reported.withLock { reported in
            bytes.increment(by: now.bytes - reported.bytes)
            for (reason, count) in now.failures {
                Counter(label: "landfall_stream_failures_total", dimensions: [("reason", reason.name)], factory: factory)
                    .increment(by: count - reported.failures[reason, default: 0])
            }
            reported = (now.bytes, now.failures)
        }
    }
}

/// Runs the stream of the store as long as the node serves.
struct StreamService: Service {
    let stream: StoreStream

    func run() async throws { await cancelWhenGracefulShutdown { [stream] in await stream.run() } }
}
