// SPDX-License-Identifier: Apache-2.0
import Metrics

/// What becomes of new versions of the configuration.
struct ConfigurationTelemetry: Sendable {
    enum Outcome: String, CaseIterable, Sendable {
        case published, unchanged
        /// Invalid, or not to be built on this node.
        case refused
    }

    let factory: any MetricsFactory

    func ended(_ outcome: Outcome) {
        Counter(
            label: "landfall_configuration_publications_total", dimensions: [("outcome", outcome.rawValue)], factory: factory
        ).increment()
    }
}
