// SPDX-License-Identifier: Apache-2.0
package import Metrics

/// What becomes of new versions of the configuration.
package struct ConfigurationTelemetry: Sendable {
    enum Outcome: String, CaseIterable, Sendable {
        case published, unchanged
        /// Invalid, or cannot be built on this node.
        case refused
    }

    let factory: any MetricsFactory

    package init(factory: any MetricsFactory) { self.factory = factory }

    func ended(_ outcome: Outcome) {
        Counter(
            label: "landfall_configuration_publications_total", dimensions: [("outcome", outcome.rawValue)], factory: factory
        ).increment()
    }
}
