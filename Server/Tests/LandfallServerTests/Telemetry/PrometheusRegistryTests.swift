// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Testing

@testable import LandfallServer

@Suite("The Prometheus text", .timeLimit(.minutes(1)))
struct PrometheusRegistryTests {
    @Test("has one series for each set of labels, sorted, with its type")
    func text() {
        let registry = PrometheusRegistry()
        Counter(label: "b_total", dimensions: [("route", "/x")], factory: registry).increment(by: 2)
        Counter(label: "b_total", dimensions: [("route", "/a")], factory: registry).increment()
        Gauge(label: "a", factory: registry).record(1.5)

        #expect(
            registry.text() == """
                # TYPE b_total counter
                b_total{route="/a"} 1
                b_total{route="/x"} 2
                # TYPE a gauge
                a 1.5

                """)
    }

    @Test("has cumulative buckets in seconds, both ends included")
    func histogram() {
        let registry = PrometheusRegistry()
        let timer = Timer(label: "t_seconds", factory: registry)
        for milliseconds in [1, 2, 40_000] { timer.recordMilliseconds(milliseconds) }

        let lines = registry.text().split(separator: "\n")
        #expect(lines.contains(#"t_seconds_bucket{le="0.001"} 1"#))
        #expect(lines.contains(#"t_seconds_bucket{le="0.0025"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{le="30.0"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{le="+Inf"} 3"#))
        #expect(lines.contains("t_seconds_count 3"))
    }
}
