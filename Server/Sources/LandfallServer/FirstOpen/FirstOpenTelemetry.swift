// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Metrics

/// How first-open streams end.
struct FirstOpenTelemetry: Sendable {
    let factory: any MetricsFactory

    func ended(_ reason: EndReason) {
        Counter(label: "landfall_first_opens_total", dimensions: [("end", reason.rawValue)], factory: factory).increment()
    }

    /// The phone was gone before the end.
    func abandoned() {
        Counter(label: "landfall_first_opens_total", dimensions: [("end", "abandoned")], factory: factory).increment()
    }
}
