// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import Metrics

/// Counts clicks by kind and outcome. Labels come from closed sets.
package struct LinkTelemetry: Sendable {
    private struct Labels: Hashable, Sendable {
        let kind: ClickKind
        let platform: BrowserPlatform
        let outcome: Click.Outcome
    }

    private let factory: any MetricsFactory
    private let clicks: KnownMetrics<Labels, Counter>
    private let notStored: KnownMetrics<ClickAdmission.Refusal, Counter>
    private let taps: KnownMetrics<ButtonTap.Button, Counter>

    package init(factory: any MetricsFactory) {
        self.factory = factory
        clicks = KnownMetrics { labels in
            let dimensions = [
                ("kind", labels.kind.rawValue), ("platform", labels.platform.rawValue), ("outcome", labels.outcome.rawValue),
            ]
            return Counter(label: "landfall_link_clicks_total", dimensions: dimensions, factory: factory)
        }
        notStored = KnownMetrics { refusal in
            Counter(
                label: "landfall_link_clicks_not_stored_total", dimensions: [("reason", refusal.rawValue)], factory: factory)
        }
        taps = KnownMetrics { Counter(label: "landfall_link_button_taps_total", dimensions: [("button", $0.rawValue)], factory: factory) }
    }

    func clicked(_ click: Click) {
        clicks[Labels(kind: click.kind, platform: click.platform, outcome: click.outcome)].increment()
    }

    /// A button of a page, for the first time.
    func tapped(_ button: ButtonTap.Button) { taps[button].increment() }

    /// The visitor was redirected, and the click is only counted here.
    func notStored(_ refusal: ClickAdmission.Refusal) { notStored[refusal].increment() }

    /// The visitor was redirected although the store could not keep the click.
    func lost() { Counter(label: "landfall_link_clicks_lost_total", factory: factory).increment() }
}
