// SPDX-License-Identifier: Apache-2.0
package import CoreMetrics
import HTTPTypes
package import Hummingbird
import Synchronization

/// A backend of swift-metrics that keeps every metric in memory and writes Prometheus text.
///
/// Labels come from closed sets only, so the number of series is bounded by the program, not by input.
package final class PrometheusRegistry: MetricsFactory, Sendable {
    struct Series: Hashable, Sendable {
        let name: String
        let labels: [String]

        init(_ label: String, _ dimensions: [(String, String)]) {
            name = label
            labels = dimensions.map { "\($0)=\"\($1)\"" }
        }
    }

    private let counters = Mutex<[Series: PrometheusCounter]>([:])
    private let gauges = Mutex<[Series: PrometheusGauge]>([:])
    private let timings = Mutex<[Series: PrometheusHistogram]>([:])
    private let reports = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// Called before each reading, for values that are counted elsewhere.
    package func beforeReading(_ report: @escaping @Sendable () -> Void) { reports.withLock { $0.append(report) } }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        kept(Series(label, dimensions), in: counters) { PrometheusCounter() }
    }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        kept(Series(label, dimensions), in: counters) { PrometheusCounter() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        kept(Series(label, dimensions), in: gauges) { PrometheusGauge() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate { return kept(Series(label, dimensions), in: timings) { PrometheusHistogram() } }
        return kept(Series(label, dimensions), in: gauges) { PrometheusGauge() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        kept(Series(label, dimensions), in: timings) { PrometheusHistogram() }
    }

    // Series live as long as the process: a Prometheus counter that vanishes looks like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func kept<Handler: Sendable>(
        _ series: Series, in store: borrowing Mutex<[Series: Handler]>, _ make: () -> Handler
    ) -> Handler {
        store.withLock { store in
            if let handler = store[series] { return handler }
            let handler = make()
            store[series] = handler
            return handler
        }
    }

    /// The value of a counter.
    /// - Returns: 0 for one that has counted nothing yet.
    package func count(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        counters.withLock { $0[Series(label, dimensions)] }.map { Int64($0.value) } ?? 0
    }

    /// Everything counted so far, in the Prometheus text format, sorted by name.
    func text() -> String {
        for report in reports.withLock({ $0 }) { report() }
        var lines: [String] = []
        lines += Self.lines(counters.withLock { $0 }, type: "counter") { series, counter in
            [Self.line(series.name, series.labels, counter.value)]
        }
        lines += Self.lines(gauges.withLock { $0 }, type: "gauge") { series, gauge in
            [Self.line(series.name, series.labels, gauge.value)]
        }
        lines += Self.lines(timings.withLock { $0 }, type: "histogram") { series, timing in timing.lines(series) }
        return lines.joined(separator: "\n") + "\n"
    }

    package func response() -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: .init(string: text()))
        )
    }

    private static func lines<Handler>(
        _ handlers: [Series: Handler], type: String, _ render: (Series, Handler) -> [String]
    ) -> [String] {
        let byName = Dictionary(grouping: handlers) { $0.key.name }
        var lines: [String] = []
        for (name, group) in byName.sorted(by: { $0.key < $1.key }) {
            if let help = MetricHelp.texts[name] { lines.append("# HELP \(name) \(help)") }
            lines.append("# TYPE \(name) \(type)")
            for (series, handler) in group.sorted(by: { $0.key.labels.joined() < $1.key.labels.joined() }) {
                lines += render(series, handler)
            }
        }
        return lines
    }

    static func line(_ name: String, _ labels: [String], _ value: Double) -> String {
        let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        return labels.isEmpty ? "\(name) \(number)" : "\(name){\(labels.joined(separator: ","))} \(number)"
    }
}
