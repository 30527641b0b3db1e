// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Synchronization

/// A value that only grows.
final class PrometheusCounter: CounterHandler, FloatingPointCounterHandler, Sendable {
    private let count = Mutex(0.0)
    var value: Double { count.withLock { $0 } }

    func increment(by amount: Int64) { count.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { count.withLock { $0 += amount } }
    func reset() { count.withLock { $0 = 0 } }
}

/// The latest value.
final class PrometheusGauge: MeterHandler, RecorderHandler, Sendable {
    private let latest = Mutex(0.0)
    var value: Double { latest.withLock { $0 } }

    func set(_ value: Int64) { latest.withLock { $0 = Double(value) } }
    func set(_ value: Double) { latest.withLock { $0 = value } }
    func increment(by amount: Double) { latest.withLock { $0 += amount } }
    func decrement(by amount: Double) { latest.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
}

/// A histogram in seconds, with bounds from one millisecond to thirty seconds.
final class PrometheusHistogram: TimerHandler, RecorderHandler, Sendable {
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    private struct State {
        var buckets = [Int](repeating: 0, count: PrometheusHistogram.bounds.count + 1)
        var sum = 0.0
    }
    private let state = Mutex(State())

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.buckets[bucket] += 1
            state.sum += value
        }
    }

    func lines(_ series: PrometheusRegistry.Series) -> [String] {
        let state = state.withLock { $0 }
        var total = 0
        var lines: [String] = []
        for (index, count) in state.buckets.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            lines.append(PrometheusRegistry.line(series.name + "_bucket", series.labels + ["le=\"\(bound)\""], Double(total)))
        }
        lines.append(PrometheusRegistry.line(series.name + "_sum", series.labels, state.sum))
        lines.append(PrometheusRegistry.line(series.name + "_count", series.labels, Double(total)))
        return lines
    }
}
