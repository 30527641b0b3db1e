// SPDX-License-Identifier: Apache-2.0
import Metrics

/// How many clicks of which kind ended how. Labels come from closed sets.
struct LinkTelemetry: Sendable {
    let factory: any MetricsFactory

    func clicked(_ click: Click) {
        let labels = [
            ("kind", click.kind.rawValue), ("platform", click.platform.rawValue), ("outcome", click.outcome.rawValue),
        ]
        Counter(label: "landfall_link_clicks_total", dimensions: labels, factory: factory).increment()
    }

    /// The visitor was sent on although the store could not keep the click.
    func lost() { Counter(label: "landfall_link_clicks_lost_total", factory: factory).increment() }
}
