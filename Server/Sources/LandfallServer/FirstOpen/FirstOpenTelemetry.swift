// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Logging
import Metrics

/// How first-open streams end.
struct FirstOpenTelemetry: Sendable {
    let factory: any MetricsFactory

    func ended(_ reason: EndReason) {
        Counter(label: "landfall_first_opens_total", dimensions: [("end", reason.rawValue)], factory: factory).increment()
    }

    /// The last line was not written: mostly the phone was gone. Where the store failed, nobody else would tell.
    func brokeOff(_ error: any Error, _ logger: Logger) {
        Counter(label: "landfall_first_opens_total", dimensions: [("end", "brokenOff")], factory: factory).increment()
        guard error is DatabaseError else { return }
        logger.error("A first-open stream broke off; the phone asks again.", metadata: ["error.text": "\(error)"])
    }
}
