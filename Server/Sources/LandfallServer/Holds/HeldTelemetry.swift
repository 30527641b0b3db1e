// SPDX-License-Identifier: Apache-2.0
import Metrics

extension Holds {
    /// Brings what is held now into the registry whenever somebody reads it.
    func report(to registry: PrometheusRegistry) {
        let gauges = Kind.allCases.map { kind in
            (kind, Gauge(label: "landfall_held", dimensions: [("kind", kind.rawValue)], factory: registry))
        }
        registry.beforeReading { [self] in
            for (kind, gauge) in gauges { gauge.record(count(kind)) }
        }
    }
}
